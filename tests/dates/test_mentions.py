"""A time that is over is found in the middle of a sentence, and nothing is guessed."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.dates.mentions import find_past

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)  # a Friday


@pytest.mark.parametrize(
    ("text", "begins", "rest"),
    [
        ("what did I say last week about tea?", "2026-11-09", "what did I say   about tea?"),
        ("who wrote yesterday?", "2026-11-19", "who wrote  ?"),
        ("was habe ich gestern über Tee gesagt", "2026-11-19", "was habe ich   über Tee gesagt"),
        ("budget de la semaine dernière", "2026-11-09", "budget"),
        ("qué dije ayer sobre el té", "2026-11-19", "qué dije   sobre el té"),
        ("la settimana scorsa ho detto", "2026-11-09", "ho detto"),
        ("what was decided in March 2026?", "2026-03-01", "what was decided   ?"),
        ("the plan of 2026-11-02.", "2026-11-02", "the plan of"),
    ],
)
def test_a_time_is_found_in_a_sentence(text: str, begins: str, rest: str):
    found = find_past(text, NOW, ZoneInfo("UTC"))
    assert found is not None
    assert f"{found.period.start:%Y-%m-%d}" == begins
    assert found.rest.split() == rest.split()


@pytest.mark.parametrize("text", ["", "mon chat", "we may meet", "a day in the office", "next week", "page 12"])
def test_what_names_no_time_that_is_over_is_left_as_it_is(text: str):
    assert find_past(text, NOW, ZoneInfo("UTC")) is None
