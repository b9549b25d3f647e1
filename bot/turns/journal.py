"""One running turn: its record of steps and pending writes, and the handle of its runner."""

import asyncio
import json
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, WriteResult
from bot.domain.json_types import JsonValue
from bot.domain.step_keys import StepKind, in_scope, is_step, step_key
from bot.domain.turns import (
    Answer,
    OutcomeUnknown,
    Question,
    Recorded,
    StepFunction,
    Suspended,
    TurnEnd,
    Waiting,
)
from bot.errors import ClaimLost, StorageError, TurnError, UnitRejected
from bot.turns import question_store, store
from bot.turns.agenda import Agenda
from bot.turns.questions import Steering
from bot.turns.refs import make_ref
from bot.turns.slots import Slots
from bot.turns.store import Begun, RecordedStep, StepText, to_json

Then: TypeAlias = Callable[[], None] | None
"""What follows a committed write, also where the caller was cancelled meanwhile."""


@dataclass(frozen=True)
class _Kept:
    """The result of a step that is written with the next unit.

    `soon`: see `domain.turns.Recorded`. `before`: it took no messages, so it need not be written if
    that step's result is stored.
    """

    key: str
    text: str
    unit: Unit
    excuse: Unit
    soon: bool
    before: str = ""


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
        self.settled = self.asked = False
        self.progressed = asyncio.Event()
        """Set once the turn has got further than earlier failed attempts."""
        self.answered = False
        """Whether a turn that is given up sent its answer: joined messages are then answered."""
        self.clock, self.agenda = clock, agenda
        self._begins_anew: list[int] = []
        self._before: Begun | None = None
        """`begun` before a stored result reset its attempts; restored if storing fails."""
        self._database = database
        self._steerable = steering.steerable
        self.kept: list[_Kept] = []
        """Results that are written with the next unit."""
        self.stoppable_parts = 0
        """How many parts of the runner are at a point where a stop cancels them."""
        self.in_step: dict[str, asyncio.Task[object] | None] = {}
        """The steps that run, by key, and their tasks."""

    # --- what runs ---

    @contextmanager
    def inside(self, key: str) -> Generator[None]:
        """Hold this while a step runs. Raises TurnError if it runs already or comes too late."""
        if self.settled and self.end is TurnEnd.DONE:
            raise TurnError(f"step {key} was called after its turn had been finished")
        if key in self.in_step:
            raise TurnError(
                f"step {key} was called while it runs; every step of a turn needs a key of its own"
            )
        self.in_step[key] = asyncio.current_task()
        try:
            yield
        finally:
            del self.in_step[key]

    @contextmanager
    def stoppable(self) -> Generator[None]:
        """See `domain.turns.Turn.stoppable`."""
        self.stoppable_parts += 1
        try:
            yield
        finally:
            self.stoppable_parts -= 1

    async def quiet(self, *, cancel: bool) -> None:
        """Wait for `in_step`: they were started beside the one that ended the runner."""
        while tasks := {
            task for task in self.in_step.values() if task is not None and not task.done()
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
        return steering[: among([waiting for _, waiting in steering])] if among else steering

    async def ask(self, key: str, question: Question) -> RecordedStep:
        """Ask in this step and raise Suspended; returns it if it was answered meanwhile.

        Raises CancelledError if a person stopped the turn.
        """
        if self.stop:
            raise asyncio.CancelledError
        self.asked = True
        # Set first: an answer may come once the write is committed, and must find the session held.
        self.agenda.hold(self.session, self.begun.id)
        try:
            if key in self.past:
                await self.commit(question_store.ask_again(self.begun, key))
            else:
                self.agenda.asked.add((question.conversation, question.person))
                await self.put(key, None, question_store.ask(self.begun, question, key))
        except UnitRejected:
            self.agenda.resume(self.session, self.begun.id)
            stored = (await store.read_steps(self._database, self.begun.id)).past.get(key)
            if stored is not None and stored.done:
                self.past[key] = stored
                return stored
            if self.stop:
                raise asyncio.CancelledError from None
            raise self._claim_lost() from None
        raise Suspended

    # --- the end ---

    async def finish(self, unit: Unit) -> WriteResult:
        if self.settled:
            raise TurnError(f"turn {self.begun.id} was finished twice")
        return await self.commit(unit, self.settlement(), self.mark_settled)

    def settlement(self) -> Unit:
        now = self.clock.now()
        writes = [store.settle(self.begun, self.end, now)]
        if self.in_step or not all(past.done for past in self.past.values()):
            # Only a step without a result can have an open question.
            writes.append(question_store.drop_questions(self.begun.id, now))
        if self.answered:
            self._begins_anew.clear()
        if self._begins_anew:
            writes.append(store.begin_anew(self._begins_anew))
        return Unit(tuple(writes))

    async def give_up(self, *, anew: bool = True) -> None:
        """Make the turn end as failed; with `anew`, taken messages get their own turns."""
        self.end = TurnEnd.FAILED
        taken = {
            str(item["key"])
            for key, past in self.past.items()
            if past.done and is_step(key, StepKind.STEER)
            for item in past.value
        }
        if anew and taken:
            self._begins_anew = await store.read_joined(self._database, self.begun.id, taken)

    def mark_settled(self) -> None:
        """Record that the settlement is committed."""
        self.settled = True
        self.agenda.settled(self.session, self.begun.id)
        for turn in self._begins_anew:
            self.agenda.add(self.session, turn)

    # --- writing ---

    def may_wait(self, recorded: Recorded) -> bool:
        """Whether a result may be written later: not while other steps with effects run."""
        if not recorded.soon or len(self.in_step) > 1:
            return False
        return all(write.rows is None for write in recorded.unit.writes)

    def keep(self, key: str, text: str, unit: Unit, *, soon: bool, before: str = "") -> JsonValue:
        """Remember a step's result, and write it with the next unit."""
        past = self.past[key] = RecordedStep(True, json.loads(text))
        excuse = Unit()
        if soon and self._excusable:
            excuse = Unit.of(store.excuse(self.begun.id))
            self._before, self.begun = self.begun, self.begun.excused()
        self.kept.append(_Kept(key, text, unit, excuse, soon, before))
        return past.value

    @property
    def _excusable(self) -> bool:
        """Whether earlier attempts failed; progress of the turn resets their count."""
        return self.begun.attempt > 1 and self.end is TurnEnd.DONE

    async def put(self, key: str, text: str | None, unit: Unit = Unit()) -> JsonValue:
        """Write a step's result, or with None its intent; remember the value."""
        past = RecordedStep(False) if text is None else RecordedStep(True, json.loads(text))
        progress = past.done and self._excusable
        own = Unit.of(store.excuse(self.begun.id)) if progress else Unit()

        def remember() -> None:
            self.past[key] = past
            if progress:
                self.begun = self.begun.excused()

        await self.commit(unit, own, remember, (key, text))
        return past.value

    async def commit_soon(self) -> None:
        """Write what must be on disk before the next effect (`Recorded.soon`)."""
        if any(kept.soon for kept in self.kept):
            await self.commit(Unit())

    async def commit(
        self, unit: Unit, own: Unit = Unit(), then: Then = None, *steps: StepText
    ) -> WriteResult:
        """Write the deferred results, these steps and both units in one.

        Returns the rows of `unit`. A cancelled caller still waits for the write, so that memory and
        journal agree. Raises ClaimLost when one of our own writes found no row.
        """
        task = asyncio.create_task(self._write(own, unit, then, *steps))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            if not task.cancelled():
                task.exception()  # retrieved; the caller gets the cancellation
            raise

    async def _write(self, own: Unit, unit: Unit, then: Then, *steps: StepText) -> WriteResult:
        kept, self.kept = self.kept, []
        there = {one.key for one in kept} | {key for key, text in steps if text is not None}
        needed = [one for one in kept if one.before not in there]
        all_steps = [*((one.key, one.text) for one in needed), *steps]
        excuses = (write for one in needed for write in one.excuse.writes)
        writes = (*store.put_steps(self.begun, all_steps), *excuses, *own.writes)
        kept_with = tuple(write for one in needed for write in one.unit.writes)
        before = len(writes) + len(kept_with)
        try:
            written = await self._database.write(Unit((*writes, *kept_with, *unit.writes)))
        except StorageError as error:
            self.kept = kept + self.kept
            self.begun, self._before = self._before or self.begun, None
            if not isinstance(error, UnitRejected):
                raise
            if error.index < len(writes):
                raise self._claim_lost() from error
            raise UnitRejected(str(error), error.index - before) from error
        self._before = None
        if then is not None:
            then()
        if self.begun.attempt == 1:
            self.progressed.set()
        return WriteResult(written.returned[before:])

    def _claim_lost(self) -> ClaimLost:
        return ClaimLost(f"session {self.session} belongs to another process now")


class JournalTurn:
    """Implements `domain.turns.Turn`. The scopes of a turn share its journal."""

    def __init__(self, journal: Journal, slots: Slots, prefix: str = "") -> None:
        begun = journal.begun
        self.id = begun.id
        self.session = begun.claim.session
        self.key, self.body = begun.key, begun.body
        self.ref = make_ref("t", begun.id)
        self.prefix = prefix
        self.stoppable = journal.stoppable
        self.away = partial(slots.away, self.session)
        self._journal, self._slots = journal, slots

    @property
    def attempt(self) -> int:
        return self._journal.begun.attempt

    @property
    def stop_requested(self) -> bool:
        return self._journal.stop

    def scope(self, prefix: str) -> "JournalTurn":
        return JournalTurn(self._journal, self._slots, in_scope(self.prefix, prefix))

    def done(self, key: str) -> bool:
        past = self._journal.past.get(in_scope(self.prefix, key))
        return past is not None and past.done

    def begun(self, key: str) -> bool:
        past = self._journal.past.get(in_scope(self.prefix, key))
        return past is not None and not past.done

    async def step(
        self,
        key: str,
        fn: StepFunction,
        *,
        once: bool = False,
        pure: bool = False,
        recover: StepFunction | None = None,
    ) -> JsonValue:
        journal, key = self._journal, in_scope(self.prefix, key)
        past = journal.past.get(key)
        if past is not None and past.done:
            return past.value
        with journal.inside(key):
            if once and past is not None:
                if recover is None:
                    raise OutcomeUnknown(
                        f"step {key} had started when the last attempt ended, and left no result"
                    )
                fn = recover
            elif once:
                await journal.put(key, None)
            if not pure:
                await journal.commit_soon()
            recorded = await fn()
            text = to_json(recorded.value, f"the value of step {key}")
            if journal.may_wait(recorded):
                return journal.keep(key, text, recorded.unit, soon=True)
            return await journal.put(key, text, recorded.unit)

    async def take(
        self,
        n: int,
        among: Callable[[Sequence[Waiting]], int] | None = None,
        *,
        before: str = "",
    ) -> list[Waiting]:
        journal, key = self._journal, in_scope(self.prefix, step_key(StepKind.STEER, n))
        past = journal.past.get(key)
        if past is not None and past.done:
            return [Waiting(item["key"], item["body"]) for item in past.value]
        with journal.inside(key):
            while found := await journal.waiting(among):
                value = [{"key": item.key, "body": item.body} for _, item in found]
                joined = Unit(store.join(found, self.id, journal.clock.now()))
                try:
                    await journal.put(key, to_json(value, key), joined)
                except UnitRejected as error:
                    if error.index < 0:
                        raise
                    continue  # some of the messages were changed or withdrawn meanwhile
                journal.agenda.joined(self.session, [turn for turn, _ in found])
                return [item for _, item in found]
            if among is not None:
                return []
            # This has no consequences yet, so it may be stored together with the first of them.
            before = in_scope(self.prefix, before) if before else ""
            journal.keep(key, "[]", Unit(), soon=False, before=before)
            return []

    async def ask(
        self, key: str, person: str, conversation: str, text: str, options: tuple[str, ...] = ()
    ) -> Answer:
        journal, key = self._journal, in_scope(self.prefix, key)
        past = journal.past.get(key)
        if past is None or not past.done:
            now = journal.clock.now()
            asked = Question("", self.session, self.id, conversation, person, text, options, now)
            with journal.inside(key):
                past = await journal.ask(key, asked)
        return Answer.from_json(past.value)

    async def finish(self, unit: Unit = Unit()) -> WriteResult:
        if self.prefix:
            raise TurnError(f"scope {self.prefix} cannot finish its turn; only the turn itself can")
        return await self._journal.finish(unit)

    def keep_joined(self) -> None:
        self._journal.answered = True
