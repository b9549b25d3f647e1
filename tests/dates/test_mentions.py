"""A time is found in the middle of a sentence, and nothing is guessed."""

import subprocess
import sys
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.dates.mentions import find_times

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
        ("what is planned for next week?", "2026-11-23", "what is planned  ?"),
        ("Was steht nächste Woche an?", "2026-11-23", "Was steht   an?"),
        ("prévu la semaine prochaine", "2026-11-23", "prévu"),
        ("previsto para la próxima semana", "2026-11-23", "previsto"),
        ("who comes tomorrow?", "2026-11-21", "who comes ?"),
        ("上周请了谁", "2026-11-09", "请了谁"),
        ("下周有什么", "2026-11-23", "有什么"),
        ("昨天 做了什么", "2026-11-19", "做了什么"),
        ("the plan of 2026-11-02.", "2026-11-02", "the plan of"),
        ("who came the day before yesterday?", "2026-11-18", "who came  ?"),
        ("chi è venuto l'altro ieri", "2026-11-18", "chi è venuto"),
        ("pagar al final; a finales, fin de mes", "2026-11-30", "pagar al final; a finales,"),
    ],
)
def test_a_time_is_found_in_a_sentence(text: str, begins: str, rest: str):
    found = find_times(text, NOW, ZoneInfo("UTC"))
    assert found is not None
    assert f"{found.periods[0].start:%Y-%m-%d}" == begins
    assert found.rest.split() == rest.split()


@pytest.mark.parametrize(
    "text", ["", "mon chat", "we may meet", "a day in the office", "page 12", "三个月"]
)
def test_text_without_a_past_time_is_left_unchanged(text: str):
    assert find_times(text, NOW, ZoneInfo("UTC")) is None


@pytest.mark.parametrize("text", ["the audit of 3 March", "der Termin am 3. März", "3月3日的审计"])
def test_a_day_of_the_year_is_the_last_one_and_the_next_one(text: str):
    found = find_times(text, NOW, ZoneInfo("UTC"))
    assert found is not None
    days = {f"{one.start:%Y-%m-%d}" for one in found.periods}
    assert days == {"2026-03-03", "2027-03-03"}


def test_dates_in_a_text_count_from_the_day_it_was_said():
    said = find_times("the auditors come tomorrow", NOW, ZoneInfo("UTC"))
    asked = find_times(
        "who was here on 21 November?", datetime(2026, 11, 30, tzinfo=UTC), ZoneInfo("UTC")
    )
    assert said is not None
    assert asked is not None
    assert said.overlaps(asked)
    assert not said.overlaps(find_times("yesterday", NOW, ZoneInfo("UTC")) or said)


def test_words_that_only_look_like_a_time_never_reach_the_library():
    """It takes milliseconds for a phrase, and a search reads hundreds of messages."""
    program = """
import sys
from datetime import UTC, datetime
from zoneinfo import ZoneInfo
from bot.dates.mentions import find_times
nothing = ("two hours of work", "24 heures de route", "die Stunden des Teams", "un año en casa")
for text in nothing:
    assert find_times(text, datetime(2026, 11, 20, tzinfo=UTC), ZoneInfo("UTC")) is None
print("dateparser" in sys.modules)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "False"
