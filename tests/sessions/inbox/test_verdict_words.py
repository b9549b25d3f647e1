"""Which words can mean yes or no to a card; all others go to the model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sessions.inbox.verdicts import (
    LONGEST_VERDICT,
    asks_something,
    contradicts,
    number_of,
    verdict_of,
)

YES = [
    *("yes", "Yes!", "ok", "OK, go ahead.", "yes go ahead", "yes please", "yeah, do it", "sure"),
    *("yes, close it", "Yes, send it now please", "ok, go ahead and close it", "yes, all of them"),
    *("ja", "Ja bitte", "ja, schließ es", "ja, schliess es bitte", "ja, mach das", "ja, alle"),
    *("ja, lösch es", "in Ordnung", "ja, schick sie ab", "einverstanden"),
    *("oui", "oui, vas-y", "d\u2019accord", "oui, ferme-le", "oui, envoie-le s'il te plaît"),
    *("sí", "si, hazlo", "sí, ciérralo", "vale, adelante", "sí, por favor", "de acuerdo"),
    *("sì", "sì, procedi", "va bene", "sì, chiudilo", "d'accordo, grazie"),
]
NO = [
    *(
        "no",
        "No, thanks.",
        "don\u2019t",
        "no don't",
        "no, not now",
        "no, don't close it",
        "not yet",
    ),
    *("nein", "nein, lieber nicht", "nein danke", "nein, jetzt nicht", "Nein, lass es"),
    *("non", "non merci", "non, pas maintenant", "no, mejor no", "no, gracias", "ahora no"),
    *("no, meglio di no", "non ora", "no, lascia stare"),
]
NEITHER = [
    *("yes, but to Bob", "yes but only the first", "yes, tomorrow", "yes, if it is free", "yes?"),
    *("ok, what does it do?", "ok what does it do", "is it ok?", "no idea", "no problem, go ahead"),
    *("no, only the first", "ok thanks, and now the weather", "sure, tell me more", "not sure"),
    *("ja aber erst morgen", "ja, aber nur die erste", "ja?", "ja, und wie", "nein, die zweite"),
    *("oui mais pas celui-ci", "oui, demain", "sí, pero mañana", "sì ma non ora", "no sé", ""),
    *("y" * 100, "> yes", "yes\n\nand mail Bob", "yesterday", "okra", "yes, cancel it"),
    *("yes, change it", "ok, stop it", "ok, explain it", "yes, it rains", "¿sí"),
]


@pytest.mark.parametrize("text", YES)
def test_a_leading_yes_with_nothing_else_in_it_is_one(text: str):
    assert verdict_of(text) is True


@pytest.mark.parametrize("text", NO)
def test_a_leading_no_with_nothing_else_in_it_is_one(text: str):
    assert verdict_of(text) is False


@pytest.mark.parametrize("text", NEITHER)
def test_a_condition_a_question_or_another_wish_is_neither(text: str):
    assert verdict_of(text) is None


@given(
    st.sampled_from(YES),
    st.sampled_from(
        ["but", "aber", "only", "nur", "except", "tomorrow", "morgen", "mais", "pero", "ma", "not",
         "nicht", "instead", "statt", "Bob", "3", "the first", "if", "wenn", "and", "?"]
    ),
)  # fmt: skip
def test_one_more_word_is_never_a_yes(yes: str, more: str):
    assert verdict_of(f"{yes} {more}") is not True
    assert verdict_of(f"{yes}, {more}") is not True


@given(st.text(max_size=LONGEST_VERDICT + 20))
def test_any_text_has_a_verdict_without_trouble(text: str):
    assert verdict_of(text) in {True, False, None}
    assert number_of(text) is None or 1 <= number_of(text) <= 9  # type: ignore[operator]


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), ("2.", 2), ("#3", 3), ("Nr. 2", 2), ("number 2", 2), ("0", None), ("12", None),
     ("1,3", None), ("1 or 2", None), ("one", None)],
)  # fmt: skip
def test_a_number_alone_names_a_choice(text: str, number: int | None):
    assert number_of(text) == number


@pytest.mark.parametrize(
    ("text", "does", "contradicting"),
    [
        ("yes, delete it", ["send", "mail"], True),
        ("ja, lösch es", ["close", "issue"], True),
        ("yes, close it", ["close", "issue"], False),
        ("ja, schließ es", ["manage", "issues", "close"], False),
        ("sí, ciérralo", ["delete", "file"], True),
        ("yes, close it", ["frobnicate"], False),
        ("yes", ["delete", "file"], False),
    ],
)
def test_a_yes_to_another_act_contradicts(text: str, does: list[str], contradicting: bool):
    assert contradicts(text, does) is contradicting


def test_what_may_be_a_question():
    assert asks_something("It rains. Shall I look at tomorrow as well?")
    assert asks_something("¿Lo cierro?")
    assert not asks_something("See https://example.org/?page=2 for it.")
