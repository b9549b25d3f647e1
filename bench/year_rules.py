"""Schedules and todos of a year, and when each is due: from the rules alone."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock_time
from zoneinfo import ZoneInfo

START = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "America/Santiago",
    "Africa/Casablanca",
    "Asia/Tokyo",
    "Europe/London",
    "Pacific/Auckland",
    "America/Havana",
    "Pacific/Chatham",
)
PEOPLE = 20


# --- what is due when, from the rules alone ---


def moment_of(local: datetime, zone: ZoneInfo) -> datetime:
    """The first minute when the zone's clocks show this time or, if skipped, a later one."""
    first = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if first == local.replace(tzinfo=zone, fold=1).astimezone(UTC):
        return first
    minute = first - timedelta(hours=3)
    while minute.astimezone(zone).replace(tzinfo=None) < local:
        minute += timedelta(minutes=1)
    return minute


@dataclass(frozen=True)
class Repeats:
    """A time of day on every day, on a weekday (0 is Sunday) or on a day of each month."""

    at: clock_time
    zone: str
    weekday: int | None = None
    day: int | None = None

    @property
    def cron(self) -> str:
        day, weekday = ("*" if one is None else one for one in (self.day, self.weekday))
        return f"{self.at.minute} {self.at.hour} {day} * {weekday}"

    def dues(self, end: datetime) -> Iterator[datetime]:
        on, last, zone = (
            START.date() - timedelta(days=1),
            end.date() + timedelta(days=1),
            ZoneInfo(self.zone),
        )
        while on <= last:
            if (
                self._is_on(on)
                and START < (due := moment_of(datetime.combine(on, self.at), zone)) <= end
            ):
                yield due
            on += timedelta(days=1)

    def _is_on(self, on: date) -> bool:
        return (self.weekday is None or on.isoweekday() % 7 == self.weekday) and self.day in {
            None,
            on.day,
        }


@dataclass
class Thing:
    """A schedule or todo by its name; `skips`: it omits what is due while nothing runs."""

    name: str
    owner: int
    dues: list[datetime]
    repeats: Repeats | None = None
    skips: bool = False


def things_of(chance: random.Random, schedules: int, todos_: int, end: datetime) -> list[Thing]:
    def clock() -> clock_time:
        hour = (
            chance.choice((0, 1, 2, 3, 8, 9, 12, 18))
            if chance.random() < 0.7
            else chance.randrange(24)
        )
        return clock_time(hour, chance.choice((0, 0, 15, 30, 45, chance.randrange(60))))

    def repeats(number: int) -> Repeats:
        zone = ZONES[number % len(ZONES)]
        match number % 40:
            case 0:
                return Repeats(clock(), zone)
            case kind if kind < 10:
                return Repeats(clock(), zone, weekday=chance.choice((0, 0, chance.randrange(7))))
            case _:
                return Repeats(clock(), zone, day=chance.randint(1, 31))

    made: list[Thing] = []
    for number in range(schedules):
        rule = repeats(number)
        made.append(Thing(f"S{number}", number % PEOPLE, list(rule.dues(end)), rule, skips=True))
    for number in range(todos_):
        name, owner = f"T{number}", number % PEOPLE
        if number < todos_ // 10:
            rule = repeats(number)
            made.append(Thing(name, owner, list(rule.dues(end)), rule))
        else:
            day = START.date() + timedelta(days=chance.randint(1, (end - START).days - 1))
            zone = ZoneInfo(zone_of(owner))
            made.append(Thing(name, owner, [moment_of(datetime.combine(day, clock()), zone)]))
    return made


# --- the house ---


def zone_of(person: int) -> str:
    return ZONES[person % len(ZONES)]
