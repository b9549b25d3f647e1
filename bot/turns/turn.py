"""The runner's handle: `domain.turns.Turn` on a journal, with a prefix for its keys."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from datetime import datetime

from bot.domain.database import Unit
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.step_keys import StepKind, in_scope, step_key
from bot.domain.turns import Answer, Question, StepFunction, Turn, Waiting
from bot.errors import TurnError
from bot.turns.journal import Journal
from bot.turns.refs import make_ref
from bot.turns.slots import Slots


class JournalTurn:
    """Implements `domain.turns.Turn`."""

    def __init__(self, journal: Journal, slots: Slots, prefix: str = "") -> None:
        self._journal = journal
        self._slots = slots
        self._prefix = prefix

    @property
    def id(self) -> int:
        return self._journal.begun.id

    @property
    def session(self) -> str:
        return self._journal.session

    @property
    def key(self) -> str:
        return self._journal.begun.key

    @property
    def body(self) -> JsonObject:
        return self._journal.begun.body

    @property
    def attempt(self) -> int:
        return self._journal.begun.attempt

    @property
    def ref(self) -> str:
        return make_ref("t", self.id)

    @property
    def prefix(self) -> str:
        return self._prefix

    @property
    def stop_requested(self) -> bool:
        return self._journal.stop

    def stoppable(self) -> AbstractContextManager[None]:
        return self._journal.stoppable()

    def away(self) -> AbstractAsyncContextManager[None]:
        return self._slots.away(self.session)

    def scope(self, prefix: str) -> Turn:
        return JournalTurn(self._journal, self._slots, self._full(prefix))

    def done(self, key: str) -> bool:
        return self._journal.done(self._full(key))

    def begun(self, key: str) -> bool:
        return self._journal.intended(self._full(key))

    async def step(
        self,
        key: str,
        fn: StepFunction,
        *,
        once: bool = False,
        pure: bool = False,
        recover: StepFunction | None = None,
    ) -> JsonValue:
        return await self._journal.step(self._full(key), fn, once=once, pure=pure, recover=recover)

    async def take(
        self,
        n: int,
        among: Callable[[Sequence[Waiting]], int] | None = None,
        *,
        before: str = "",
    ) -> list[Waiting]:
        key = self._full(step_key(StepKind.STEER, n))
        return await self._journal.take(key, among, before=self._full(before) if before else "")

    async def ask(
        self, key: str, person: str, conversation: str, text: str, options: tuple[str, ...] = ()
    ) -> Answer:
        def asked(now: datetime) -> Question:
            return Question("", self.session, self.id, conversation, person, text, options, now)

        return await self._journal.ask(self._full(key), asked)

    async def finish(self, unit: Unit = Unit()) -> None:
        if self._prefix:
            raise TurnError(
                f"scope {self._prefix} cannot finish its turn; only the turn itself can"
            )
        await self._journal.finish(unit)

    def keep_joined(self) -> None:
        self._journal.answered = True

    def _full(self, key: str) -> str:
        return in_scope(self._prefix, key)
