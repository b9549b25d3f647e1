"""One attempt at a turn: begins it, lets the runner work, and records how that ended."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Apologise, Recorded, RunTurn, Suspended, TurnEnd
from bot.errors import ClaimLost, StorageError, UnitRejected, UnreadableWork
from bot.turns import store
from bot.turns.agenda import Agenda
from bot.turns.crowd import AGAIN_S, Shortage, shortage_in
from bot.turns.journal import Journal, JournalTurn, Then
from bot.turns.questions import Steering
from bot.turns.slots import Slots
from bot.turns.store import Begun, Steps

log = logging.getLogger(__name__)

ATTEMPTS = 3
"""Failed attempts after which a turn is given up with an apology."""
APOLOGIES = 3
"""Attempts at that apology before the turn is settled without one."""
RETRY_S = (1.0, 5.0)
"""Seconds before the second attempt, and before each later one."""
_DIED_ALONE = 2
"""The first value of `Begun.trial` that means: a process ended while this turn ran alone."""
_APOLOGY = step_key(StepKind.ENGINE, "apology")
PROCESS_ENDED = "the process ended while this turn ran"


@dataclass(frozen=True)
class Works:
    """Shared by all attempts of a running engine."""

    database: Database
    clock: Clock
    agenda: Agenda
    slots: Slots
    shortage: Shortage
    owner: str
    steering: Steering
    run_turn: RunTurn
    apologise: Apologise


@dataclass(eq=False, repr=False)
class Attempt:
    """Runs a turn until it is settled, waits, is requeued, or is given up."""

    works: Works
    session: str
    id: int
    """0 while the turn's acceptance, in the unit that begins it, is not committed yet."""
    fresh: bool
    """Whether the turn was never begun."""
    alone: bool = False
    """Whether no other turn runs, so that a crash of the process is the fault of this turn."""
    progressed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the turn has got further than earlier failed attempts."""
    _journal: Journal | None = None
    _runner: asyncio.Task[None] | None = None
    _stop: bool = False
    _leaving: bool = False
    _short: bool = False
    """Whether the machine lacked a resource for this attempt."""

    async def run(self, begun: Begun | None = None) -> None:
        """Run it; `begun` if it was begun with its acceptance. Never cancel this: call `leave`.

        Raises ClaimLost, StorageError, or whatever ends the process.
        """
        begun = begun or await self._begin()
        if begun is None:
            self.works.agenda.settled(self.session, self.id)
        else:
            await self._work(begun)
        shortage = self.works.shortage
        if shortage.turns and not self._short:
            shortage.got_on(self.id)

    async def _work(self, begun: Begun) -> None:
        works = self.works
        steps = Steps({}) if self.fresh else await store.read_steps(works.database, self.id)
        reason = _given_up(begun, steps)
        journal = Journal(
            works.database, works.clock, works.agenda, begun, steps.past, works.steering
        )
        turn = JournalTurn(journal, works.slots)
        journal.stop = journal.stop or self._stop
        journal.progressed = self.progressed
        self._journal = journal
        if self._leaving:
            await _put_back(journal)
        elif reason:
            await self._give_up(journal, turn, reason)
        else:
            await self._watch(journal, partial(works.run_turn, turn))

    def mark_stop(self) -> None:
        """Note that a person stops the turn; call `cancel_for_stop` once that is durable."""
        self._stop = True
        if self._journal is not None:
            self._journal.stop = True

    def cancel_for_stop(self) -> None:
        """Cancel only where the runner allows it; elsewhere the runner checks `stop_requested`."""
        journal = self._journal
        if self._runner is not None and journal is not None and journal.stoppable_parts:
            self._runner.cancel()

    def leave(self) -> None:
        """End now, because the process stops; the next process continues the turn."""
        self._leaving = True
        if self._runner is not None:
            self._runner.cancel()

    async def _begin(self) -> Begun | None:
        owner = self.works.owner
        try:
            written = await self.works.database.write(
                store.begin(self.id, self.session, owner, alone=self.alone)
            )
        except UnitRejected as error:
            raise ClaimLost(f"session {self.session} belongs to another process now") from error
        return store.read_begun(written.returned, self.id, self.session, owner)

    async def _watch(self, journal: Journal, work: Callable[[], Awaitable[None]]) -> None:
        """Run `work` in its own task, so that a cancellation never interrupts the bookkeeping."""
        runner = self._runner = asyncio.create_task(_awaited(work), name=f"runner-{self.id}")
        await asyncio.wait([runner])
        self._runner = None
        error = asyncio.CancelledError() if runner.cancelled() else runner.exception()
        if journal.in_step:
            await journal.quiet(cancel=self._leaving or journal.stop)
        if error is None and not journal.settled:
            try:
                await journal.finish(Unit())
            except StorageError as refused:
                error = refused
        if error is not None:
            await self._ended(journal, error)

    async def _ended(self, journal: Journal, error: BaseException) -> None:
        """Handle an error of the runner: record in the journal how the turn continues."""
        if isinstance(error, ClaimLost) or not isinstance(
            error, Exception | asyncio.CancelledError | Suspended
        ):
            raise error
        if journal.settled:
            log.error(
                "session=<%s>, turn=<%d> | error after the end",
                self.session,
                self.id,
                exc_info=error,
            )
        elif isinstance(error, Suspended) and journal.asked:
            return
        elif journal.stop:
            await _end_now(journal)
        elif isinstance(error, asyncio.CancelledError) and self._leaving:
            await _put_back(journal)
        else:
            await self._failed(journal, error)

    async def _failed(self, journal: Journal, error: BaseException) -> None:
        failures = journal.begun.failures + 1
        if what := shortage_in(error):
            self.works.shortage.met(journal.begun, what, error)
            self._short = True
            await self._try_later(journal, AGAIN_S, None)
            return
        log.error(
            "session=<%s>, turn=<%d>, failures=<%d> | failed",
            self.session,
            self.id,
            failures,
            exc_info=error,
        )
        text = f"{type(error).__name__}: {error}"
        if isinstance(error, UnreadableWork) and journal.end is TurnEnd.DONE:
            await self._give_up(journal, JournalTurn(journal, self.works.slots), text)
            return
        if failures == ATTEMPTS:
            await _put_back(journal, error=text)
            self.works.agenda.resume(self.session, self.id)
            return
        wait = RETRY_S[min(failures, len(RETRY_S)) - 1]
        await self._try_later(
            journal, wait, text if failures < ATTEMPTS else journal.begun.error or text
        )

    async def _try_later(self, journal: Journal, seconds: float, error: str | None) -> None:
        due = self.works.clock.now() + timedelta(seconds=seconds)
        await _put_back(journal, due=due, error=error)
        self.works.agenda.hold(self.session, self.id, due)

    async def _give_up(self, journal: Journal, turn: JournalTurn, reason: str) -> None:
        begun = journal.begun
        silent = (
            journal.stop
            or begun.failures >= ATTEMPTS + APOLOGIES
            or begun.trial > _DIED_ALONE + APOLOGIES
        )
        how = "given up in silence" if silent else "given up"
        log.error(
            "session=<%s>, turn=<%d>, ref=<%s>, error=<%s> | %s",
            self.session, self.id, turn.ref, reason, how,
        )  # fmt: skip
        await journal.give_up(anew=not journal.stop)
        if silent:
            await _end_now(journal)
            return
        await self._watch(journal, partial(self._apologise, journal, turn, reason))

    async def _apologise(self, journal: Journal, turn: JournalTurn, reason: str) -> None:
        """Apologise as a step, and settle the turn as failed in the unit of that step."""

        async def said() -> Recorded:
            await self.works.apologise(turn, reason)
            return Recorded(None, Unit() if journal.settled else journal.settlement())

        await turn.step(_APOLOGY, said)
        journal.mark_settled()


def _given_up(begun: Begun, steps: Steps) -> str:
    """Why a turn is not retried; empty when it may be."""
    if begun.unreadable:
        return begun.unreadable
    if steps.unreadable:
        return f"what it did can't be read any more (step {steps.unreadable[0]})"
    if begun.trial >= _DIED_ALONE or (begun.attempt > ATTEMPTS and begun.failures >= ATTEMPTS):
        return begun.error or PROCESS_ENDED
    return ""


async def _put_back(
    journal: Journal, *, due: datetime | None = None, error: str | None = None
) -> None:
    """Requeue the turn for later, see `store.put_back`."""
    await _commit_in_any_case(
        journal, lambda: Unit.of(store.put_back(journal.begun, due=due, error=error))
    )


async def _end_now(journal: Journal) -> None:
    """Settle the turn with no further result."""
    await _commit_in_any_case(journal, journal.settlement, journal.mark_settled)


async def _commit_in_any_case(journal: Journal, own: Callable[[], Unit], then: Then = None) -> None:
    """Drop results that the database refuses: a turn that can't store them must still end."""
    try:
        await journal.commit(Unit(), own(), then)
    except StorageError:
        if not journal.kept:
            raise
        log.exception(
            "session=<%s>, turn=<%d> | results that can't be stored are dropped",
            journal.session, journal.begun.id,
        )  # fmt: skip
        journal.kept = []
        await journal.commit(Unit(), own(), then)


async def _awaited(work: Callable[[], Awaitable[None]]) -> None:
    await work()
