"""The schedules of a running engine: each tick is submitted once, in one unit with moving its schedule on."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from bot.clock import format_utc
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.json_types import JsonObject
from bot.errors import UnitRejected
from bot.turns import store as turns
from bot.turns.schedules import store
from bot.turns.schedules.cron import next_due
from bot.turns.schedules.store import Schedule

log = logging.getLogger(__name__)


class Timetable:
    """Made by the engine. `ticked(session, turn)` is told of each tick, `changed()` when the next one may be another.

    Ticks have the key `schedule:<id>:<due>` and run in the schedule's session. Missed while nothing ran: a one-off
    comes once at the start, cron skips to its next time.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        ticked: Callable[[str, int], None],
        changed: Callable[[], None],
    ) -> None:
        self._database = database
        self._clock = clock
        self._ticked = ticked
        self._changed = changed
        self._pending: dict[int, Schedule] = {}
        self._next: datetime | None = None
        self._reading = asyncio.Lock()

    # --- for people who schedule --------------------------------------------------------------------------

    async def at(self, session: str, body: JsonObject, due: datetime, unit: Unit = Unit()) -> int:
        """Submit `body` once at `due` (aware); returns the schedule's id."""
        return await self._insert(store.insert(session, body, None, "UTC", due, self._clock.now()), unit)

    async def cron(self, session: str, body: JsonObject, cron: str, zone: str, unit: Unit = Unit()) -> int:
        """Submit `body` whenever `cron` is due in `zone`; returns the schedule's id. Raises TurnError."""
        now = self._clock.now()
        return await self._insert(store.insert(session, body, cron, zone, next_due(cron, zone, now), now), unit)

    async def all(self) -> list[Schedule]:
        return await store.read_all(self._database)

    async def pause(self, schedule: int) -> bool:
        """False when there is no such schedule, or nothing will come of it any more."""
        return await self._change(store.pause(schedule))

    async def resume(self, schedule: int) -> bool:
        """What was missed while it was paused is treated as after a start."""
        found = await store.read(self._database, schedule)
        if found is None or found.next_due is None:
            return False
        return await self._change(store.resume(schedule, self._upcoming(found, found.next_due)))

    async def cancel(self, schedule: int) -> bool:
        return await self._change(store.remove(schedule))

    async def refresh(self) -> None:
        """Read the schedules again, after somebody wrote them in a unit of their own (`schedules.store`)."""
        await self._arrange()
        self._changed()

    # --- for the engine -----------------------------------------------------------------------------------

    async def start(self) -> None:
        """Skip what cron missed while nothing ran."""
        schedules = await store.read_all(self._database)
        for schedule in schedules:
            due = schedule.next_due
            if due is None or schedule.paused or (upcoming := self._upcoming(schedule, due)) == due:
                continue
            log.info("schedule=<%d>, missed=<%s>, next=<%s> | skipped", schedule.id, due, upcoming)
            await self._database.write(Unit.of(store.move_on(schedule, upcoming)))
        await self._arrange()

    def next_due(self) -> datetime | None:
        return self._next

    async def fire(self) -> None:
        """Submit everything that is due now."""
        now = self._clock.now()
        for schedule in list(self._pending.values()):
            if schedule.next_due is not None and schedule.next_due <= now:
                await self._tick(schedule, schedule.next_due, now)
        await self._arrange()

    async def _tick(self, schedule: Schedule, due: datetime, now: datetime) -> None:
        key = f"schedule:{schedule.id}:{format_utc(due)}"
        following = None if schedule.cron is None else next_due(schedule.cron, schedule.zone, max(now, due))
        accepted = turns.accept(schedule.session, key, turns.to_json(schedule.body, key), None, now)
        try:
            written = await self._database.write(Unit.of(store.move_on(schedule, following), accepted))
        except UnitRejected as error:
            log.info("schedule=<%d>, due=<%s>, error=<%s> | no tick", schedule.id, due, error)
            if error.index:  # it has ticked at this moment before
                await self._database.write(Unit.of(replace(store.move_on(schedule, following), rows=None)))
            return
        self._ticked(schedule.session, int(written.returned[1][0]["id"]))

    def _upcoming(self, schedule: Schedule, due: datetime) -> datetime:
        now = self._clock.now()
        if schedule.cron is None or due >= now:
            return due
        return next_due(schedule.cron, schedule.zone, now)

    async def _insert(self, write: Write, unit: Unit) -> int:
        written = await self._database.write(Unit.of(write) + unit)
        await self.refresh()
        return int(written.returned[0][0]["id"])

    async def _change(self, write: Write) -> bool:
        written = await self._database.write(Unit.of(write))
        await self.refresh()
        return bool(written.returned[0])

    async def _arrange(self) -> None:
        async with self._reading:  # so that an older picture never replaces a newer one
            schedules = await store.read_all(self._database)
            self._pending = {item.id: item for item in schedules if item.next_due is not None and not item.paused}
            self._next = min((item.next_due for item in self._pending.values() if item.next_due), default=None)
