"""How often, in words."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dates.reading import Day
from bot.dates.repeats import read_repeat, spoken_repeat
from bot.dates.rules import START
from bot.errors import TurnError
from bot.turns.schedules.cron import check_cron, first_due, next_due

WEDNESDAY = datetime(2026, 11, 25, 10, 0)  # noqa: DTZ001 - on the person's clocks


def repeat(phrase: str) -> str | None:
    return read_repeat(phrase, time(9), WEDNESDAY)


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
        ("weekdays 9", "0 9 * * mon-fri"),
        ("weekly on Monday at 8", "0 8 * * mon"),
        ("montags um 9", "0 9 * * mon"),
        ("los lunes a las 9", "0 9 * * mon"),
        ("chaque semaine le lundi à 9h", "0 9 * * mon"),
        ("Monday to Thursday at 10", "0 10 * * mon-thu"),
        ("du lundi au vendredi à 8h30", "30 8 * * mon-fri"),
        ("yearly on 5 March", "0 9 5 3 *"),
        ("jedes Jahr am 5. März um 8", "0 8 5 3 *"),
    ],
)
def test_words_say_how_often(phrase: str, cron: str):
    assert repeat(phrase) == cron
    check_cron(cron)


@pytest.mark.parametrize(
    "phrase",
    [
        "",
        "every",
        "monday",
        "on monday",
        "tomorrow at 9",
        "every other",
        "every 100 days",
        "every 3 months on the 31st",
        "first monday",
        "every 5 hours",
        "every month on the 31st",
    ],
)
def test_nothing_is_guessed(phrase: str):
    assert repeat(phrase) is None


BIWEEKLY = "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"
LAST_DAY = "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1"
LAST_WORKDAY = "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"
FIRST_MONDAY = "RRULE:FREQ=MONTHLY;BYDAY=1MO"


@pytest.mark.parametrize(
    ("phrase", "rule"),
    [
        ("every other Tuesday at 9", f"DTSTART:20261201T090000 {BIWEEKLY}"),
        ("every 2 weeks on Tuesday at 9", f"DTSTART:20261201T090000 {BIWEEKLY}"),
        ("biweekly on Tuesday", f"DTSTART:20261201T090000 {BIWEEKLY}"),
        ("jeden zweiten Dienstag um 9", f"DTSTART:20261201T090000 {BIWEEKLY}"),
        ("alle zwei Wochen am Dienstag", f"DTSTART:20261201T090000 {BIWEEKLY}"),
        ("un mardi sur deux à 9h", f"DTSTART:20261201T090000 {BIWEEKLY}"),
        ("cada dos semanas el martes", f"DTSTART:20261201T090000 {BIWEEKLY}"),
        ("ogni due settimane il martedì", f"DTSTART:20261201T090000 {BIWEEKLY}"),
        ("on the last day of each month", f"DTSTART:20261130T090000 {LAST_DAY}"),
        ("am letzten Tag jedes Monats um 9", f"DTSTART:20261130T090000 {LAST_DAY}"),
        ("le dernier jour de chaque mois", f"DTSTART:20261130T090000 {LAST_DAY}"),
        ("el último día de cada mes", f"DTSTART:20261130T090000 {LAST_DAY}"),
        ("l'ultimo giorno di ogni mese", f"DTSTART:20261130T090000 {LAST_DAY}"),
        ("first Monday of every month at 8", f"DTSTART:20261207T080000 {FIRST_MONDAY}"),
        ("every first Monday of the month at 8", f"DTSTART:20261207T080000 {FIRST_MONDAY}"),
        ("chaque premier lundi du mois à 8h", f"DTSTART:20261207T080000 {FIRST_MONDAY}"),
        ("jeden ersten Montag im Monat", f"DTSTART:20261207T090000 {FIRST_MONDAY}"),
        ("last working day of each month at 16:00", f"DTSTART:20261130T160000 {LAST_WORKDAY}"),
        ("am letzten Werktag jedes Monats um 16", f"DTSTART:20261130T160000 {LAST_WORKDAY}"),
        ("le dernier jour ouvré du mois à 16h", f"DTSTART:20261130T160000 {LAST_WORKDAY}"),
        ("every other day at 7am", "DTSTART:20261126T070000 RRULE:FREQ=DAILY;INTERVAL=2"),
        (
            "every 3 months on the 1st",
            "DTSTART:20261201T090000 RRULE:FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1",
        ),
    ],
)
def test_what_no_cron_says_is_a_rule_that_is_spoken_and_read_again(phrase: str, rule: str):
    assert repeat(phrase) == rule
    check_cron(rule)
    words = spoken_repeat(rule)
    assert words is not None
    assert repeat(words) == rule


def test_a_rule_skips_weeks_from_its_first_time_and_keeps_its_hour_over_a_change_of_clocks():
    rule = repeat("every other Tuesday at 9")
    assert rule is not None
    due, found = datetime(2026, 11, 25, 9, tzinfo=UTC), list[str]()
    for _ in range(10):
        due = next_due(rule, "Europe/Berlin", due)
        assert due is not None
        found.append(f"{due:%m-%d %H:%M}")
    assert found[:2] == ["12-01 08:00", "12-15 08:00"]
    assert found[-2:] == ["03-23 08:00", "04-06 07:00"]


@pytest.mark.parametrize(
    "rule",
    [
        "DTSTART:20261201T090000 RRULE:FREQ=WEEKLY;COUNT=3",
        "DTSTART:20261201T090000 RRULE:FREQ=SECONDLY",
        "DTSTART:20261201T090000",
        "DTSTART:20261301T090000 RRULE:FREQ=DAILY",
        "DTSTART:20261201T090000 RRULE:FREQ=MONTHLY;BYDAY=XX",
    ],
)
def test_a_rule_that_counts_or_is_none_is_refused(rule: str):
    with pytest.raises(TurnError, match="cron: "):
        check_cron(rule)


def test_a_rule_that_never_comes_is_refused():
    with pytest.raises(TurnError, match="not due within nine years"):
        next_due(
            "DTSTART:20261201T090000 RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
            "UTC",
            datetime(2026, 11, 25, tzinfo=UTC),
        )


@given(st.text(max_size=90) | st.from_regex(r"every [a-z0-9 :]{1,30}"))
def test_any_text_gives_a_cron_expression_or_nothing(phrase: str):
    if (cron := repeat(phrase)) is not None:
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
    assert repeat(words) == cron


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


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("RRULE:FREQ=WEEKLY;BYDAY=TU", "DTSTART:20261124T093000 RRULE:FREQ=WEEKLY;BYDAY=TU"),
        (
            "freq=weekly;interval=2;byday=tu;byhour=8;byminute=15",
            "DTSTART:20261201T081500 RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
        ),
        ("FREQ=MONTHLY;BYDAY=-1FR;", "DTSTART:20261127T093000 RRULE:FREQ=MONTHLY;BYDAY=-1FR"),
        ("FREQ=WEEKLY;BYDAY=XX", None),
        ("FREQ=HOURLY", None),
        ("FREQ=DAILY;COUNT=3", "DTSTART:20261124T093000 RRULE:FREQ=DAILY;UNTIL=20261126T235959"),
        (
            "FREQ=DAILY;UNTIL=20261224",
            "DTSTART:20261124T093000 RRULE:FREQ=DAILY;UNTIL=20261224T235959",
        ),
        ("FREQ=DAILY;COUNT=3;UNTIL=20261224", None),
        ("FREQ=DAILY;UNTIL=20261101", None),
        ("FREQ=DAILY;UNTIL=20261224T000000Z", None),
        ("FREQ=DAILY;BYHOUR=25", None),
    ],
)
def test_a_rule_of_icalendar_is_read_as_it_is(text: str, rule: str | None):
    found = read_repeat(text, time(9, 30), datetime(2026, 11, 24, 9))  # noqa: DTZ001 - local
    assert found == rule
    if found is not None:
        check_cron(found)


@pytest.mark.parametrize(
    ("text", "cron"),
    [
        ("every 3rd of may", "0 9 3 5 *"),
        ("jeden 3. mai", "0 9 3 5 *"),
        ("chaque 14 juillet", "0 9 14 7 *"),
        ("cada 6 de enero", "0 9 6 1 *"),
        ("ogni 25 dicembre", "0 9 25 12 *"),
        ("every may 3", "0 9 3 5 *"),
        ("every march", None),
        ("every 31 april", None),
    ],
)
def test_a_day_of_the_year_comes_each_year(text: str, cron: str | None):
    assert read_repeat(text, time(9), datetime(2026, 11, 24, 9)) == cron  # noqa: DTZ001 - local


@pytest.mark.parametrize(
    ("phrase", "parts", "last"),
    [
        ("weekdays 9 until 31 May", "WEEKLY;BYDAY=MO,TU,WE,TH,FR", "20270531"),
        ("every Monday, 5 times", "WEEKLY;BYDAY=MO", "20261228"),
        ("every other Tuesday at 9 until 2027-03-01", "WEEKLY;INTERVAL=2;BYDAY=TU", "20270301"),
        ("every day until Friday", "DAILY", "20261127"),
        ("every month on the last day 3 times", "MONTHLY;BYMONTHDAY=-1", "20270131"),
        ("jeden Montag bis 3. Mai", "WEEKLY;BYDAY=MO", "20270503"),
        ("jeden Tag 10 mal", "DAILY", "20261204"),
        ("tous les lundis jusqu'au 3 mai", "WEEKLY;BYDAY=MO", "20270503"),
        ("cada lunes hasta el 3 de mayo", "WEEKLY;BYDAY=MO", "20270503"),
        ("ogni lunedì fino al 3 maggio", "WEEKLY;BYDAY=MO", "20270503"),
    ],
)
def test_a_repetition_can_end(phrase: str, parts: str, last: str):
    rule = read_repeat(phrase, time(9), datetime(2026, 11, 24, 10))  # noqa: DTZ001 - local
    assert rule is not None
    assert rule.partition(" RRULE:FREQ=")[2] == f"{parts};UNTIL={last}T235959"
    words = spoken_repeat(rule)
    assert words is not None
    assert read_repeat(words, time(9), datetime(2026, 11, 24, 10)) == rule  # noqa: DTZ001 - local


@pytest.mark.parametrize(
    "phrase",
    [
        "every day from 9 until 17",
        "daily until 17:30",
        "täglich bis 17 Uhr",
        "every hour until Friday",
        "every day until yesterday",
        "every day until we are done",
        "every Monday, 0 times",
    ],
)
def test_an_end_is_not_guessed(phrase: str):
    assert repeat(phrase) is None


def test_a_rule_that_ends_is_over_after_its_last_time():
    rule = repeat("every day at 9, 3 times")
    assert rule is not None
    due, found = datetime(2026, 11, 1, tzinfo=UTC), list[datetime]()
    while (following := next_due(rule, "Europe/Berlin", due)) is not None:
        found.append(due := following)
    assert len(found) == 3
    with pytest.raises(TurnError, match="over already"):
        first_due(rule, "Europe/Berlin", due, timedelta(minutes=15))


IN_EACH = {
    "en": ("every Monday and Friday", "every month on the first Sunday", "working day", " at "),
    "de": ("jeden Montag und Freitag", "jeden Monat am ersten Sonntag", "Arbeitstag", " um "),
    "fr": ("chaque lundi et vendredi", "chaque mois, le premier dimanche", "jour ouvré", " à "),
    "es": ("cada lunes y viernes", "cada mes, el primer domingo", "día laborable", " a las "),
    "it": ("ogni lunedì e venerdì", "ogni mese, la prima domenica", "giorno lavorativo", " alle "),
}


@pytest.mark.parametrize("language", IN_EACH)
def test_repetitions_are_told_in_the_languages_that_people_read(language: str):
    cron, sunday, working_day, at = IN_EACH[language]
    assert spoken_repeat("0 9 * * mon,fri", language) == f"{cron}{at}09:00"
    rule = f"{START}20261206T183000 RRULE:FREQ=MONTHLY;BYDAY=1SU"
    assert spoken_repeat(rule, language) == f"{sunday}{at}18:30"
    said = spoken_repeat(f"{START}20261201T183000 {LAST_WORKDAY}", language)
    assert said is not None
    assert said.endswith(f"{working_day}{at}18:30")


def test_days_are_told_in_the_languages_that_people_read():
    first = Day(date(2027, 3, 1))
    assert [first.spoken(language) for language in IN_EACH] == [
        "Monday 1 March 2027",
        "Montag, 1. März 2027",
        "lundi 1er mars 2027",
        "lunes, 1 de marzo de 2027",
        "lunedì 1 marzo 2027",
    ]
