"""read_when: the one function that reads a date or time that a person or a model wrote."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.dates.clock_times import ClockTime, split_time
from bot.dates.days import read_day, read_told_day
from bot.dates.reading import Day, Moment, Reading, Unclear, on_clocks
from bot.dates.vocabulary import (
    COUNT,
    FILLER,
    NUMBERS,
    PARTS_OF_DAY,
    PAST,
    UNITS,
    compiled,
    folded,
)

LONGEST = 80
"""Characters; a longer text is no phrase about time."""
LATEST = timedelta(days=365 * 50)
NOT_READ = Unclear("is no date or time that I can read", named=False)
_MIDNIGHT = frozenset({"midnight", "mitternacht", "minuit", "medianoche", "mezzanotte"})

_IN = r"(?:in|within|dans|en|dentro de|tra|fra)"
_UNIT = "|".join(sorted(UNITS, key=len, reverse=True))
_MINUTE = "|".join(name for name, unit in UNITS.items() if unit == "minute")
_SPAN = (
    rf"{_IN}\s+(?:about |ca\. |a (?=couple))?"
    rf"(?:(?P<count>\d{{1,6}}(?:[.,]\d)?|{COUNT})(?:\s+(?:an?|of))?|un')"
    rf"\s*(?P<unit>{_UNIT})"
    rf"(?:(?P<half>\s+(?:and a half|und eine halbe|et demie|y media|e mezza))"
    rf"|\s?(?:and |und |et |y |e )?(?P<minutes>\d{{1,2}})\s?(?:{_MINUTE})|(?P<glued>\d\d))?"
    rf"|(?P<count2>\d{{1,6}}|{COUNT})(?: an?)?\s+(?P<unit2>{_UNIT}) from (?:now|today)"
)
_QUARTERS = (
    rf"{_IN} (?:(?:a|an|einer|un|una) |un')?(?:"
    r"(?P<one>quarter of an hour|viertelstunde|quart d'heure|cuarto de hora|quarto d'ora)"
    r"|three quarters of an hour|dreiviertelstunde|trois quarts d'heure|tres cuartos de hora"
    r"|tre quarti d'ora)"
)


def read_span(phrase: str, now: datetime, zone: ZoneInfo) -> Day | Moment | Unclear | None:
    """`in 2 hours` is a moment, `in 3 days` a day; None when the phrase counts nothing.

    Raises OverflowError beyond the calendar.
    """
    if (quarters := compiled(_QUARTERS).fullmatch(phrase)) is not None:
        return _moment(15 if quarters["one"] else 45, now, zone)
    today = now.astimezone(zone).date()
    if phrase == "in a fortnight":
        return Day(today + timedelta(days=14))
    match = compiled(_SPAN).fullmatch(phrase)
    if match is None:
        return None
    said = match["count"] or match["count2"] or "un"
    count = NUMBERS[said] if said in NUMBERS else float(said.replace(",", "."))
    count += 0.5 if match["half"] else 0
    unit = UNITS[match["unit"] or match["unit2"]]
    more = int(match["minutes"] or match["glued"] or 0)
    if more and (unit != "hour" or more > 59):
        return None
    match unit:
        case "minute" | "hour":
            return _moment(count * (60 if unit == "hour" else 1) + more, now, zone)
        case _ if count != int(count):
            return Unclear("names no whole number of days; give the day")
        case "day" | "week":
            return Day(today + timedelta(days=int(count) * (7 if unit == "week" else 1)))
        case _:
            return Day(_months_later(today, int(count) * (12 if unit == "year" else 1)))


def _moment(minutes: float, now: datetime, zone: ZoneInfo) -> Moment:
    return Moment((now + timedelta(minutes=minutes)).astimezone(UTC), zone.key)


def _months_later(today: date, months: int) -> date:
    """The same day of a later month; the last one of a shorter month. Raises OverflowError."""
    year, month = today.year + (today.month - 1 + months) // 12, (today.month - 1 + months) % 12 + 1
    if year > 9999:
        raise OverflowError
    for day in range(today.day, 0, -1):
        try:
            return date(year, month, day)
        except ValueError:
            continue
    raise OverflowError


def read_when(text: str, now: datetime, zone: ZoneInfo) -> Reading:
    """Read a phrase such as `2026-11-28T15:00`, `tomorrow at 9` or `in 2 hours`.

    Knows en, de, fr, es and it. `now` is aware; days and times are those of `zone`. Nothing is
    guessed: an ambiguous or past time, or one without a day, is `Unclear`. A time of day alone is
    its next occurrence.
    """
    if len(text) > LONGEST:
        return Unclear(f"is longer than {LONGEST} characters; give the date alone", named=False)
    try:
        found = _exact(text.strip(), zone) or _spoken(folded(text), now, zone)
        return _ahead(found, now, zone)
    except OverflowError:
        return Unclear("is further away than any calendar goes")


def says_when(phrase: str, now: datetime) -> bool:
    """Whether a text is a date or time as a whole, clear or not."""
    bare = FILLER.sub("", f"{folded(phrase)} ").strip()
    if bare in PARTS_OF_DAY and bare == folded(phrase):
        return False  # "say good morning"
    if len(bare) <= 3 and not (":" in bare or (bare != folded(phrase) and bare.isdigit())):
        return False  # "enjoy the sun", "buy 9"
    reading = read_when(phrase, now, ZoneInfo("UTC"))
    return not isinstance(reading, Unclear) or reading.named


def _ahead(found: Reading, now: datetime, zone: ZoneInfo) -> Reading:
    match found:
        case Day(day) if day < now.astimezone(zone).date():
            return Unclear(f"is over: that was {found.spoken()}")
        case Moment(at) if at <= now:
            return Unclear(f"is over: that was {found.spoken()}")
        case Day(day) if day > (now + LATEST).date():
            return Unclear("is more than 50 years away")
        case Moment(at) if at > now + LATEST:
            return Unclear("is more than 50 years away")
        case Unclear(choices=choices):
            left = tuple(one for one in choices if not isinstance(_ahead(one, now, zone), Unclear))
            return replace(found, choices=left)
        case _:
            return found


def _exact(text: str, zone: ZoneInfo) -> Reading | None:
    """ISO 8601, as models and programs write it."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        try:
            return Day(date.fromisoformat(text))
        except ValueError:
            return Unclear("names a day that no calendar has")
    if not re.match(r"\d{4}-\d\d-\d\d[T ]\d", text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return NOT_READ
    if moment.tzinfo is not None:
        return Moment(moment.astimezone(UTC), zone.key)
    return on_clocks(moment.date(), moment.time(), zone)


def _spoken(phrase: str, now: datetime, zone: ZoneInfo) -> Reading:
    today = now.astimezone(zone).date()
    for said in dict.fromkeys((phrase, _unfilled(phrase))):
        if (told := read_told_day(said, today)) is not None:
            return told
    if PAST.search(phrase):
        return Unclear("lies in the past")
    if phrase.removeprefix("at ") in _MIDNIGHT:
        return on_clocks(today + timedelta(days=1), time(), zone)
    if (span := read_span(phrase, now, zone)) is not None:
        return span
    try:
        rest, clock = split_time(phrase)
    except ValueError:
        return Unclear("names a time that no clock shows")
    rest = _unfilled(rest)
    if not rest:
        return NOT_READ if clock is None else _next_time(clock, now, zone)
    span = read_span(rest, now, zone)
    day = span if isinstance(span, Day) else read_told_day(rest, today) or read_day(rest, today)
    return NOT_READ if day is None else _at_time(day, clock, now, zone)


def _unfilled(phrase: str) -> str:
    """The phrase without words such as `by the` before it."""
    return FILLER.sub("", f"{phrase} ").strip(" ,")


def _at_time(day: Day | Unclear, clock: ClockTime | None, now: datetime, zone: ZoneInfo) -> Reading:
    if clock is None:
        return day
    if isinstance(day, Day):
        return on_clocks(day.day, clock.at, zone)
    timed = [on_clocks(one.day, clock.at, zone) for one in day.choices if isinstance(one, Day)]
    left = tuple(one for one in timed if one.at > now)
    # Of "friday at 9", said on a Friday at ten, only one reading is left.
    return left[0] if len(left) == 1 and len(timed) > 1 else Unclear(day.why, left)


def _next_time(clock: ClockTime, now: datetime, zone: ZoneInfo) -> Reading:
    """The next time that clocks show it.

    An hour that may be morning or evening is `Unclear`.
    """
    today = now.astimezone(zone).date()
    first = on_clocks(today, clock.at, zone)
    if first.at > now:
        return first
    tomorrow = on_clocks(today + timedelta(days=1), clock.at, zone)
    if clock.sure or clock.at.hour == 0:
        return tomorrow
    tonight = on_clocks(today, time(clock.at.hour % 12 + 12, clock.at.minute), zone)
    if tonight.at <= now:
        return tomorrow
    return Unclear("can be this evening or tomorrow morning", (tonight, tomorrow))
