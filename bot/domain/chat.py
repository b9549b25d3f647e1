"""The seam to chat platforms: Discord, Slack, the terminal, and `bot.testing.FakeChat`."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol, TypeAlias, runtime_checkable

from bot.domain.messages import (
    Attachment,
    Conversation,
    Heard,
    IncomingMessage,
    OutgoingMessage,
    PlatformPerson,
    PostedCard,
    Receipt,
    ReplyTarget,
)
from bot.domain.plans import PlanTask


class Acceptance(StrEnum):
    """What the Router decided about a message, durably, before the platform is acknowledged."""

    TURN = "turn"
    """It starts (or waits for) a turn of its session, or a running turn will take it."""
    CONTROL = "control"
    """A command, click or answer to a question: handled at once beside a running turn."""
    CONTEXT = "context"
    """Recorded as context of the conversation; no answer is due."""
    IGNORED = "ignored"
    """Decided silent: a banned person, another bot, a place that is switched off."""
    DUPLICATE = "duplicate"
    """This key was accepted before."""


PIECE_BYTES = 256 * 1024
"""Of a file that a person sent at most so much is in memory at once."""

Accept: TypeAlias = Callable[[IncomingMessage], Awaitable[Acceptance]]
"""Durable once it returns.

Raises StorageError when it could not be recorded: do not acknowledge then.
"""


@dataclass(frozen=True)
class TextDelta:
    """More of the text that the model is writing right now."""

    text: str


@dataclass(frozen=True)
class TextReset:
    """Forget the text streamed so far: the sample is made again, or it belonged to a tool round."""


@dataclass(frozen=True)
class Thinking:
    """A summarised thought between tool calls; shown as a status line, never as an answer."""

    text: str


@dataclass(frozen=True)
class ToolStarted:
    call: str
    name: str
    summary: str
    """One line for a person, e.g. `manage_todos create "buy milk"`.

    Redacted, at most 120 characters.
    """


@dataclass(frozen=True)
class ToolEnded:
    call: str
    name: str
    ok: bool
    seconds: float
    note: str = ""
    waits: bool = False
    """It did not run: it waits for somebody's yes."""


@dataclass(frozen=True)
class Status:
    """Any other one-line status of a turn ("retrying the model", "waiting for researcher")."""

    text: str


@dataclass(frozen=True)
class PlanShown:
    """A plan as it stands now; it takes the place of what was shown of it before."""

    goal: str
    tasks: tuple[PlanTask, ...]
    """A task of a sub-plan has a dot in its id and stands behind the task that it is a part of."""
    grows: bool = True
    """Whether its person can add tasks to it, as they can strike them."""


LiveUpdate: TypeAlias = (
    TextDelta | TextReset | Thinking | ToolStarted | ToolEnded | Status | PlanShown
)


class LiveReply(Protocol):
    """What a platform shows while a turn runs: typing, a draft, tool lines.

    Best effort, never durable.
    """

    def show(self, update: LiveUpdate) -> None:
        """Take one update; must not block or raise. Adapters pace their own edits."""
        ...

    async def close(self) -> None:
        """Remove everything but the final answer: the turn was answered, stopped or suspended."""
        ...


class ChatAdapter(Protocol):
    """One platform. It only knows the domain; `sessions` calls it, it calls `accept`."""

    @property
    def platform(self) -> str:
        """The `Conversation.platform` that it serves."""
        ...

    async def run(self, accept: Accept) -> None:
        """Serve until cancelled; when it returns or raises, it is restarted with backoff."""
        ...

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        """Make one visible thing, using `key` as the platform's idempotency key.

        With `live` of the same turn its draft is finalised in place. Raises DeliveryError.
        """
        ...

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        """Say whether the send with this key was done, after a crash.

        None means certainly not; raises DeliveryError if unknown.
        """
        ...

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        """Open the live view of a turn.

        `turn` is its reference, shown on Stop buttons; `key` is the key of its answer.
        """
        ...

    def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        """The bytes of an attachment in pieces of at most PIECE_BYTES, as they come.

        Raises DeliveryError when it is gone, too large or cut off, also after some pieces. Close it
        when it is left.
        """
        ...

    async def close_card(self, card: PostedCard, line: str) -> None:
        """Close a card in place: remove its choices and show `line` below it.

        Closing it twice changes nothing. Nobody sees more than before, except the line. Raises
        DeliveryError, not retryable when the message is gone or can no longer be edited.
        """
        ...


@runtime_checkable
class Alive(Protocol):
    """An adapter that knows when its platform last spoke; long silence restarts it."""

    def last_frame(self) -> float | None:
        """Seconds since the platform sent anything (an event, a heartbeat), or since `run` began.

        None if silence proves nothing, because the adapter listens for requests.
        """
        ...


@runtime_checkable
class Skips(Protocol):
    """An adapter, too, that goes on past what it can't read of its platform, and counts it."""

    def skipped(self) -> int:
        """How many objects (messages, events, channels) were unreadable since the start."""
        ...


