"""The schedules of a running engine: one unit submits each tick once and advances its schedule."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.errors import UnitRejected
from bot.turns.schedules import store
from bot.turns.schedules.cron import next_due
from bot.turns.schedules.store import Schedule

log = logging.getLogger(__name__)

GRACE = timedelta(minutes=5)
"""A cron tick missed by no more than this still runs at the start; quick restarts lose none."""


@dataclass(eq=False)
class Timetable:
    """Created by the engine.

    `ticked(session, turn)` is called for each tick, `changed()` when the next due time may differ.

    Ticks have the key `schedule:<id>:<due>` and run in the schedule's session. A one-off that was
    missed while nothing ran is submitted at the start; so is a cron that missed a time within
    `GRACE`, otherwise it skips to its next time. A tick that is due while the previous one still
    runs is folded into that. Each tick has a row in the ledger (`schedule_ticks`).
    """

    database: Database
    clock: Clock
    ticked: Callable[[str, int], None]
    changed: Callable[[], None]

    def __post_init__(self) -> None:
        self._next: datetime | None = None
        self._latest: datetime | None = None
        """The latest time of the clock so far; an earlier time means that it was set back."""
        self._reading = asyncio.Lock()

    async def refresh(self) -> None:
        """Read the schedules again, after another unit wrote them (`schedules.store`)."""
        await self._arrange()
        self.changed()

    async def start(self) -> None:
        """Skip times that a cron missed while nothing ran, except recent ones."""
        await self._correct()
        await self._arrange()

    async def _correct(self) -> None:
        """Correct crons: skip long missed ticks, restore ticks that a wrong clock moved away."""
        now = self.clock.now()
        self._latest = now
        for schedule in await store.read_repeating(self.database):
            if schedule.cron is None or schedule.next_due is None:
                continue
            upcoming = _goes_on(schedule.cron, schedule.zone, schedule.next_due, now)
            if schedule.next_due == upcoming:
                continue
            log.info(
                "schedule=<%d>, was=<%s>, next=<%s> | moved",
                schedule.id,
                schedule.next_due,
                upcoming,
            )
            await self.database.write(Unit.of(store.move_on(schedule, upcoming)))

    def next_due(self) -> datetime | None:
        return self._next

    async def fire(self) -> None:
        """Submit everything that is due now."""
        now = self.clock.now()
        if self._latest is not None and now < self._latest:
            await self._correct()
        self._latest = now
        while due := await store.read_due(self.database, now):
            for schedule in due:
                if schedule.next_due is not None:
                    await self._tick(schedule, schedule.next_due, now)
        await self._arrange()

    async def _tick(self, schedule: Schedule, due: datetime, now: datetime) -> None:
        key = store.tick_key(schedule.id, due)
        following = (
            None if schedule.cron is None else next_due(schedule.cron, schedule.zone, max(now, due))
        )
        move = store.move_on(schedule, following)
        claim = store.claim_tick(schedule, due, key, now)
        try:
            written = await self.database.write(
                Unit.of(move, store.accept_tick(schedule, key, now), claim)
            )
        except UnitRejected as error:
            log.info("schedule=<%d>, due=<%s>, error=<%s> | no tick", schedule.id, due, error)
            if error.index:  # it has already ticked at this moment
                await self.database.write(Unit.of(replace(move, rows=None)))
            return
        if accepted := written.returned[1]:
            self.ticked(schedule.session, int(accepted[0]["id"]))

    async def _arrange(self) -> None:
        async with self._reading:  # so that an older view never replaces a newer one
            self._next = await store.first_due(self.database)


def _goes_on(cron: str, zone: str, due: datetime, now: datetime) -> datetime | None:
    """The next tick of a cron after a start: `due` if it was just missed, else a later one.

    None if its last tick was missed long ago.
    """
    if due > now:
        return next_due(cron, zone, now)
    later = next_due(cron, zone, now - GRACE)
    return None if later is None else max(due, later)
