"""The interface to the turn engine: submit work, run it step by step, survive kill -9."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeAlias, cast

from bot.domain.database import Unit, WriteResult
from bot.domain.json_types import JsonObject, JsonValue


@dataclass(frozen=True)
class Recorded:
    """The result of a step: a JSON value to store, and writes to commit in the same unit."""

    value: JsonValue
    unit: Unit = Unit()
    soon: bool = False
    """May be committed together with the next step.

    It is committed before the next step that isn't `pure` starts its work, and at the latest when
    the turn ends. Use it if no other effect comes in between. It is ignored while other steps run
    in parallel, and when a write expects a number of rows, because a refused write must fail its
    own step.
    """


StepFunction: TypeAlias = Callable[[], Awaitable[Recorded]]


class Suspended(BaseException):
    """Ends the coroutine of a turn that waits for a person; the engine reruns it after the answer.

    It is a BaseException, so that no `except Exception` swallows it.
    """


class OutcomeUnknown(Exception):
    """A `once` step had started before a crash, and it is unknown whether it took effect."""


@dataclass(frozen=True)
class Waiting:
    """A message that waits in a session's queue: what `turn.take` hands over."""

    key: str
    body: JsonObject


@dataclass(frozen=True)
class Answer:
    """A person's answer to a question."""

    text: str
    typed: str = ""
    """The typed part; empty for a clicked option, whose text is the asker's."""

    def to_json(self) -> JsonObject:
        return {"text": self.text, "typed": self.typed}

    @classmethod
    def from_json(cls, value: JsonValue) -> "Answer":
        kept = cast("JsonObject", value)
        return cls(str(kept["text"]), str(kept["typed"]))


@dataclass(frozen=True)
class Question:
    """An open question of a turn to a person. `answer` is None while it is open."""

    ref: str
    session: str
    turn: int
    conversation: str
    """Key of the conversation where the answer is expected."""
    person: str
    """Person id of who may answer."""
    text: str
    options: tuple[str, ...]
    asked_at: datetime


class TurnEnd(StrEnum):
    """How a turn was settled; every accepted turn ends in exactly one of these."""

    DONE = "done"
    JOINED = "joined"
    """Taken by another turn as a steering message; that turn is done."""
    FAILED = "failed"
    """Given up: it failed three times, crashed the process while alone, or can't be read.

    The person got an apology with the reference. Messages that it took get their own turns.
    """


@dataclass(frozen=True)
class OpenTurn:
    """A turn that has started and isn't settled: running, resuming soon, or waiting."""

    id: int
    session: str
    body: JsonObject


@dataclass(frozen=True)
class AskedQuestion:
    """A question of a turn as it stands now: open, answered, dropped or expired."""

    ref: str
    text: str
    state: str
    asked_at: datetime
    closed_at: datetime | None
    step: str = ""
    """Key of the step that asked it."""


@dataclass(frozen=True)
class TurnRecord:
    """The stored state of one accepted piece of work, for `/why`."""

    id: int
    ref: str
    session: str
    key: str
    body: JsonObject
    state: str
    """The state of the turn, or "recorded" for a message without one.

    One of new, running, ready (resumes later), waiting (for a person), done, joined, failed,
    withdrawn (never started), recorded.
    """
    attempts: int
    error: str | None
    """Why the last failed attempt failed."""
    stop: bool
    due: datetime | None
    accepted_at: datetime
    settled_at: datetime | None
    joined_to: str | None = None
    """Reference of the turn that took it."""
    behind: str | None = None
    """Reference of the earlier turn of its session that it waits for."""
    steps: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """The value of each finished step."""
    begun: tuple[str, ...] = ()
    """`once` steps whose intent is stored and whose end is not."""
    questions: tuple[AskedQuestion, ...] = ()


