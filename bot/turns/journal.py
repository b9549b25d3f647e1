"""The record of one running turn: its finished steps, its pending writes, its end."""

import asyncio
import json
import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.json_types import JsonValue
from bot.domain.step_keys import StepKind, is_step
from bot.domain.turns import Recorded, TurnEnd, Waiting
from bot.errors import ClaimLost, StorageError, TurnError, UnitRejected
from bot.turns import store
from bot.turns.agenda import Agenda
from bot.turns.questions import Steering
from bot.turns.store import Begun, RecordedStep

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Kept:
    """The result of a step that is written with the next unit.

    `soon`: see `domain.turns.Recorded`. `before`: it took no messages, so it need not be written if
    that step's result is stored.
    """

    key: str
    writes: tuple[Write, ...]
    unit: Unit
    soon: bool
    before: str = ""


_INTENT = RecordedStep(done=False)


class Journal:
    """Shared by all handles (scopes) of a turn, from its start to its next pause."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        agenda: Agenda,
        begun: Begun,
        past: dict[str, RecordedStep],
        steering: Steering,
    ) -> None:
        self.begun = begun
        self.session = begun.claim.session
        self.past = past
        """The steps on record, by key."""
        self.stop = begun.stop
        self.end = TurnEnd.DONE
        self.settled = False
        self.asked = False
        self.progressed = asyncio.Event()
        """Set once the turn has got further than earlier failed attempts."""
        self.answered = False
        """Whether a turn that is given up sent its answer: joined messages are then answered."""
        self.clock = clock
        self.agenda = agenda
        self._begins_anew: list[int] = []
        self._before: Begun | None = None
        """`begun` before a stored result reset its attempts; restored if storing fails."""
        self._database = database
        self._steerable = steering.steerable
        self._kept: list[_Kept] = []
        self._stoppable = 0
        self._in_step: dict[str, asyncio.Task[object] | None] = {}

    # --- what runs ---

    @contextmanager
    def inside(self, key: str) -> Generator[None]:
        """Hold this while a step runs. Raises TurnError if it runs already or comes too late."""
        if self.settled and self.end is TurnEnd.DONE:
            raise TurnError(f"step {key} was called after its turn had been finished")
        if key in self._in_step:
            raise TurnError(
                f"step {key} was called while it runs; every step of a turn needs a key of its own"
            )
        self._in_step[key] = asyncio.current_task()
        try:
            yield
        finally:
            del self._in_step[key]

    @contextmanager
    def stoppable(self) -> Generator[None]:
        """See `domain.turns.Turn.stoppable`."""
        self._stoppable += 1
        try:
            yield
        finally:
            self._stoppable -= 1

    @property
    def may_be_cancelled(self) -> bool:
        return self._stoppable > 0

    async def quiet(self, *, cancel: bool) -> None:
        """Wait for all steps that were started beside the one that ended the runner."""
        while tasks := {
            task for task in self._in_step.values() if task is not None and not task.done()
        }:
            if cancel:
                for task in tasks:
                    task.cancel()
            await asyncio.wait(tasks)

    async def waiting(
        self, among: Callable[[Sequence[Waiting]], int] | None
    ) -> list[tuple[int, Waiting]]:
        """Queued messages that may join, and their turns; `among`: see `Turn.take`."""
        if not self.agenda.queued(self.session):
            return []
        found = await store.read_waiting(self._database, self.session, self.clock.now())
        steering = [(turn, waiting) for turn, waiting in found if self._steerable(waiting.body)]
        return (
            steering if among is None else steering[: among([waiting for _, waiting in steering])]
        )

    async def closed_meanwhile(self, key: str) -> JsonValue:
        """The answer to a question that was closed while this attempt was about to ask it.

        Raises CancelledError if it was dropped because a person stopped the turn.
        """
        self.agenda.resume(self.session, self.begun.id)
        past = (await store.read_steps(self._database, self.begun.id)).past.get(key)
        if past is not None and past.done:
            self.past[key] = past
            return past.value
        if self.stop:
            raise asyncio.CancelledError
        raise self._claim_lost()

    # --- the end ---

    async def finish(self, unit: Unit) -> None:
        if self.settled:
            raise TurnError(f"turn {self.begun.id} was finished twice")
        await self.commit(unit, self.settlement(), self.mark_settled)

    def settlement(self) -> Unit:
        settled = store.settle(self.begun, self.end, self.clock.now())
        if self.answered:
            self._begins_anew.clear()
        return (
            settled + Unit.of(store.begin_anew(self._begins_anew)) if self._begins_anew else settled
        )

    async def give_up(self, *, anew: bool = True) -> None:
        """Make the turn end as failed; with `anew`, taken messages get their own turns."""
        self.end = TurnEnd.FAILED
        takes = [
            past.value
            for key, past in self.past.items()
            if past.done and is_step(key, StepKind.STEER)
        ]
        taken = {str(item["key"]) for value in takes for item in value}
        if anew and taken:
            self._begins_anew = await store.read_joined(self._database, self.begun.id, taken)

    def mark_settled(self) -> None:
        """Record that the settlement is committed."""
        self.settled = True
        self.agenda.settled(self.session, self.begun.id)
        for turn in self._begins_anew:
            self.agenda.add(self.session, turn)

    async def put_back(self, *, due: datetime | None = None, error: str | None = None) -> None:
        """Requeue the turn for later, see `store.put_back`."""
        await self._commit_in_any_case(
            lambda: Unit.of(store.put_back(self.begun, due=due, error=error))
        )

    async def end_now(self) -> None:
        """Settle the turn with no further result."""
        await self._commit_in_any_case(self.settlement, self.mark_settled)

    async def _commit_in_any_case(
        self, own: Callable[[], Unit], then: Callable[[], None] | None = None
    ) -> None:
        """Drop results that the database refuses: a turn that can't store them must still end."""
        try:
            await self.commit(Unit(), own(), then)
        except StorageError:
            if not self._kept:
                raise
            log.exception(
                "session=<%s>, turn=<%d> | results that can't be stored are dropped",
                self.session,
                self.begun.id,
            )
            self._kept = []
            await self.commit(Unit(), own(), then)

    # --- writing ---

    def may_wait(self, recorded: Recorded) -> bool:
        """Whether a result may be written later: not while other steps with effects run."""
        if not recorded.soon or len(self._in_step) > 1:
            return False
        return all(write.rows is None for write in recorded.unit.writes)

    def keep(self, key: str, text: str, unit: Unit, *, soon: bool, before: str = "") -> JsonValue:
        """Remember a step's result, and write it with the next unit."""
        past = self.past[key] = RecordedStep(True, json.loads(text))
        writes = (store.put_step(self.begun, key, text),)
        if soon and self._excusable:
            writes += (store.excuse(self.begun.id),)
            self._before = self.begun
            self._excused()
        self._kept.append(_Kept(key, writes, unit, soon, before))
        return past.value

    @property
    def _excusable(self) -> bool:
        """Whether earlier attempts failed; progress of the turn resets their count."""
        return self.begun.attempt > 1 and self.end is TurnEnd.DONE

    def _excused(self) -> None:
        self.begun = replace(self.begun, attempt=1, deaths=0, trial=0)

    async def put(self, key: str, text: str | None, unit: Unit = Unit()) -> JsonValue:
        """Write a step's result, or with None its intent; remember the value."""
        past = _INTENT if text is None else RecordedStep(True, json.loads(text))
        own = Unit.of(store.put_step(self.begun, key, text))
        if progress := text is not None and self._excusable:
            own += Unit.of(store.excuse(self.begun.id))

        def remember() -> None:
            self.past[key] = past
            if progress:
                self._excused()

        await self.commit(unit, own, remember, done=key if text is not None else "")
        return past.value

    async def commit_soon(self) -> None:
        """Write what must be on disk before the next effect (`Recorded.soon`)."""
        if any(kept.soon for kept in self._kept):
            await self.commit(Unit())

    async def commit(
        self,
        unit: Unit,
        own: Unit = Unit(),
        then: Callable[[], None] | None = None,
        *,
        done: str = "",
    ) -> None:
        """Write the deferred results and both of these in one unit; `done`: the finished step.

        Raises ClaimLost when one of our own writes found no row.

        A caller that is cancelled meanwhile still waits for the write, so that memory and journal
        agree.
        """
        task = asyncio.create_task(self._write(own, unit, then, done))
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            if not task.cancelled():
                task.exception()  # retrieved; the caller gets the cancellation
            raise

    async def _write(
        self, own: Unit, unit: Unit, then: Callable[[], None] | None, done: str
    ) -> None:
        kept, self._kept = self._kept, []
        there = {done, *(one.key for one in kept)} - {""}
        needed = [one for one in kept if one.before not in there]
        own = Unit(tuple(write for one in needed for write in one.writes)) + own
        before = own + Unit.joined(one.unit for one in needed)
        try:
            await self._database.write(before + unit)
        except StorageError as error:
            self._kept = kept + self._kept
            self.begun, self._before = self._before or self.begun, None
            if not isinstance(error, UnitRejected):
                raise
            if error.index < len(own.writes):
                raise self._claim_lost() from error
            raise UnitRejected(str(error), error.index - len(before.writes)) from error
        self._before = None
        if then is not None:
            then()
        if self.begun.attempt == 1:
            self.progressed.set()

    def _claim_lost(self) -> ClaimLost:
        return ClaimLost(f"session {self.session} belongs to another process now")
