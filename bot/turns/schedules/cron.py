"""The next due time of a cron expression or rule, in a zone with daylight saving.

A rule is what `bot.dates.rules` makes of words that no cron says. See docs/rules.md#time.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from croniter import croniter
from croniter.croniter import CroniterError

from bot.dates.rules import end_of, is_rule, next_time
from bot.errors import TurnError

LEAST_MINUTES = 15
"""A repeating schedule is due no more often: each run costs model calls that nobody asked for."""
MOST_OF_A_PERSON = 30
"""Schedules of one person at a time, and as many todos that wake by themselves."""


TICKS_LOOKED_AT = 50
"""The number of future times that show how frequent a cron is."""
_MINUTE = timedelta(minutes=1)
_ANY_TIME = datetime(2026, 1, 1)  # noqa: DTZ001 - local, as the times of a rule are


def next_due(cron: str, zone: str, after: datetime) -> datetime | None:
    """The first moment after `after` (aware) when `cron` is due in `zone`, in UTC.

    `cron` has five fields, or is a rule. None once a rule that ends is over.

    A local time that daylight saving skips is due at the next valid minute. One that occurs twice
    is due the first time only. Raises TurnError, naming the field, for a wrong expression or zone,
    and for an expression that is never due.
    """
    check_cron(cron)
    place = find_zone(zone)
    after = after.astimezone(UTC)
    local = after.astimezone(place).replace(tzinfo=None)
    if is_rule(cron):
        while (found := _next_of_rule(cron, local)) is not None:
            if (due := _first_moment(found, place)) > after:
                return due
            local = found
        if end_of(cron) is not None:
            return None
        raise TurnError(f"cron: {cron!r} is not due within nine years; check its day and month")
    try:
        # On naive local times: across a change of the clocks, croniter's own arithmetic repeats
        # and skips times.
        times = croniter(cron, local)
        while True:
            due = _first_moment(times.get_next(datetime), place)
            if due > after:
                return due
    except CroniterError as error:
        raise TurnError(f"cron: {cron!r} is never due; check its day and month") from error


def first_due(cron: str, zone: str, after: datetime, least: timedelta) -> datetime:
    """Like `next_due`, with a limit on how often a cron is due.

    Also raises TurnError for a cron that is due more often than every `least`, and for one that is
    over.
    """
    due = first = next_due(cron, zone, after)
    if due is None or first is None:
        raise TurnError(f"cron: {cron!r} is over already; give a later end")
    for _ in range(TICKS_LOOKED_AT):
        following = next_due(cron, zone, due)
        if following is None:
            break
        if following - due < least:
            minutes = round(least / _MINUTE)
            raise TurnError(
                f"cron: {cron!r} is due more often than every {minutes} minutes, the most that is "
                "allowed here"
            )
        due = following
    return first


def check_cron(cron: str) -> None:
    """Raises TurnError unless `cron` has five fields (minute to weekday), or is a rule."""
    if is_rule(cron):
        _next_of_rule(cron, _ANY_TIME)
        return
    if len(cron.split()) != 5 or not croniter.is_valid(cron) or _is_random(cron):
        raise TurnError(
            f"cron: {cron!r} is not a cron expression; give five fields (minute hour day month "
            "weekday), for example 30 9 * * mon-fri, words such as every other tuesday at 9, or a "
            "rule such as FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1"
        )


def _next_of_rule(rule: str, after: datetime) -> datetime | None:
    try:
        return next_time(rule, after)
    except ValueError as error:
        raise TurnError(f"cron: {error}; say it in words, such as every other tuesday") from error


def find_zone(zone: str) -> ZoneInfo:
    """Raises TurnError for a name that isn't in the time-zone database."""
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise TurnError(
            f"{zone!r} is not a time zone; give a name such as Europe/Berlin or UTC"
        ) from error


def _is_random(cron: str) -> bool:
    """Whether croniter would choose a random time (`R`, `H`); Bellhop must know each tick."""
    return any(field[:1].lower() in {"r", "h"} for field in cron.split())


def _first_moment(local: datetime, zone: ZoneInfo) -> datetime:
    """The moment when clocks in `zone` first show `local`, or the next minute that exists."""
    while True:
        moment = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
        if moment.astimezone(zone).replace(tzinfo=None) == local:
            return moment
        local = (local + _MINUTE).replace(second=0, microsecond=0)
