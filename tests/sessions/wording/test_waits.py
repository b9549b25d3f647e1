"""Waits that servers ask for are told so that a person can read them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents.loop.outcomes import Failed, Trouble
from bot.chat.limits import HeldUp
from bot.domain.languages import Language
from bot.domain.waits import FAR_S, is_far, wait_words
from bot.sessions.wording.sentences import failure


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "0 seconds"),
        (1, "1 second"),
        (90, "90 seconds"),
        (725, "12 minutes"),
        (5 * 3600, "5 hours"),
        (3 * 86_400, "3 days"),
        (2300919368, "more than a month"),
        (math.inf, "more than a month"),
        (math.nan, "more than a month"),
    ],
)
def test_a_wait_reads_as_people_say_it(seconds: float, words: str):
    assert wait_words(seconds) == words
    assert words in str(HeldUp("chat.postMessage", seconds))


@given(st.floats(min_value=0, allow_nan=False))
def test_no_wait_has_a_number_that_nobody_can_read(seconds: float):
    assert sum(character.isdigit() for character in wait_words(seconds)) <= 3
    assert is_far(seconds) == (seconds > FAR_S)


def test_a_model_that_asks_for_73_years_is_not_waited_for():
    text = failure(Failed(Trouble.MODEL, "", "rate_limit", 2300919368.0), "t4k2")
    assert "far in the future, so I stop trying" in text
    assert "2300919368" not in text
    assert "wait 12 minutes" in failure(Failed(Trouble.MODEL, "", "rate_limit", 725.0), "t4k2")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.DE, "(Es will, dass ich 12 Minuten warte.)"),
        (Language.FR, "(Il demande d'attendre 12 minutes.)"),
        (Language.ES, "(Pide esperar 12 minutos.)"),
        (Language.IT, "(Chiede di aspettare 12 minuti.)"),
    ],
)
def test_a_failure_is_told_in_the_language_of_the_person(language: Language, said: str):
    failed = Failed(Trouble.MODEL, "", "rate_limit", 725.0)
    text = failure(failed, "t4k2", language=language)
    assert said in text
    assert not {*failure(failed, "t4k2").split(". ")} & {*text.split(". ")}
