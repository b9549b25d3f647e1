"""How often, in words."""

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dates.repeats import read_repeat, spoken_repeat
from bot.turns.schedules.cron import check_cron


@pytest.mark.parametrize(
    ("phrase", "cron"),
    [
        ("every Monday", "0 9 * * mon"),
        ("every weekday at 8:30", "30 8 * * mon-fri"),
        ("mondays at 10", "0 10 * * mon"),
        ("every Thursday and Monday at 17:00", "0 17 * * mon,thu"),
        ("daily at 7pm", "0 19 * * *"),
        ("every morning", "0 9 * * *"),
        ("every 2 hours", "0 */2 * * *"),
        ("every month on the 1st at 10", "0 10 1 * *"),
        ("every weekday at nine", "0 9 * * mon-fri"),
        ("jeden Werktag um halb neun", "30 8 * * mon-fri"),
        ("täglich um 8", "0 8 * * *"),
    ],
)
def test_words_say_how_often(phrase: str, cron: str):
    assert read_repeat(phrase, time(9)) == cron
    check_cron(cron)


@pytest.mark.parametrize(
    "phrase",
    [
        "",
        "every",
        "monday",
        "on monday",
        "tomorrow at 9",
        "every other day",
        "every 5 hours",
        "every month on the 31st",
    ],
)
def test_nothing_is_guessed(phrase: str):
    assert read_repeat(phrase, time(9)) is None


@given(st.text(max_size=90) | st.from_regex(r"every [a-z0-9 :]{1,30}"))
def test_any_text_gives_a_cron_expression_or_nothing(phrase: str):
    if (cron := read_repeat(phrase, time(9))) is not None:
        check_cron(cron)


@given(
    minute=st.integers(0, 59),
    hour=st.integers(0, 23),
    days=st.one_of(
        st.sampled_from(["* * *", "* * mon-fri", "* * sat,sun", "* * fri", "* * mon,wed,sun"]),
        st.integers(1, 28).map(lambda day: f"{day} * *"),
    ),
)
def test_a_cron_in_words_is_read_back_as_it_was(minute: int, hour: int, days: str):
    cron = f"{minute} {hour} {days}"
    words = spoken_repeat(cron)
    assert words is not None
    assert read_repeat(words, time(9)) == cron


def test_hours_are_spoken_and_what_takes_more_to_say_is_not():
    assert spoken_repeat("0 * * * *") == "every hour"
    assert spoken_repeat("0 */6 * * *") == "every 6 hours"
    assert spoken_repeat("30 8 * * 1-5") == "every weekday at 08:30"
    assert spoken_repeat("0 9 * * 0,1") == "every Sunday and Monday at 09:00"
    for cron in (
        "*/15 * * * *",
        "0 9 1 1 *",
        "0 9-17 * * *",
        "0 9 1 * fri",
        "0 9 * * fri#1",
        "0 9 l * *",
    ):
        assert spoken_repeat(cron) is None