@runtime_checkable
class ShowsWaiting(Protocol):
    """An adapter, too, that shows where an answer is waited for."""

    async def waits(self, card: PostedCard) -> None:
        """The question of this card is open; said when it was sent, and again after a restart.

        Never raises.
        """
        ...


@runtime_checkable
class Shows(Protocol):
    """An adapter, too, that can look whether a message of ours still stands where it was sent."""

    async def shows(self, target: ReplyTarget, receipt: Receipt) -> bool:
        """Look in the background. Raises DeliveryError when that is not known."""
        ...


@runtime_checkable
class HasReaders(Protocol):
    """An adapter, too, whose platform has channels that not everybody reads."""

    @property
    def readers(self) -> "KnowsReaders":
        """Whom to ask about them."""
        ...


class KnowsReaders(Protocol):
    """Tells who reads a channel now. It may remember an answer for some minutes.

    People and channels are those of its platform. What it can't find out counts as no. Direct
    messages are not asked about: those are between their person and the assistant.
    """

    async def may_read(self, person: str, place: Conversation) -> bool:
        """Whether a person (their id there) can read a channel or thread. Never raises."""
        ...

    async def may_write(self, person: str, place: Conversation) -> bool:
        """Whether a person can write there. Never raises."""
        ...

    async def reads_like_channel(self, thread: Conversation) -> bool:
        """Whether everybody who reads the channel of a thread can read the thread. Never raises."""
        ...

    async def channel_named(self, named: str, near: Conversation) -> Conversation | None:
        """The one channel of this name or id in the workspace of a conversation. Never raises.

        Near a direct message that belongs to no workspace it may be in any.
        """
        ...

    def name_of(self, place: Conversation) -> str:
        """The name of a channel, as far as it is known now; else empty."""
        ...

    async def link(self, place: Conversation, message: str) -> str:
        """A link that opens a message for those who may read it; empty if there is none.

        `message` is its id on the platform.
        """
        ...


@dataclass(frozen=True)
class SaidThere:
    """A message as its platform's own search gives it."""

    place: Conversation
    message: str
    """Its id there."""
    key: str
    """What `IncomingMessage.key` is, or would have been."""
    author: PlatformPerson
    text: str
    at: datetime


@runtime_checkable
class SearchesItself(Protocol):
    """A `KnowsReaders` whose platform can search messages from before Bellhop joined."""

    async def said_with(self, words: str, near: Conversation, limit: int) -> Sequence[SaidThere]:
        """Messages of the workspace of a conversation, whoever may read them.

        None while that is switched off.

        Never raises.
        """
        ...


@runtime_checkable
class Probed(Protocol):
    """An adapter, too, that can ask its platform whether it is there."""

    async def probe(self) -> None:
        """Make one cheap call that needs the credentials.

        Raises DeliveryError when the platform does not answer.
        """
        ...


@runtime_checkable
class KnowsMembers(Protocol):
    """An adapter that can look up a member of a place who has not written anything."""

    async def member(self, there: Conversation, person: str) -> PlatformPerson | None:
        """The person with this platform id, with their roles there; None if they are not there.

        Raises DeliveryError if the platform can't tell.
        """
        ...


@runtime_checkable
class ServedOverHttp(Protocol):
    """An adapter, too, whose platform calls it over HTTP, on the server of the console."""

    def routes(self) -> Sequence[Any]:
        """What to serve, as routes of aiohttp; each checks its caller itself."""
        ...


@dataclass(frozen=True)
class Recovered:
    """After a gap in a connection: how far each place was heard, and the limits for catching up."""

    marks: tuple[Heard, ...]
    """Those heard last come first."""
    floor: datetime | None
    """Places without a mark were heard until then.

    None: nothing was ever heard, so nothing was missed.
    """
    messages: int
    """So many of the newest missed messages of one place are answered,"""
    since: datetime
    """if they are not older than this."""


@dataclass(frozen=True)
class RecordedMessage:
    """A message of somebody else that was recorded and, as far as is known, still stands there."""

    key: str
    at: datetime
    edited_at: datetime | None = None
    """Its last change that was heard of."""


class Recovery(Protocol):
    """Keeps durably how far each place of a platform was heard; handed to adapters by build_app.

    See docs/rules.md#catching-up.
    """

    async def begin(self, platform: str) -> Recovered:
        """Something may have been missed.

        Until `finish`, a new `begin` gives the same floor. Raises StorageError.
        """
        ...

    async def kept(
        self, place: Conversation, since: datetime, most: int
    ) -> Sequence[RecordedMessage]:
        """The newest messages that were recorded of a place, oldest first. Raises StorageError."""
        ...

    async def reached(self, heard: Heard) -> None:
        """A place was read up to here, whoever wrote there. Raises StorageError."""
        ...

    async def tell(self, place: Conversation) -> None:
        """Say there, once, that messages of before were not answered, if that is wanted.

        Raises StorageError.
        """
        ...

    async def finish(self, platform: str) -> None:
        """Everything that may have been missed was read, and is told of. Raises StorageError."""
        ...
