"""Finds the turn that crashes the process: suspects of two crashes run alone, one by one.

A crash takes down every running turn, so it says little about each. Only a turn that ran alone is
given up. One that gets further is excused. Commands are still answered meanwhile, because people
ask what is wrong. If the process crashes beside a command, the trial proves nothing, and the next
one answers no commands.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.turns import store
from bot.turns.agenda import Agenda
from bot.turns.attempt import Attempt
from bot.turns.shares import ShareOf, Urgency
from bot.turns.unsettled_store import PROVED_NOTHING, UnsettledTurn

log = logging.getLogger(__name__)

SUSPECT_DEATHS = 2
"""Crashes during a turn, without progress between them, after which it must run alone."""
PATIENCE_S = 30.0
"""Seconds that other turns wait for a suspect; doubled after each further crash."""


@dataclass(eq=False)
class Trials:
    """The suspects in one life of the engine."""

    database: Database
    clock: Clock
    agenda: Agenda
    share_of: ShareOf
    attempts: Collection[str]
    """The sessions with a running turn; call `rested` when one ends."""
    begin: Callable[[UnsettledTurn], tuple[Attempt, asyncio.Task[None]]]
    """Starts a turn alone, and gives its attempt and the task that runs it."""
    over: Callable[[], None]
    """Called when others may start."""

    def __post_init__(self) -> None:
        self._rested = asyncio.Event()
        self.running = False
        self.suspects: deque[UnsettledTurn] = deque()
        """While there are any, no other turn begins. The first runs alone, or is about to."""
        self._now: UnsettledTurn | None = None
        """The suspect that runs; it is the first of `suspects`."""

    @property
    def apart(self) -> bool:
        """Whether not even commands may begin now."""
        return any(one.trial == PROVED_NOTHING for one in self.suspects)

    def line_up(self, found: Sequence[UnsettledTurn]) -> None:
        """Tell the agenda about the last process's work. Suspects are held until they run alone."""
        now, suspects = self.clock.now(), list[UnsettledTurn]()
        known = {one.id for one in self.suspects}
        for work in found:
            due = work.due if work.due is not None and work.due > now else None
            if work.id in known:
                continue
            if _is_suspect(work):
                self.agenda.hold(work.session, work.id)
                suspects.append(work)
            elif work.state == "new":
                self.agenda.add(work.session, work.id, due)
            elif work.state == "waiting" or due is not None:
                self.agenda.hold(work.session, work.id, due)
            else:
                self.agenda.resume(work.session, work.id)
        # Before any command begins.
        self.suspects.extend(sorted(suspects, key=lambda one: one.trial != PROVED_NOTHING))

    def has(self, session: str) -> bool:
        """Whether a suspect of this session waits for its trial."""
        return any(one.session == session and one is not self._now for one in self.suspects)

    def clear(self) -> None:
        """Forget the suspects of an earlier life."""
        self.suspects.clear()

    async def run(self) -> None:
        """Let each suspect run alone."""
        log.warning(
            "turns=<%s> | were there when processes ended; each runs alone now",
            [one.id for one in self.suspects],
        )
        self.running = True
        try:
            while self.suspects and await self._is_alone():
                suspect = self._now = self.suspects[0]
                attempt, task = self.begin(suspect)
                if not await self._ended(suspect, attempt, task):
                    break
                if self.suspects and self.suspects[0] is suspect:
                    self.suspects.popleft()
                self._now = None
        finally:
            self.running = False
            for suspect in self.suspects:  # one took too long: these run without a trial
                if suspect is not self._now:
                    self.agenda.resume(suspect.session, suspect.id)
            self.suspects.clear()
            self._now = None
        self.over()

    def _others_run(self) -> bool:
        """Whether turns run that could cause a crash; commands count only while `apart`."""
        return any(
            self.apart or self.share_of(session).urgency is not Urgency.COMMAND
            for session in self.attempts
        )

    def rested(self) -> None:
        """A turn has ended."""
        self._rested.set()

    async def _is_alone(self) -> bool:
        """Wait until no other turn runs, while no new one is begun; False if it takes too long."""
        if not self._others_run():
            return True
        timer = asyncio.create_task(self.clock.sleep(PATIENCE_S))
        rested = asyncio.create_task(self._until_alone())
        try:
            await asyncio.wait({rested, timer}, return_when=asyncio.FIRST_COMPLETED)
            return rested.done()
        finally:
            rested.cancel()
            timer.cancel()

    async def _until_alone(self) -> None:
        while self._others_run():
            self._rested.clear()
            await self._rested.wait()

    async def _ended(
        self, suspect: UnsettledTurn, attempt: Attempt, task: asyncio.Task[None]
    ) -> bool:
        """Whether the turn rested in its time.

        The last suspect only needs to get further.
        """
        patience = timedelta(seconds=PATIENCE_S) * 2 ** min(suspect.deaths - SUSPECT_DEATHS, 6)
        timer = asyncio.create_task(self.clock.sleep(patience.total_seconds()))
        further = asyncio.create_task(attempt.progressed.wait())
        enough = {task, timer} if len(self.suspects) > 1 else {task, timer, further}
        try:
            await asyncio.wait(enough, return_when=asyncio.FIRST_COMPLETED)
            if not task.done() and not further.done():
                await self.database.write(Unit.of(store.end_trial(suspect.id)))
            return task.done()
        finally:
            timer.cancel()
            further.cancel()


def _is_suspect(work: UnsettledTurn) -> bool:
    """Whether begun work that resumes now has to run alone first.

    Work that died alone is given up instead.
    """
    untried = work.trial in {0, PROVED_NOTHING}
    return work.state == "ready" and work.deaths >= SUSPECT_DEATHS and untried
