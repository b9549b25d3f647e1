"""Dates and times as people write them: readings, questions back, and no invented year."""

import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.dates.phrases import LONGEST, read_when
from bot.dates.reading import Day, Moment, Reading, Unclear

BERLIN = ZoneInfo("Europe/Berlin")
WEDNESDAY = datetime(2026, 11, 25, 9, 0, tzinfo=UTC)
"""10:00 in Berlin."""


def read(phrase: str, now: datetime = WEDNESDAY, zone: ZoneInfo = BERLIN) -> Reading:
    return read_when(phrase, now, zone)


def written(reading: Reading) -> str | list[str]:
    match reading:
        case Day() | Moment():
            return reading.written
        case Unclear(choices=choices):
            return [choice.written for choice in choices]


DAYS = {
    "2026-11-28": "2026-11-28",
    "friday": "2026-11-27",
    "Friday.": "2026-11-27",
    "by friday": "2026-11-27",
    "this friday": "2026-11-27",
    "next monday": "2026-11-30",
    "nächsten Montag": "2026-11-30",
    "lundi prochain": "2026-11-30",
    "el lunes que viene": "2026-11-30",
    "tomorrow": "2026-11-26",
    "the day after tomorrow": "2026-11-27",
    "übermorgen": "2026-11-27",
    "uebermorgen": "2026-11-27",
    "après-demain": "2026-11-27",
    "pasado mañana": "2026-11-27",
    "dopodomani": "2026-11-27",
    "in 3 days": "2026-11-28",
    "in a week": "2026-12-02",
    "in zwei Wochen": "2026-12-09",
    "dans 3 jours": "2026-11-28",
    "en 3 días": "2026-11-28",
    "tra 3 giorni": "2026-11-28",
    "in 3 months": "2027-02-25",
    "one week from now": "2026-12-02",
    "end of month": "2026-11-30",
    "end of next month": "2026-12-31",
    "Ende des Monats": "2026-11-30",
    "fin de mois": "2026-11-30",
    "fin de mes": "2026-11-30",
    "fine del mese": "2026-11-30",
    "end of the year": "2026-12-31",
    "the 5th": "2026-12-05",
    "the 30th": "2026-11-30",
    "5 December": "2026-12-05",
    "December 5th, 2027": "2027-12-05",
    "1st of March": "2027-03-01",
    "1er mars": "2027-03-01",
    "1 de marzo de 2028": "2028-03-01",
    "am 5. Dezember": "2026-12-05",
    "5.12.": "2026-12-05",
    "5.12.26": "2026-12-05",
    "31/12": "2026-12-31",
    "Saturday, 5 December": "2026-12-05",
    "29 February": "2028-02-29",
    "5 декабря": "2026-12-05",
    "amanhã": "2026-11-26",
    "Friday next week": "2026-12-04",
    "next week on Monday": "2026-11-30",
    "Freitag nächster Woche": "2026-12-04",
    "nächste Woche Freitag": "2026-12-04",
    "vendredi de la semaine prochaine": "2026-12-04",
    "el viernes de la semana que viene": "2026-12-04",
    "venerdì della settimana prossima": "2026-12-04",
    "the week after next on Tuesday": "2026-12-08",
    "mid next week": "2026-12-02",
    "a week from Friday": "2026-12-04",
    "Friday week": "2026-12-04",
    "2 weeks from Monday": "2026-12-14",
    "lundi en huit": "2026-12-07",
    "domani a otto": "2026-12-03",
    "in a fortnight": "2026-12-09",
    "first Monday in December": "2026-12-07",
    "first working day in February": "2027-02-01",
    "last working day of the month": "2026-11-30",
    "third business day of August 2027": "2027-08-04",
    "letzter Arbeitstag im Januar": "2027-01-29",
    "premier jour ouvré de février": "2027-02-01",
    "último día laborable de mayo": "2027-05-31",
    "primo giorno lavorativo di maggio": "2027-05-03",
    "letzter Freitag im Monat": "2026-11-27",
    "troisième jeudi de janvier": "2027-01-21",
    "segundo martes del mes que viene": "2026-12-08",
    "l'ultimo giorno del mese": "2026-11-30",
    "the 10th of next month": "2026-12-10",
    "mid December": "2026-12-15",
    "Anfang Januar": "2027-01-01",
    "EOM": "2026-11-30",
    "Christmas Eve": "2026-12-24",
    "New Year's Day 2028": "2028-01-01",
    "zweiter Weihnachtstag": "2026-12-26",
    "Ostermontag": "2027-03-29",
    "lundi de Pentecôte": "2027-05-17",
    "Viernes Santo": "2027-03-26",
    "3 days before Christmas": "2026-12-22",
    "am Tag nach Ostern": "2027-03-29",
}
MOMENTS = {
    "2026-11-28T15:00": "2026-11-28T15:00+01:00",
    "2026-11-28T15:00Z": "2026-11-28T16:00+01:00",
    "in 2 hours": "2026-11-25T12:00+01:00",
    "in half an hour": "2026-11-25T10:30+01:00",
    "in 1,5 Stunden": "2026-11-25T11:30+01:00",
    "dans 2 heures": "2026-11-25T12:00+01:00",
    "in 10 minutes": "2026-11-25T10:10+01:00",
    "tomorrow at 9": "2026-11-26T09:00+01:00",
    "tomorrow 9": "2026-11-26T09:00+01:00",
    "3pm tomorrow": "2026-11-26T15:00+01:00",
    "übermorgen um 8": "2026-11-27T08:00+01:00",
    "morgen früh": "2026-11-26T09:00+01:00",
    "demain à 9h30": "2026-11-26T09:30+01:00",
    "mañana a las 9": "2026-11-26T09:00+01:00",
    "lunedì alle 15": "2026-11-30T15:00+01:00",
    "friday at 3pm": "2026-11-27T15:00+01:00",
    "monday 9:30": "2026-11-30T09:30+01:00",
    "monday morning at 10": "2026-11-30T10:00+01:00",
    "friday evening at 7": "2026-11-27T19:00+01:00",
    "tomorrow at 7 in the evening": "2026-11-26T19:00+01:00",
    "tonight": "2026-11-25T20:00+01:00",
    "tonight at 8": "2026-11-25T20:00+01:00",
    "heute um 18:30 Uhr": "2026-11-25T18:30+01:00",
    "tomorrow at nine": "2026-11-26T09:00+01:00",
    "tomorrow at seven in the evening": "2026-11-26T19:00+01:00",
    "friday at nine pm": "2026-11-27T21:00+01:00",
    "morgen um neun Uhr": "2026-11-26T09:00+01:00",
    "demain à neuf heures": "2026-11-26T09:00+01:00",
    "mañana a las nueve": "2026-11-26T09:00+01:00",
    "domani alle nove": "2026-11-26T09:00+01:00",
    "tomorrow noon": "2026-11-26T12:00+01:00",
    "midnight": "2026-11-26T00:00+01:00",
    "in 2 days at 5pm": "2026-11-27T17:00+01:00",
    "5 December at 17:00": "2026-12-05T17:00+01:00",
    "am 5. Dezember um 17 Uhr": "2026-12-05T17:00+01:00",
    "at 11": "2026-11-25T11:00+01:00",
    "9am": "2026-11-26T09:00+01:00",
    "20:00": "2026-11-25T20:00+01:00",
    "wednesday at 9": "2026-12-02T09:00+01:00",
    "Friday next week at 3pm": "2026-12-04T15:00+01:00",
    "first thing Monday": "2026-11-30T09:00+01:00",
    "lunes a primera hora": "2026-11-30T09:00+01:00",
    "EOD": "2026-11-25T17:00+01:00",
    "by EOD Friday": "2026-11-27T17:00+01:00",
    "morgen bis Feierabend": "2026-11-26T17:00+01:00",
    "Christmas Eve at 4pm": "2026-12-24T16:00+01:00",
    "vendredi soir à 20h": "2026-11-27T20:00+01:00",
    "demain à neuf heures et demie": "2026-11-26T09:30+01:00",
    "mañana a las seis menos cuarto de la tarde": "2026-11-26T17:45+01:00",
    "9.30am on friday": "2026-11-27T09:30+01:00",
    "in 1h30": "2026-11-25T11:30+01:00",
    "in anderthalb Stunden": "2026-11-25T11:30+01:00",
    "dans un quart d'heure": "2026-11-25T10:15+01:00",
    "in 1 hour and 30 minutes": "2026-11-25T11:30+01:00",
}
ASKED_BACK = {
    "early next week": ["2026-11-30", "2026-12-01"],
    "Ende nächster Woche": ["2026-12-04", "2026-12-06"],
    "this weekend": ["2026-11-28", "2026-11-29"],
    "next weekend": ["2026-11-28", "2026-12-05"],
    "early December": ["2026-12-01", "2026-12-07"],
    "monday in two weeks": ["2026-12-07", "2026-12-14"],
    "le réveillon": ["2026-12-24", "2026-12-31"],
    "first monday of the month": [],
    "fifth friday in december": [],
    "in 2 days 30": [],
    "EOW": ["2026-11-27", "2026-11-29"],
    "next friday": ["2026-11-27", "2026-12-04"],
    "vendredi prochain à 14h": ["2026-11-27T14:00+01:00", "2026-12-04T14:00+01:00"],
    "wednesday": ["2026-11-25", "2026-12-02"],
    "wednesday at 11": ["2026-11-25T11:00+01:00", "2026-12-02T11:00+01:00"],
    "12/05": ["2027-05-12", "2026-12-05"],
    "at 9": ["2026-11-25T21:00+01:00", "2026-11-26T09:00+01:00"],
    "half past nine": ["2026-11-25T21:30+01:00", "2026-11-26T09:30+01:00"],
    "next week": ["2026-11-30", "2026-12-04"],
    "end of the week": ["2026-11-27", "2026-11-29"],
    "Friday 5 December 2026": ["2026-12-05"],
    "next month": [],
    "yesterday": [],
    "last friday": [],
    "vor 3 Tagen": [],
    "2025-12-05": [],
    "dec 5, 2025": [],
    "today at 9am": [],
    "31 February": [],
    "at 25:00": [],
    "13pm": [],
    "in 99999 years": [],
    "2026-02-30": [],
    "2026-11-28T15:00+99:00": [],
    "March": [],
    "by sept": [],
    "at nine": ["2026-11-25T21:00+01:00", "2026-11-26T09:00+01:00"],
    "every monday": [],
    "friday 13": [],
    "banana": [],
    "": [],
    "x" * 5000: [],
}


