"""Sentences that are kept in English are told in each language, with what stands in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.languages import Language, Phrase
from bot.domain.retelling import Retelling, parts_in

NEAR = Phrase("{a} is near {b}", "{a} nahe {b}", "{a} près {b}", "{a} cerca {b}", "{a} vicino {b}")
AT = Phrase(
    "at {n}: {text}", "bei {n}: {text}", "à {n} : {text}", "en {n}: {text}", "a {n}: {text}"
)
TOLD = Retelling((AT, NEAR))


@pytest.mark.parametrize(
    ("text", "pattern", "parts"),
    [
        ("x is near y", "{a} is near {b}", {"a": "x", "b": "y"}),
        ("x is near y is near z", "{a} is near {b}", {"a": "x", "b": "y is near z"}),
        ("plain", "plain", {}),
        ("plain!", "plain", None),
        ("is near y", "{a} is near {b}", None),
        ("x is near ", "{a} is near {b}", None),
        ("<x>", "<{a}>", {"a": "x"}),
        ("<x>>", "<{a}>", {"a": "x>"}),
        ("<>", "<{a}>", None),
        ("x and x", "{a} and {a}", {"a": "x"}),
        ("x and y", "{a} and {a}", None),
        ("", "", {}),
    ],
)
def test_a_pattern_finds_its_parts(text: str, pattern: str, parts: dict[str, str] | None):
    assert parts_in(text, pattern) == parts


def test_a_sentence_inside_another_is_told_too():
    assert TOLD.told("at 7: x is near y", Language.DE) == "bei 7: x nahe y"
    assert TOLD.told("at 7: something else", Language.DE) == "bei 7: something else"
    assert TOLD.told("something else", Language.DE) == "something else"
    assert TOLD.in_all("x is near y").said(Language.IT) == "x vicino y"


@given(st.text(min_size=1), st.text(min_size=1))
def test_all_that_stands_in_a_sentence_stays(one: str, other: str):
    english = NEAR.said(Language.EN, a=one, b=other)
    assert TOLD.told(english, Language.EN) == english
    german = Retelling((NEAR,)).told(english, Language.DE)
    assert german.replace(" nahe ", " is near ", 1) == english or " nahe " in one


@given(st.text())
def test_no_text_breaks_it(text: str):
    assert TOLD.told(text, Language.FR) or not text
