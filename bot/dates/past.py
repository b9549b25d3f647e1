"""read_past: words for a past time, such as `yesterday` or `3 days ago`, as a period."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.dates.clock_times import split_time
from bot.dates.days import read_day
from bot.dates.phrases import LONGEST, NOT_READ
from bot.dates.reading import Day, Unclear, on_clocks
from bot.dates.vocabulary import FILLER, NUMBERS, UNITS, WEEKDAY, WEEKDAYS, compiled, folded

_NAMED = {
    "today": 0,
    "heute": 0,
    "aujourd'hui": 0,
    "hoy": 0,
    "oggi": 0,
    "yesterday": 1,
    "gestern": 1,
    "hier": 1,
    "ayer": 1,
    "ieri": 1,
    "the day before yesterday": 2,
    "day before yesterday": 2,
    "vorgestern": 2,
    "avant-hier": 2,
    "anteayer": 2,
    "l'altro ieri": 2,
    "altroieri": 2,
}
_PARTS = {
    "morning": (5, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 24),
    "fruh": (5, 12), "vormittag": (5, 12), "nachmittag": (12, 18), "abend": (18, 24),
    "matin": (5, 12), "soir": (18, 24),
}  # fmt: skip
"""The start and end hour of each part of a day."""
_TODAYS = {"this": "today", "heute": "heute", "ce": "aujourd'hui", "last": "yesterday"}
_COUNT = "|".join(["[0-9]{1,3}", *sorted(map(re.escape, NUMBERS), key=len, reverse=True)])
_UNIT = "|".join(sorted(UNITS, key=len, reverse=True))
_LAST = r"(?:last|previous|letzte[rnsm]?|vergangene[rnsm]?|vorige[rnsm]?)"
_AFTER = r"(?:dernier|derniere|pasad[oa]|scors[oa])"
_THIS = r"(?:this|current|diese[rnsm]?|ce|cette|est[ae]|quest[ao])"
_WHOLE = (
    rf"(?:(?P<this>{_THIS})|(?P<last>{_LAST}))\s?(?P<unit>{_UNIT})|(?:la |le |el |lo "
    rf")?(?P<unit2>{_UNIT}) {_AFTER}"
)
_SPAN = (
    rf"(?:the |die |den |les |las |los |gli |le "
    rf")?(?:last|past|previous|letzten|vergangenen|derniers|dernieres|ultimos"
    rf"|ultimas|ultimi|ultime) (?P<count>{_COUNT}) (?P<unit>{_UNIT})"
    rf"|(?:the )?past (?P<unit1>{_UNIT})"
    rf"|(?:les )?(?P<count2>{_COUNT}) (?:derniers|dernieres) (?P<unit2>{_UNIT})"
)
_AGO = (
    rf"(?P<count>{_COUNT}) (?P<unit>{_UNIT}) (?:ago|fa)|(?:vor|il y a|hace) "
    rf"(?P<count2>{_COUNT}) (?P<unit2>{_UNIT})"
)
_WEEKEND = re.compile(rf"(?:the )?{_LAST} (?:weekend|wochenende)|le week-end dernier")
_ON_WEEKDAY = rf"(?:(?P<last>{_LAST}) )?(?P<day>{WEEKDAY})(?: (?P<after>{_AFTER}))?"
_PART = re.compile(rf"(?P<day>.+?) (?P<part>{'|'.join(_PARTS)})")
_OF_MONTH = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th|\.)")
_MONTH = re.compile(r"([a-z]{3,10})(?: (?:of |de |del )?(\d{4}))?")
_SINCE = re.compile(r"^(?:since|during|seit|depuis|desde|da|im|en|in)\s+")


@dataclass(frozen=True)
class Period:
    """From `start` up to, not including, `end`; both in UTC."""

    start: datetime
    end: datetime


def read_past(text: str, now: datetime, zone: ZoneInfo) -> Period | Unclear:
    """Read a phrase such as `yesterday`, `on Friday`, `3 days ago` or `March`.

    Knows en, de, fr, es and it. `now` is aware; days are those of `zone`, and weeks begin on
    Monday. Nothing is guessed: an ambiguous, future or missing time is `Unclear`.
    """
    if len(text) > LONGEST:
        return Unclear(f"is longer than {LONGEST} characters; give the time alone", named=False)
    try:
        found = _exact(text.strip(), zone) or _spoken(folded(text), now, zone)
    except (ValueError, OverflowError):
        return Unclear("names a time that no calendar has")
    if isinstance(found, Period) and found.start > now:
        return Unclear("is still to come")
    return found


def _exact(text: str, zone: ZoneInfo) -> Period | None:
    """ISO 8601, as models and programs write it."""
    if not re.match(r"\d{4}-\d\d-\d\d(?:$|[T ]\d)", text):
        return None
    moment = datetime.fromisoformat(text)
    if len(text) == len("2026-11-20"):
        return days_from(moment.date(), 1, zone)
    if moment.tzinfo is None:
        moment = on_clocks(moment.date(), moment.time(), zone).at
    return _minute(moment.astimezone(UTC))


def _spoken(phrase: str, now: datetime, zone: ZoneInfo) -> Period | Unclear:
    today = now.astimezone(zone).date()
    bare = _SINCE.sub("", phrase) if phrase not in _NAMED else phrase
    for said in dict.fromkeys((bare, FILLER.sub("", f"{bare} ").strip(" ,"))):
        for found in (_back(said, now, zone), _part(said, today, zone), _day(said, today, zone)):
            if found is not None:
                return found
    return _at_time(bare, today, zone) or NOT_READ


def _back(said: str, now: datetime, zone: ZoneInfo) -> Period | None:
    """Periods counted back from now: `last week`, `the past 3 days`, `2 hours ago`."""
    today = now.astimezone(zone).date()
    if match := compiled(_WHOLE).fullmatch(said):
        unit = UNITS[match["unit"] or match["unit2"]]
        if unit in {"minute", "hour"}:
            return Period(_ago(now, unit, 1), now.astimezone(UTC))
        return whole_unit(unit, _earlier(today, unit, 0 if match["this"] else 1), zone)
    if _WEEKEND.fullmatch(said):
        return days_from(today - timedelta(days=today.weekday() + 2), 2, zone)
    if match := compiled(_SPAN).fullmatch(said):
        unit = UNITS[match["unit"] or match["unit1"] or match["unit2"]]
        count = _number(match["count"] or match["count2"] or "1")
        if unit in {"minute", "hour"}:
            return Period(_ago(now, unit, count), now.astimezone(UTC))
        return Period(days_from(_earlier(today, unit, count), 1, zone).start, now.astimezone(UTC))
    if match := compiled(_AGO).fullmatch(said):
        unit, count = (
            UNITS[match["unit"] or match["unit2"]],
            _number(match["count"] or match["count2"]),
        )
        if unit in {"minute", "hour"}:
            return _minute(_ago(now, unit, count))
        return whole_unit(unit, _earlier(today, unit, count), zone)
    return None


def _part(said: str, today: date, zone: ZoneInfo) -> Period | None:
    """`yesterday evening`, `this morning`."""
    match = _PART.fullmatch(said)
    if match is None:
        return None
    name = match["day"].removesuffix(" in the").removesuffix(" au")
    day = _day(_TODAYS.get(name, name), today, zone)
    if not isinstance(day, Period) or day.end - day.start > timedelta(hours=25):
        return None
    first, last = _PARTS[match["part"]]
    of = day.start.astimezone(zone).date()
    end = on_clocks(of, time(last), zone).at if last < 24 else day.end
    return Period(on_clocks(of, time(first), zone).at, end)


def _day(said: str, today: date, zone: ZoneInfo) -> Period | Unclear | None:
    """A day, month or year that is named."""
    if said in _NAMED:
        return days_from(today - timedelta(days=_NAMED[said]), 1, zone)
    if match := compiled(_ON_WEEKDAY).fullmatch(said):
        back = (today.weekday() - WEEKDAYS[match["day"]]) % 7
        if back == 0 and not (match["last"] or match["after"]):
            return Unclear("is today or a week ago", (Day(today - timedelta(days=7)), Day(today)))
        return days_from(today - timedelta(days=back or 7), 1, zone)
    if re.fullmatch(r"(?:19|20)\d\d", said):
        return whole_unit("year", date(int(said), 1, 1), zone)
    if match := _OF_MONTH.fullmatch(said):
        of_month = today if int(match[1]) <= today.day else today.replace(day=1) - timedelta(days=1)
        return days_from(of_month.replace(day=int(match[1])), 1, zone)
    if found := _month(said, today, zone):
        return found
    if not any(letter.isdigit() for letter in said):
        return None
    # Read a year earlier, so that the next day of that name is the latest one up to today.
    day = read_day(said, _earlier(today, "year", 1) + timedelta(days=1))
    return days_from(day.day, 1, zone) if isinstance(day, Day) else day


def _month(said: str, today: date, zone: ZoneInfo) -> Period | None:
    match = _MONTH.fullmatch(said)
    if match is None or match[1] in WEEKDAYS or match[1] in UNITS or match[1] in NUMBERS:
        return None
    for year in (int(match[2]),) if match[2] else (today.year, today.year - 1):
        first = read_day(f"1 {match[1]} {year}", today)
        if isinstance(first, Day) and (match[2] or first.day <= today):
            return whole_unit("month", first.day, zone)
    return None


def _at_time(said: str, today: date, zone: ZoneInfo) -> Period | None:
    """`yesterday at 9`: the minute."""
    rest, clock = split_time(said)
    rest = FILLER.sub("", f"{rest} ").strip(" ,")
    if clock is None or not rest:
        return None
    day = _day(rest, today, zone)
    if not isinstance(day, Period) or day.end - day.start > timedelta(hours=25):
        return None
    return _minute(on_clocks(day.start.astimezone(zone).date(), clock.at, zone).at)


def _number(said: str) -> int:
    count = NUMBERS[said] if said in NUMBERS else float(said)
    return max(1, int(count))


def _ago(now: datetime, unit: str, count: int) -> datetime:
    return (now - count * timedelta(minutes=60 if unit == "hour" else 1)).astimezone(UTC)


def _earlier(today: date, unit: str, count: int) -> date:
    """The day this many units earlier; in a shorter month, its last day."""
    if unit in {"day", "week"}:
        return today - timedelta(days=count * (7 if unit == "week" else 1))
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
    first = date(months // 12, months % 12 + 1, 1)
    return first + timedelta(days=min(today.day, (_next_month(first) - first).days) - 1)


def whole_unit(unit: str, day: date, zone: ZoneInfo) -> Period:
    """The day, week, month or year that contains a day."""
    match unit:
        case "week":
            return days_from(day - timedelta(days=day.weekday()), 7, zone)
        case "month":
            first = day.replace(day=1)
            return days_from(first, (_next_month(first) - first).days, zone)
        case "year":
            first = date(day.year, 1, 1)
            return days_from(first, (date(day.year + 1, 1, 1) - first).days, zone)
        case _:
            return days_from(day, 1, zone)


def _next_month(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)


def days_from(first: date, count: int, zone: ZoneInfo) -> Period:
    last = first + timedelta(days=count)
    return Period(on_clocks(first, time(), zone).at, on_clocks(last, time(), zone).at)


def _minute(at: datetime) -> Period:
    return Period(at, at + timedelta(minutes=1))