@pytest.mark.parametrize(("phrase", "day"), DAYS.items())
def test_a_day_is_read(phrase: str, day: str):
    assert read(phrase) == Day(date.fromisoformat(day))


@pytest.mark.parametrize(("phrase", "moment"), MOMENTS.items())
def test_a_time_is_read_in_the_persons_zone(phrase: str, moment: str):
    reading = read(phrase)
    assert isinstance(reading, Moment)
    assert reading.written == moment


@pytest.mark.parametrize(
    ("phrase", "choices"), ASKED_BACK.items(), ids=lambda value: str(value)[:30]
)
def test_ambiguous_past_and_unreadable_phrases_are_asked_back(phrase: str, choices: list[str]):
    reading = read(phrase)
    assert isinstance(reading, Unclear)
    assert written(reading) == choices


def test_a_reading_is_said_back_with_weekday_date_and_zone():
    assert read("tomorrow at 9") == Moment(datetime(2026, 11, 26, 8, tzinfo=UTC), "Europe/Berlin")
    spoken = [
        found.spoken()
        for found in (read("tomorrow at 9"), read("friday"))
        if not isinstance(found, Unclear)
    ]
    assert spoken == ["Thursday 26 November 2026, 09:00 (Europe/Berlin)", "Friday 27 November 2026"]


