"""Figures of the whole house for a monitor, read from its tables when somebody looks.

Nothing is counted while requests run. Figures of turns, models and tools are those of today, of
all processes that share the database; they begin anew at midnight, as a counter may.
"""

import asyncio
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta

from bot.agents.cycle_log.store import newest_event, replies_behind
from bot.domain.health import Health
from bot.errors import StorageError
from bot.sessions.inbox.platforms import Checkup
from bot.tools.budget.usage import Meter
from bot.tools.budget.usage_store import DayOfUse, use_of
from bot.turns.record_store import AT_ONCE, SettledTurn, oldest_waiting, settled_since

BOUNDS_S = (1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0)
"""Upper ends of the classes in which answers are counted."""
_LATE = timedelta(seconds=5)
"""A commit may become visible this much after the moment that it names."""
_LATE_EVENTS = 200
"""Events may become visible in another order than that of their ids, within so many."""


@dataclass(frozen=True)
class Turns:
    """Today's turns."""

    done: int = 0
    failed: int = 0
    classes: Sequence[int] = ()
    """Answers by `BOUNDS_S`, and those above."""
    seconds: float = 0.0


@dataclass(frozen=True)
class Figures:
    """Everything that a monitor gets; without `use` the database did not answer."""

    health: Health
    turns: Turns = Turns()
    use: DayOfUse | None = None
    failed_model_calls: int = 0
    """Since this process first looked."""
    oldest_waiting_s: float = 0.0


@dataclass
class _Day:
    """The turns of a day as far as they were read."""

    day: str
    since: datetime
    seen: dict[int, datetime] = field(default_factory=dict[int, datetime])
    """Turns near the end of what was read, which the next look finds again."""
    done: int = 0
    failed: int = 0
    classes: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_S) + 1))
    seconds: float = 0.0

    def add(self, turns: Sequence[SettledTurn]) -> None:
        for turn in turns:
            if turn.id in self.seen:
                continue
            self.seen[turn.id] = turn.settled_at
            self.failed += turn.failed
            self.done += not turn.failed
            if turn.seconds is not None:
                self.classes[bisect_left(BOUNDS_S, turn.seconds)] += 1
                self.seconds += turn.seconds

    def forget_before(self, moment: datetime) -> None:
        self.since = max(self.since, moment)
        self.seen = {turn: at for turn, at in self.seen.items() if at >= self.since}

    @property
    def turns(self) -> Turns:
        return Turns(self.done, self.failed, tuple(self.classes), self.seconds)


class HouseFigures:
    """Reads the figures; what earlier looks have read is not read again."""

    def __init__(self, checkup: Checkup, meter: Meter) -> None:
        self._checkup, self._meter = checkup, meter
        self._database, self._clock = checkup.database, checkup.clock
        self._one_at_a_time = asyncio.Lock()
        self._day: _Day | None = None
        self._event: int | None = None
        self._replies: set[int] = set()
        self._failed_model_calls = 0

    async def look(self) -> Figures:
        async with self._one_at_a_time:
            health = await self._checkup.look()
            if not health.database_ok:
                return Figures(health)
            try:
                return await self._read(health)
            except StorageError:  # it failed since, and the next look says so in the log
                return Figures(health)

    async def _read(self, health: Health) -> Figures:
        now = self._clock.now()
        day = await self._turns(now)
        await self._model_calls()
        waiting = await oldest_waiting(self._database, now)
        return Figures(
            health,
            day.turns,
            await use_of(self._database, day.day),
            self._failed_model_calls,
            0.0 if waiting is None else max((now - waiting).total_seconds(), 0.0),
        )

    async def _turns(self, now: datetime) -> _Day:
        if self._day is None or self._day.day != self._meter.day():
            local = now.astimezone(self._meter.zone)
            begin = datetime.combine(local.date(), time(), self._meter.zone)
            self._day = _Day(self._meter.day(), begin)
        day = self._day
        while True:
            turns = await settled_since(self._database, day.since)
            day.add(turns)
            if len(turns) < AT_ONCE or turns[-1].settled_at == day.since:
                break
            day.forget_before(turns[-1].settled_at)
        day.forget_before(now - _LATE)
        return day

    async def _model_calls(self) -> None:
        newest = await newest_event(self._database)
        first = self._event is None or newest < self._event  # a damaged log began anew
        if first:
            self._event, self._replies = newest, set()
        behind = max((self._event or 0) - _LATE_EVENTS, 0)
        while replies := await replies_behind(self._database, behind):
            new = [failed for event, failed in replies if event not in self._replies]
            self._failed_model_calls += 0 if first else sum(new)
            self._replies.update(event for event, _ in replies)
            behind = replies[-1][0]
        self._event = max(newest, behind)
        self._replies = {one for one in self._replies if one > self._event - _LATE_EVENTS}
