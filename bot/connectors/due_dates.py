"""Due dates as the model gives them, as tables store them, and as the person reads them (ruling 34)."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.clock import format_utc, parse_utc
from bot.domain.tools import ToolContext
from bot.errors import ToolError


def parse_due(text: str, field: str, context: ToolContext) -> str | None:
    """Read a day (`2026-11-28`) or a time (`2026-11-28T15:00`, the person's zone unless it has an offset).

    Gives the form that tables store: the day itself, or the moment in UTC. None for an empty text. Raises ToolError.
    """
    text = text.strip()
    if not text:
        return None
    if (day := _day(text)) is not None:
        return day.isoformat()
    try:
        moment = datetime.fromisoformat(text)
        return format_utc(moment if moment.tzinfo else moment.replace(tzinfo=zone(context.timezone)))
    except (ValueError, OverflowError):
        today = local(context.now, context.timezone)
        raise ToolError(
            f"{field} must be a day like 2026-11-28 or a time like 2026-11-28T15:00, not {text[:40]!r};"
            f" work it out from today, {today:%A} {today:%Y-%m-%d}, and call again"
        ) from None


def show_due(stored: str, timezone: str) -> str:
    """A stored due date for reading: a day as it is, a moment in the person's zone with its offset."""
    if _day(stored) is not None:
        return stored
    return local(parse_utc(stored), timezone).isoformat(timespec="minutes")


def local(moment: datetime, timezone: str) -> datetime:
    try:
        return moment.astimezone(zone(timezone))
    except OverflowError:
        return moment


def zone(name: str) -> ZoneInfo:
    """The zone of that name; UTC when this machine doesn't know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def _day(text: str) -> date | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        return None