def test_a_time_that_the_clocks_skip_is_the_next_one_and_that_is_said():
    reading = read("28 March 2027 at 2:30")
    assert isinstance(reading, Moment)
    assert reading.local.time() == time(3, 0)
    assert "the clocks skip" in reading.spoken()


def test_a_time_that_occurs_twice_means_the_first():
    reading = read("31 October 2027 at 2:30")
    assert isinstance(reading, Moment)
    assert reading.at == datetime(2027, 10, 31, 0, 30, tzinfo=UTC)


def test_today_is_the_persons_today_and_not_that_of_the_machine():
    late = datetime(2026, 11, 25, 23, 30, tzinfo=UTC)
    assert read("tomorrow", late, ZoneInfo("Asia/Tokyo")) == Day(date(2026, 11, 27))
    assert read("tomorrow", late, ZoneInfo("America/New_York")) == Day(date(2026, 11, 26))


WORDS = st.sampled_from(
    (  # noqa: SIM905 - words are easier to read in lines
        "next this the in at on by end of half past a an two 3 9 31 2026 2027 12:30 5.12. 3pm day "
        "week month hours"
        " tomorrow tonight friday monday december march may noon morning"
        " nächsten am um in übermorgen freitag dezember uhr stunden wochen ende des monats früh "
        "halb"
        " prochain à demain vendredi décembre heures jours fin du mois matin"
        " próximo a las mañana viernes diciembre horas días fin de mes por la"
        " prossimo alle domani venerdì dicembre ore giorni fine del mese di sera"
    ).split()
)
NOWS = st.integers(0, 6 * 365 * 24 * 60).map(
    lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)
