"""A meeting's date: unlike other dates here, it is usually in the past."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.plugin.clock import format_utc, parse_utc
from bot.plugin.dates import local, parse_due, stored_day, zone
from bot.plugin.tools import ToolContext

_YESTERDAY = frozenset({"yesterday", "gestern", "hier", "ayer", "ieri"})
_TODAY = frozenset({"", "today", "now", "heute", "jetzt", "aujourd'hui", "hoy", "oggi"})


@dataclass(frozen=True)
class MeetingTime:
    """`day` is YYYY-MM-DD in the person's zone; `starts_at` is a moment as tables store it."""

    day: str
    starts_at: str | None = None


async def meeting_time(text: str, context: ToolContext) -> MeetingTime:
    """Read a day or moment; it may be in the past.

    Raises ToolError for words that can't be read.
    """
    said = " ".join(text.casefold().split())
    today = local(context.now, context.timezone).date()
    if said in _TODAY:
        return MeetingTime(today.isoformat())
    if said in _YESTERDAY:
        return MeetingTime((today - timedelta(days=1)).isoformat())
    stored = _exact(text.strip(), context) or await parse_due(text, "when", context)
    if stored is None or stored_day(stored) is not None:
        return MeetingTime(stored or today.isoformat())
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
