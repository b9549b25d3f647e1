"""A time or day that a phrase counts from now: `in 2 hours`, `in 1h30`, `in a fortnight`."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.dates.patterns import compiled
from bot.dates.reading import Day, Moment, Unclear
from bot.dates.vocabulary import COUNT, NUMBERS, UNITS

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