ZONES = st.sampled_from(
    ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia"]
).map(ZoneInfo)


@given(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), NOWS, ZONES)
@example("the 31", datetime(2026, 12, 31, 23, 59, tzinfo=UTC), ZoneInfo("Pacific/Apia"))
def test_phrases_in_five_languages_are_read_ahead_of_now_or_asked_back(
    phrase: str, now: datetime, zone: ZoneInfo
):
    reading = read_when(phrase, now, zone)
    match reading:
        case Unclear():
            return
        case Day(day):
            assert day >= now.astimezone(zone).date()
            year = day.year
        case Moment(at):
            assert at > now
            year = at.astimezone(zone).year
    said = {int(found) for found in re.findall(r"\b\d{4}\b", phrase)}
    assert said <= {year}, "a year that was said is the year that is read"
    if not said and not re.search(
        r"month|mois|mes|year|29|31|week|woche|wochen|jours|days|días|giorni", phrase
    ):
        assert year - now.astimezone(zone).year in {0, 1}


@given(st.text(max_size=LONGEST + 20), NOWS, ZONES)
def test_no_text_breaks_the_reader(text: str, now: datetime, zone: ZoneInfo):
    assert isinstance(read_when(text, now, zone), Day | Moment | Unclear)


@given(st.dates(date(2026, 11, 26), date(2075, 1, 1)), st.times(), ZONES)
def test_what_is_written_is_read_again(day: date, clock: time, zone: ZoneInfo):
    exact = f"{day.isoformat()}T{clock:%H:%M}"
    reading = read_when(exact, WEDNESDAY, zone)
    assert isinstance(reading, Moment)
    assert read_when(reading.written, WEDNESDAY, zone) == Moment(reading.at, reading.zone)
    assert abs(reading.local.replace(tzinfo=None) - datetime.fromisoformat(exact)) <= timedelta(
        hours=24
    )
