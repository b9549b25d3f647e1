"""read_coming: words for a future day, week, month or year, such as `next week`."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.dates.days import read_day
from bot.dates.past import Period, days_from, whole_unit
from bot.dates.phrases import LONGEST
from bot.dates.reading import Day
from bot.dates.vocabulary import FILLER, NEXT, UNITS, folded

_WHOLE = re.compile(
    rf"(?:the |die |der |das |la |le |el |il )?(?:{NEXT} (?P<unit>[a-z]+)|(?P<unit2>[a-z]+) "
    rf"(?:{NEXT}|que viene))"
)
_LONG = frozenset({"week", "month", "year"})


def read_coming(text: str, now: datetime, zone: ZoneInfo) -> Period | None:
    """The next period of that name from `now` on; None if none is clear (en, de, fr, es, it)."""
    if len(text) > LONGEST:
        return None
    phrase = folded(text)
    today = now.astimezone(zone).date()
    for said in dict.fromkeys((phrase, FILLER.sub("", f"{phrase} ").strip(" ,"))):
        match = _WHOLE.fullmatch(said)
        unit = UNITS.get(match["unit"] or match["unit2"]) if match else None
        try:
            if unit in _LONG:
                return whole_unit(
                    unit, whole_unit(unit, today, zone).end.astimezone(zone).date(), zone
                )
            day = read_day(said, today) if said else None
        except (ValueError, OverflowError):
            return None
        if isinstance(day, Day) and today <= day.day <= today + timedelta(days=366):
            return days_from(day.day, 1, zone)
    return None
