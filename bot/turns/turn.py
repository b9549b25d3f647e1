"""The runner's handle on its turn: `domain.turns.Turn` over the journal of that turn."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from bot.domain.database import Unit
from bot.domain.json_types import JsonValue
from bot.domain.step_keys import StepKind, in_scope, step_key
from bot.domain.turns import (
    Answer,
    OutcomeUnknown,
    Question,
    StepFunction,
    Suspended,
    Turn,
    Waiting,
)
from bot.errors import TurnError, UnitRejected
from bot.turns import question_store, store
from bot.turns.journal import Journal
from bot.turns.refs import make_ref
from bot.turns.slots import Slots
from bot.turns.store import to_json


class JournalTurn:
    """Implements `domain.turns.Turn`. The scopes of a turn share its journal."""

    def __init__(self, journal: Journal, slots: Slots, prefix: str = "") -> None:
        begun = journal.begun
        self.id = begun.id
        self.session = begun.claim.session
        self.key = begun.key
        self.body = begun.body
        self.ref = make_ref("t", begun.id)
        self.prefix = prefix
        self.stoppable = journal.stoppable
        self._journal = journal
        self._slots = slots

    @property
    def attempt(self) -> int:
        return self._journal.begun.attempt

    @property
    def stop_requested(self) -> bool:
        return self._journal.stop

    def away(self) -> AbstractAsyncContextManager[None]:
        return self._slots.away(self.session)

    def scope(self, prefix: str) -> Turn:
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
        """Return the answer, or raise Suspended and leave the question open.

        Raises CancelledError if a person stopped the turn.
        """
        journal, key = self._journal, in_scope(self.prefix, key)
        past = journal.past.get(key)
        if past is not None and past.done:
            return Answer.from_json(past.value)
        if journal.stop:
            raise asyncio.CancelledError
        with journal.inside(key):
            journal.asked = True
            # Set first: an answer may come once the write is committed, and must find the session
            # held.
            journal.agenda.hold(self.session, self.id)
            wait = question_store.wait_for_answer(journal.begun)
            try:
                if past is None:
                    now = journal.clock.now()
                    question = Question(
                        "", self.session, self.id, conversation, person, text, options, now
                    )
                    journal.agenda.asked.add((conversation, person))
                    await journal.put(
                        key, None, Unit.of(wait, question_store.open_question(question, key))
                    )
                else:
                    await journal.commit(Unit.of(wait, question_store.still_open(self.id, key)))
            except UnitRejected:
                return Answer.from_json(await journal.closed_meanwhile(key))
            raise Suspended

    async def finish(self, unit: Unit = Unit()) -> None:
        if self.prefix:
            raise TurnError(f"scope {self.prefix} cannot finish its turn; only the turn itself can")
        await self._journal.finish(unit)

    def keep_joined(self) -> None:
        self._journal.answered = True