class Turn(Protocol):
    """One accepted piece of work while it runs.

    Steps are stored by key; a replay does not run them again.
    """

    @property
    def id(self) -> int: ...

    @property
    def session(self) -> str: ...

    @property
    def key(self) -> str: ...

    @property
    def body(self) -> JsonObject: ...

    @property
    def attempt(self) -> int:
        """1 for the first run; counts crashes and errors, not resumptions after a question."""
        ...

    @property
    def ref(self) -> str:
        """Short reference that people see in apologies and `/why` (`t` and base-32 of the id)."""
        ...

    @property
    def prefix(self) -> str:
        """The scope of this handle (`tool:2.0`), empty for the turn itself."""
        ...

    @property
    def stop_requested(self) -> bool:
        """True once `TurnEngine.stop_turn` was called for this run."""
        ...

    def stoppable(self) -> AbstractContextManager[None]:
        """Inside it, a stop cancels the runner's await; outside, it only sets `stop_requested`.

        So a stop never cuts a final send or `finish` in half.
        """
        ...

    def away(self) -> AbstractAsyncContextManager[None]:
        """Inside it, the turn waits for a model or a person, and other turns may use its slot."""
        ...

    def scope(self, prefix: str) -> "Turn":
        """The same turn with a prefix on every key (`tool:2.0` gives `tool:2.0/model:1`).

        Delegation, plans and swarms use it.
        """
        ...

    def done(self, key: str) -> bool:
        """Whether this step's result is in the journal, so that running it would replay."""
        ...

    def begun(self, key: str) -> bool:
        """Whether the intent of this `once` step is stored, and its end is not."""
        ...

    async def step(
        self,
        key: str,
        fn: StepFunction,
        *,
        once: bool = False,
        pure: bool = False,
        recover: StepFunction | None = None,
    ) -> JsonValue:
        """Run `fn` and store its value and unit under `key`, or return the value stored before.

        With `once`, the intent is written first. If a crash left only the intent, `recover` decides
        and its Recorded is stored; without `recover` OutcomeUnknown is raised. Raises ClaimLost.

        `pure`: `fn` has no effect beyond its Recorded, so what is kept (`Recorded.soon`) is
        committed with it, not before it.
        """
        ...

    async def take(
        self,
        n: int,
        among: Callable[[Sequence[Waiting]], int] | None = None,
        *,
        before: str = "",
    ) -> list[Waiting]:
        """Consume the session's waiting messages as step `steer:<n>`; a replay returns the same.

        The same unit marks them as joined to this turn. Work that is due later is not taken.
        `among` returns how many of the first to take. With `among`, an empty result is not stored,
        so on replay the caller decides by other steps whether to look again. `before` names the
        step that follows: an empty result is not stored where that step's result is, and on replay
        the caller doesn't look again before a step that is done.
        """
        ...

    async def ask(
        self, key: str, person: str, conversation: str, text: str, options: tuple[str, ...] = ()
    ) -> Answer:
        """Open a question as step `key` and suspend, or return the answer when it is there.

        Opens it durably first (ref = `q` + base-32), then raises Suspended. Delivering the question
        to the person is the caller's `send` step, made before calling this.
        """
        ...

    async def finish(self, unit: Unit = Unit()) -> WriteResult:
        """Settle the turn as done together with `unit` (transcript, session state).

        Returns the rows of `unit`. A runner that returns without calling it settles the turn with
        nothing.
        """
        ...

    def keep_joined(self) -> None:
        """For `Apologise`, before the turn ends: the answer covers the messages that joined.

        Without it, each of them gets its own turn when this one is given up.
        """
        ...


RunTurn: TypeAlias = Callable[[Turn], Awaitable[None]]
"""Runs one turn. May raise Suspended or UnreadableWork, which gives the turn up at once.

Any other exception counts as a failed attempt.
"""
Apologise: TypeAlias = Callable[[Turn, str], Awaitable[None]]
"""Called once, as a step, when a turn is given up; the text is the operator's hint in the log.

The turn's body is empty if the accepted work can't be read any more.
"""


KeepKeys: TypeAlias = Callable[[Sequence[str]], Awaitable[Collection[str]]]
"""Returns the keys that must not be deleted, because their events may come again."""
