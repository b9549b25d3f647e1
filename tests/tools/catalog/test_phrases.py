"""Phrases of people: held by a text in any inflection, never by words that only begin alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tools.catalog.phrases import PhraseBook, alike, folded_words

WORD = st.text("abcdé", min_size=1, max_size=9)
WORDS = st.lists(WORD, min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mail", "mails"),
        ("termin", "termine"),
        ("kalender", "kalendern"),
        ("rappelle", "rappeler"),
        ("rapport", "rapports"),
    ],
)
def test_endings_do_not_part_a_word(one: str, other: str):
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("week", "weekend"), ("post", "poster"), ("note", "notion"), ("repo", "report"), ("a", "an")],
)
def test_a_common_beginning_makes_no_word(one: str, other: str):
    assert not alike(one, other)


@given(WORDS, WORDS)
def test_a_text_that_holds_all_words_of_a_phrase_holds_the_phrase(
    phrase: list[str], rest: list[str]
):
    book = PhraseBook({"tool": [" ".join(phrase)]})
    assert book.weights(" ".join([*rest, *reversed(phrase)]))["tool"] >= 1


@given(WORDS, WORDS)
def test_a_phrase_is_held_by_nothing_less(phrase: list[str], text: list[str]):
    missing = [
        word
        for word in folded_words(" ".join(phrase))
        if not any(alike(word, other) for other in folded_words(" ".join(text)))
    ]
    found = PhraseBook({"tool": [" ".join(phrase)]}).weights(" ".join(text))
    assert bool(found) is not bool(missing)


@given(st.lists(WORDS, max_size=5), WORDS)
def test_a_share_is_a_share(phrases: list[list[str]], text: list[str]):
    book = PhraseBook({at: [" ".join(words)] for at, words in enumerate(phrases)})
    assert all(0 <= share <= 1 for share in book.covered(" ".join(text)).values())


def test_more_words_weigh_more_and_small_words_cover_nothing():
    book = PhraseBook({"list": ["remind me"], "member": ["remind"]})
    weights = book.weights("Remind me of the bins")
    assert weights["list"] > weights["member"] == 1
    assert PhraseBook({"list": ["on my list"]}).covered("on my way") == {}


def test_an_exact_word_and_one_that_only_belongs_to_the_matter():
    book = PhraseBook({"tool": ["=port", "~reachable host"]})
    assert book.weights("which port?")
    assert not book.weights("la porte")
    assert not book.weights("is the host reachable?")
    assert book.covered("is the host reachable?")["tool"] > 0.5
    assert not book.weights("=porte")


def test_channels_and_addresses_are_seen():
    book = PhraseBook({"send": ["tell #"], "mail": ["write @"]})
    assert set(book.weights("tell #sales that we moved")) == {"send"}
    assert set(book.weights("write to ann@example.com")) == {"mail"}
    assert not book.weights("tell me")


def test_a_compound_holds_the_word_that_it_ends_or_begins_with():
    book = PhraseBook({"chart": ["Zahlen zeichnen"], "welcome": ["Willkommen"]})
    assert "chart" in book.weights("zeichne die Mitgliederzahlen")
    assert "welcome" in book.weights("ein Willkommensgruß")
    assert book.weights("an overwelcoming host") == {}


def test_small_words_make_a_phrase_weigh_hardly_more():
    book = PhraseBook({"trip": ["partir à"], "faq": ["FAQ"], "rules": ["house rules"]})
    weights = book.weights("partir à la FAQ, house rules")
    assert weights["faq"] < weights["trip"] < weights["rules"]
