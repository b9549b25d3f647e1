"""A person's bookable times: their hours, less what stands in their calendars."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from bot.plugin.dates import zone

DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY_MINUTES = 24 * 60


@dataclass(frozen=True)
class BookableHours:
    """Days of the week (Monday is 0), from and until minutes after midnight."""

    days: tuple[int, ...] = (0, 1, 2, 3, 4)
    first: int = 9 * 60
    last: int = 17 * 60

    @property
    def text(self) -> str:
        """As `read_hours` reads it: `mon,tue 09:00-17:00`."""
        days = ",".join(DAY_NAMES[day] for day in self.days)
        return f"{days} {_clock(self.first)}-{_clock(self.last)}"


@dataclass(frozen=True)
class SlotRules:
    """What is offered: the hours in a zone, the length, and the pause around events, in minutes."""

    hours: BookableHours
    timezone: str
    length: int
    buffer: int


@dataclass(frozen=True)
class BusyTime:
    """A time in which nothing is free. Both moments are in UTC; `end` is not in it."""

    start: datetime
    end: datetime


def read_hours(text: str) -> BookableHours:
    """`mon-fri 9-17`, `mon,wed 9:30-12:00`. Raises ValueError, in words for a person."""
    days, _, times = text.strip().casefold().partition(" ")
    first, dash, last = times.strip().partition("-")
    if not days or not dash:
        raise ValueError("Write days and times, such as `mon-fri 9-17` or `mon,wed 9:30-12:00`.")
    found = sorted({day for part in days.split(",") for day in _days(part)})
    begins, ends = _minutes(first), _minutes(last)
    if ends <= begins:
        raise ValueError("The last time must be after the first one.")
    return BookableHours(tuple(found), begins, ends)


def _days(part: str) -> Iterable[int]:
    first, dash, last = part.partition("-")
    try:
        begin, end = DAY_NAMES.index(first[:3]), DAY_NAMES.index((last if dash else first)[:3])
    except ValueError:
        raise ValueError(f"Days are {', '.join(DAY_NAMES)}; {part[:20]!r} is none.") from None
    return range(begin, end + 1) if begin <= end else (*range(begin, 7), *range(end + 1))


def _minutes(text: str) -> int:
    hours, colon, minutes = text.strip().partition(":")
    if not (hours.isascii() and hours.isdigit() and len(hours) <= 2):
        raise ValueError(f"{text[:20]!r} is no time; write 9 or 9:30.")
    if colon and not (minutes.isascii() and minutes.isdigit() and len(minutes) == 2):
        raise ValueError(f"{text[:20]!r} is no time; write 9 or 9:30.")
    found = int(hours) * 60 + int(minutes or 0)
    if found > _DAY_MINUTES or int(minutes or 0) > 59:
        raise ValueError(f"{text[:20]!r} is no time; write 9 or 9:30.")
    return found


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def free_slots(
    rules: SlotRules, busy: Sequence[BusyTime], start: datetime, end: datetime
) -> list[datetime]:
    """Moments (UTC) in [start, end) from which on a slot is free."""
    pause = timedelta(minutes=rules.buffer)
    taken = [BusyTime(one.start - pause, one.end + pause) for one in busy]
    length = timedelta(minutes=rules.length)
    return [
        moment
        for moment in _offered(rules, start, end)
        if not any(moment < one.end and one.start < moment + length for one in taken)
    ]


def _offered(rules: SlotRules, start: datetime, end: datetime) -> Iterator[datetime]:
    there = zone(rules.timezone)
    day, last = start.astimezone(there).date(), end.astimezone(there).date()
    while day <= last:
        if day.weekday() in rules.hours.days:
            for minutes in range(
                rules.hours.first, rules.hours.last - rules.length + 1, rules.length
            ):
                wall = datetime.combine(day, time()) + timedelta(minutes=minutes)
                moment = wall.replace(tzinfo=there).astimezone(UTC)
                # Clocks skip some times of the day in spring; these are no moments.
                real = moment.astimezone(there).replace(tzinfo=None) == wall
                if real and start <= moment < end:
                    yield moment
        day += timedelta(days=1)
