"""A meeting's date: unlike other dates here, it is usually in the past."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from bot.plugin.clock import format_utc, parse_utc
from bot.plugin.dates import Period, local, parse_due, read_past, stored_day, zone
from bot.plugin.tools import ToolContext, ToolError

_HALF_A_YEAR = timedelta(days=183)
_LONGEST_DAY = timedelta(hours=25)
_TODAY = frozenset({"", "today", "now", "heute", "jetzt", "aujourd'hui", "hoy", "oggi"})


@dataclass(frozen=True)
class MeetingTime:
    """`day` is YYYY-MM-DD in the person's zone; `starts_at` is a moment as tables store it."""

    day: str
    starts_at: str | None = None


async def meeting_time(text: str, context: ToolContext) -> MeetingTime:
    """Read a day or moment; it may be in the past. A day without its year is the nearest one.

    Raises ToolError for words that can't be read.
    """
    today = local(context.now, context.timezone).date()
    if " ".join(text.casefold().split()) in _TODAY:
        return MeetingTime(today.isoformat())
    if stored := _exact(text.strip(), context):
        return _time_of(stored, context)
    over = _over(text, context)
    try:
        found = _time_of(await parse_due(text, "when", context) or today.isoformat(), context)
    except ToolError:
        if over is None:
            raise
        return over
    far = date.fromisoformat(found.day) - today > _HALF_A_YEAR
    return over if over is not None and far else found


def _over(text: str, context: ToolContext) -> MeetingTime | None:
    """A day or moment before now; None for other words, and for a longer time."""
    past = read_past(text, context.now, zone(context.timezone))
    if not isinstance(past, Period) or past.end - past.start > _LONGEST_DAY:
        return None
    day = local(past.start, context.timezone).date().isoformat()
    is_day = past.end - past.start > timedelta(minutes=1)
    return MeetingTime(day, None if is_day else format_utc(past.start))


def _time_of(stored: str, context: ToolContext) -> MeetingTime:
    if stored_day(stored) is not None:
        return MeetingTime(stored)
    return MeetingTime(local(parse_utc(stored), context.timezone).date().isoformat(), stored)


def _exact(text: str, context: ToolContext) -> str | None:
    """A day or moment in ISO 8601; without an offset, the person's zone applies."""
    if stored_day(text) is not None:
        return text
    try:
        moment = datetime.fromisoformat(text)
        return format_utc(
            moment if moment.tzinfo else moment.replace(tzinfo=zone(context.timezone))
        )
    except (ValueError, OverflowError):
        return None
