"""read_past: words for a time that is over, as a period."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.dates.past import Period, read_past
from bot.dates.reading import Unclear
from tests.thoroughness import examples

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 20, 16, 30, tzinfo=UTC)  # a Friday, 17:30 in Berlin


def span(phrase: str) -> tuple[str, str]:
    found = read_past(phrase, NOW, BERLIN)
    assert isinstance(found, Period), found
    return (
        f"{found.start.astimezone(BERLIN):%Y-%m-%d %H:%M}",
        f"{found.end.astimezone(BERLIN):%Y-%m-%d %H:%M}",
    )


@pytest.mark.parametrize(
    ("phrases", "start", "end"),
    [
        ("today; heute; aujourd'hui", "2026-11-20 00:00", "2026-11-21 00:00"),
        ("yesterday; Gestern; hier; ayer; ieri; 1 day ago", "2026-11-19 00:00", "2026-11-20 00:00"),
        (
            "the day before yesterday; vorgestern; 18.11.; the 18th",
            "2026-11-18 00:00",
            "2026-11-19 00:00",
        ),
        (
            "last week; letzte Woche; la semaine dernière; la semana pasada",
            "2026-11-09 00:00",
            "2026-11-16 00:00",
        ),
        ("this week; diese Woche", "2026-11-16 00:00", "2026-11-23 00:00"),
        ("2 weeks ago; vor zwei Wochen", "2026-11-02 00:00", "2026-11-09 00:00"),
        (
            "the last 3 days; die letzten 3 Tage; the past three days",
            "2026-11-17 00:00",
            "2026-11-20 17:30",
        ),
        ("in the last 24 hours", "2026-11-19 17:30", "2026-11-20 17:30"),
        ("the last hour", "2026-11-20 16:30", "2026-11-20 17:30"),
        ("last Friday", "2026-11-13 00:00", "2026-11-14 00:00"),
        ("on Monday; since monday; last monday; montag", "2026-11-16 00:00", "2026-11-17 00:00"),
        ("last weekend", "2026-11-14 00:00", "2026-11-16 00:00"),
        ("March; in march; March 2026; im März", "2026-03-01 00:00", "2026-04-01 00:00"),
        ("December", "2025-12-01 00:00", "2026-01-01 00:00"),
        ("last month", "2026-10-01 00:00", "2026-11-01 00:00"),
        ("last year; 2025", "2025-01-01 00:00", "2026-01-01 00:00"),
        ("5 March; 2026-03-05; 5.3.", "2026-03-05 00:00", "2026-03-06 00:00"),
        ("25 November", "2025-11-25 00:00", "2025-11-26 00:00"),
        (
            "yesterday evening; hier soir; gestern Abend; last night",
            "2026-11-19 18:00",
            "2026-11-20 00:00",
        ),
        ("this morning", "2026-11-20 05:00", "2026-11-20 12:00"),
        ("yesterday at 9", "2026-11-19 09:00", "2026-11-19 09:01"),
        ("2026-11-18T09:00; 2026-11-18T08:00Z", "2026-11-18 09:00", "2026-11-18 09:01"),
    ],
)
def test_a_phrase_is_the_period_that_people_mean(phrases: str, start: str, end: str):
    for phrase in phrases.split("; "):
        assert span(phrase) == (start, end), phrase


@pytest.mark.parametrize(
    ("phrase", "why"),
    [
        ("Friday", "is today or a week ago"),
        ("02/03", "can be day and month or month and day"),
        ("tomorrow", "is no date or time"),
        ("2026-12-24", "is still to come"),
        ("2026-02-30", "no calendar"),
        ("the report", "is no date or time"),
        ("", "is no date or time"),
        ("x" * 200, "is longer than"),
    ],
)
def test_ambiguous_times_are_asked_about(phrase: str, why: str):
    found = read_past(phrase, NOW, BERLIN)
    assert isinstance(found, Unclear)
    assert why in found.told(phrase)


def test_a_day_on_which_the_clocks_change_is_whole():
    found = read_past("25 October", NOW, BERLIN)
    assert isinstance(found, Period)
    assert (found.end - found.start).total_seconds() == 25 * 3600


SAID = "last this the past 3 two days week weeks ago friday march 31 5th yesterday at 9 morning in"
WORDS = st.sampled_from(SAID.split())


@settings(max_examples=examples(30))
@given(st.one_of(st.lists(WORDS, max_size=4).map(" ".join), st.text(max_size=12)))
def test_any_text_is_a_period_that_has_begun_or_is_unclear(text: str):
    found = read_past(text, NOW, BERLIN)
    assert isinstance(found, Unclear) or (found.start < found.end and found.start <= NOW)
