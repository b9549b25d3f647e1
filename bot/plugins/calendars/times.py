"""The times that calls name: of an event, and of a look at a calendar."""

from datetime import UTC, date, datetime, timedelta

from bot.plugin.dates import zone
from bot.plugin.tools import ToolError


def read_start_and_end(
    start: str, end: str, timezone: str
) -> tuple[datetime | date, datetime | date]:
    """The times of a draft. Raises ToolError naming the field and the remedy."""
    first, last = _read(start, "startTime", timezone), _read(end, "endTime", timezone)
    if isinstance(first, datetime) != isinstance(last, datetime):
        raise ToolError(
            "startTime and endTime: give both with a time, or both as days (2026-12-04)"
        )
    if last <= first:
        more = "" if isinstance(first, datetime) else "; the end of a whole day is the day after it"
        raise ToolError(f"endTime must be after startTime{more}")
    return first, last


def window_of(
    days: int, start: str, end: str, now: datetime, timezone: str
) -> tuple[datetime, datetime]:
    """From `start` (default: now) to `days` later. Raises ToolError."""
    first = read_time(start, "start", timezone) if start else now
    last = read_time(end, "end", timezone) if end else first + timedelta(days=days)
    if last <= first:
        raise ToolError("end must be after start")
    if last - first > timedelta(days=370):
        raise ToolError("start and end must be at most a year apart; look at a part of it")
    return first, last


def read_time(text: str, field: str, timezone: str) -> datetime:
    """A moment; a day counts from midnight in the person's zone. Raises ToolError."""
    found = _read(text, field, timezone)
    return (
        found
        if isinstance(found, datetime)
        else _there(datetime.combine(found, datetime.min.time()), field, timezone)
    )


def _read(text: str, field: str, timezone: str) -> datetime | date:
    try:
        if len(text) == len("2026-12-04"):
            return date.fromisoformat(text)
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ToolError(
            f"{field}: {text[:40]!r} is no ISO time; write 2026-12-04T15:00 (the person's zone), "
            "or with an offset"
        ) from None
    if not 1970 <= found.year <= 2200:
        raise ToolError(f"{field}: the year {found.year} is out of range")
    return found if found.tzinfo is not None else _there(found, field, timezone)


def _there(clock: datetime, field: str, timezone: str) -> datetime:
    moment = clock.replace(tzinfo=zone(timezone))
    if moment.astimezone(UTC).astimezone(moment.tzinfo).replace(tzinfo=None) != clock:
        raise ToolError(
            f"{field}: clocks in {timezone} skip {clock:%H:%M} on {clock:%Y-%m-%d}; take another "
            "time"
        )
    return moment
