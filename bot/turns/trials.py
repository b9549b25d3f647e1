"""Finds the turn that ends processes: who was there at two deaths runs alone, one at a time, before anything else.

A process that ends takes every turn with it that runs, so a death says little about each of them. Only a turn that runs
alone while its process ends is given up. One that gets further is excused.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.turns import store
from bot.turns.agenda import Agenda
from bot.turns.attempt import Attempt
from bot.turns.store import OpenWork

log = logging.getLogger(__name__)

SUSPECT_DEATHS = 2
"""Processes that end while a turn runs, and gets no further, before it runs alone."""
PATIENCE_S = 30.0
"""Seconds that everybody waits for a suspect; twice as long after each further death."""


def line_up(agenda: Agenda, found: Sequence[OpenWork], now: datetime) -> deque[OpenWork]:
    """Tell the agenda of what the last process left. Gives the suspects, which are held for now."""
    suspects: deque[OpenWork] = deque()
    for work in found:
        due = work.due if work.due is not None and work.due > now else None
        if _is_suspect(work):
            agenda.hold(work.session, work.id)
            suspects.append(work)
        elif work.state == "new":
            agenda.add(work.session, work.id, due)
        elif work.state == "waiting" or due is not None:
            agenda.hold(work.session, work.id, due)
        else:
            agenda.resume(work.session, work.id)
    return suspects


def _is_suspect(work: OpenWork) -> bool:
    """Whether begun work that goes on now has to run alone first. What died alone is given up instead."""
    return work.state == "ready" and work.deaths >= SUSPECT_DEATHS and work.trial == 0


class Trials:
    """The suspects of one life of the engine."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        agenda: Agenda,
        begin: Callable[[OpenWork], tuple[Attempt, asyncio.Task[None]]],
    ) -> None:
        """`begin` starts a turn alone and gives its attempt and the task that runs it."""
        self._database = database
        self._clock = clock
        self._agenda = agenda
        self._begin = begin
        self.left: deque[OpenWork] = deque()
        """Those that have not run yet."""
        self.running = False

    async def run(self) -> None:
        """Let each suspect run alone. Returns when others may start."""
        log.warning("turns=<%s> | were there when processes ended; each runs alone now", [one.id for one in self.left])
        self.running = True
        try:
            while self.left:
                suspect = self.left.popleft()
                attempt, task = self._begin(suspect)
                if not await self._ended(suspect, attempt, task):
                    break
        finally:
            for suspect in self.left:  # one took too long: these do without
                self._agenda.resume(suspect.session, suspect.id)
            self.left.clear()
            self.running = False

    async def _ended(self, suspect: OpenWork, attempt: Attempt, task: asyncio.Task[None]) -> bool:
        """Whether the turn came to rest in its time. The last one needs only show that it gets further."""
        patience = timedelta(seconds=PATIENCE_S) * 2 ** min(suspect.deaths - SUSPECT_DEATHS, 6)
        timer = asyncio.create_task(self._clock.sleep(patience.total_seconds()))
        further = asyncio.create_task(attempt.progressed.wait())
        enough = {task, timer} if self.left else {task, timer, further}
        try:
            await asyncio.wait(enough, return_when=asyncio.FIRST_COMPLETED)
            if not task.done() and not further.done():
                await self._database.write(Unit.of(store.end_trial(suspect.id)))
            return task.done()
        finally:
            timer.cancel()
            further.cancel()
