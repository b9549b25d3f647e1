"""The interface to chat platforms: Discord, Slack, Telegram, the terminal, a fake one for tests."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol, TypeAlias, get_args, runtime_checkable

from bot.domain.languages import Language, Phrase
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
    Visibility,
)
from bot.domain.plans import PlanTask


class Acceptance(StrEnum):
    """What the Router decided about a message, durably, before the platform is acknowledged."""

    TURN = "turn"
    """It starts a turn of its session, waits for one, or is taken by a running turn."""
    CONTROL = "control"
    """A command, a click, or an answer to a question: handled at once, even during a turn."""
    CONTEXT = "context"
    """Recorded as context of the conversation; no answer is due."""
    IGNORED = "ignored"
    """Gets no answer: from a banned person or another bot, or in a place that is switched off."""
    DUPLICATE = "duplicate"
    """This key was accepted before."""


PIECE_BYTES = 256 * 1024
"""The most bytes of a received file that are in memory at once."""

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
    """Drop the text streamed so far: the sample is retried, or it led to tool calls."""


@dataclass(frozen=True)
class Thinking:
    """A summary of the model's thinking, shown as a status line and never as an answer."""

    text: str


@dataclass(frozen=True)
class ToolStarted:
    call: str
    name: str
    summary: str
    """The call in one line, e.g. `manage_todos create "buy milk"`.

    Redacted, at most 120 characters.
    """
    about: str = ""
    """What it is about, as its arguments say: a query, a title, an address. Redacted."""
    doing: Phrase | None = None
    """What its tool says that it does, such as `Writing a mail`."""


@dataclass(frozen=True)
class ToolEnded:
    call: str
    name: str
    ok: bool
    seconds: float
    note: str = ""
    waits: bool = False
    """It has not run, because it waits for approval."""


class Pause(StrEnum):
    """Why a turn does something else than its work, where everybody is told."""

    TRYING_AGAIN = "trying again"
    READING_MORE = "reading more"
    MAKING_ROOM = "making room"


@dataclass(frozen=True)
class Status:
    """Any other one-line status of a turn ("retrying the model", "waiting for researcher")."""

    text: str
    pause: Pause | None = None


@dataclass(frozen=True)
class WorkShown:
    """What is being done now: one line in the person's own language. It replaces the line before.

    It says in words what the updates about tools, thinking and status say for those who know them.
    """

    words: str
    patient: bool = False
    """Whether it is worth a line only once the person has waited for a while."""
    done: str = "Done"
    """What a line that can't be taken away says once the answer is there."""
    steps: tuple[str, ...] = ()
    """What was done so far, for below that line; each once, with how often."""


@dataclass(frozen=True)
class PlanShown:
    """The current state of a plan; replaces the display before it."""

    goal: str
    tasks: tuple[PlanTask, ...]
    """A task of a sub-plan has a dot in its id and follows its parent task."""
    grows: bool = True
    """Whether its person can add tasks to it; they can always strike tasks."""
    language: Language = Language.EN
    """In which its words are shown."""


LiveUpdate: TypeAlias = (
    TextDelta | TextReset | Thinking | ToolStarted | ToolEnded | Status | WorkShown | PlanShown
)
LIVE_UPDATES: Mapping[str, type[LiveUpdate]] = {
    kind.__name__: kind for kind in get_args(LiveUpdate)
}
"""Each kind of update by its name, which it has on its way to another process."""


class LiveReply(Protocol):
    """What a platform shows while a turn runs: typing, a draft, a line that says what is done.

    Best effort, never durable.
    """

    def show(self, update: LiveUpdate) -> None:
        """Take one update; must not block or raise. Adapters pace their own edits."""
        ...

    async def close(self) -> None:
        """Remove everything but the final answer: the turn was answered, stopped or suspended."""
        ...


class ChatAdapter(Protocol):
    """One platform. It knows only the domain: `sessions` calls it, and it calls `accept`."""

    @property
    def platform(self) -> str:
        """The `Conversation.platform` that it serves."""
        ...

    async def run(self, accept: Accept) -> None:
        """Serve until cancelled. If it returns or raises, it is restarted with backoff."""
        ...

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        """Post one message, with `key` as the idempotency key.

        A `live` reply of the same turn becomes this message in place. Raises DeliveryError.
        """
        ...

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        """Find out after a crash whether the send with this key was done.

        None means that it certainly wasn't. Raises DeliveryError if that is unknown.
        """
        ...

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        """Open the live view of a turn.

        `turn` is its reference, shown on Stop buttons; `key` is the key of its answer.
        """
        ...

    def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        """Stream an attachment in pieces of at most PIECE_BYTES.

        Raises DeliveryError when it is gone, too large or cut off, even after some pieces. Close
        the iterator if you leave it early.
        """
        ...

    async def close_card(self, card: PostedCard, line: str) -> None:
        """Close a card in place: remove its buttons and show `line` below it.

        Closing it twice changes nothing. It stays visible to the same people. Raises DeliveryError,
        not retryable when the message is gone or can no longer be edited.
        """
        ...


@runtime_checkable
class Alive(Protocol):
    """An adapter that knows when its platform last sent something. Long silence restarts it."""

    def last_frame(self) -> float | None:
        """Seconds since the platform sent anything (an event, a heartbeat), or since `run` began.

        None if silence proves nothing, because the adapter listens for requests.
        """
        ...


@runtime_checkable
class Skips(Protocol):
    """An adapter that skips and counts objects it can't read."""

    def skipped(self) -> int:
        """How many objects (messages, events, channels) were unreadable since the start."""
        ...


@runtime_checkable
class ShowsWaiting(Protocol):
    """An adapter that shows which question is open."""

    async def waits(self, card: PostedCard) -> None:
        """The question of this card is open. Called when it was sent and after a restart.

        Never raises.
        """
        ...


@runtime_checkable
class Shows(Protocol):
    """An adapter that can check whether a message of ours still exists."""

    async def shows(self, target: ReplyTarget, receipt: Receipt) -> bool:
        """Whether the message still exists. Raises DeliveryError when that is unknown."""
        ...


@runtime_checkable
class HasReaders(Protocol):
    """An adapter whose platform has channels with restricted readers."""

    @property
    def readers(self) -> "KnowsReaders":
        """Tells who may read them."""
        ...


class KnowsReaders(Protocol):
    """Tells who can read a channel now. Answers may be cached for some minutes.

    Ids are those of its platform. An answer that can't be found out counts as no. Don't ask about
    direct messages: only their person and the assistant read them.
    """

    async def may_read(self, person: str, place: Conversation) -> bool:
        """Whether a person (by platform id) can read a channel or thread. Never raises."""
        ...

    async def may_write(self, person: str, place: Conversation) -> bool:
        """Whether a person can write in it. Never raises."""
        ...

    async def visibility(self, channel: Conversation) -> Visibility:
        """Who reads a channel now; UNKNOWN if it is gone or can't be looked into.

        Raises DeliveryError while the platform can't be asked at all.
        """
        ...

    async def reads_like_channel(self, thread: Conversation) -> bool:
        """Whether everybody who reads the channel of a thread can read the thread. Never raises."""
        ...

    async def channel_named(self, named: str, near: Conversation) -> Conversation | None:
        """The only channel with this name or id in the conversation's workspace. Never raises.

        From a direct message without a workspace, all workspaces are searched.
        """
        ...

    def name_of(self, place: Conversation) -> str:
        """The name of a channel; empty if it isn't known now."""
        ...

    async def link(self, place: Conversation, message: str) -> str:
        """A link to a message, for those who may read it; empty if there is none.

        `message` is its id on the platform.
        """
        ...


@dataclass(frozen=True)
class SaidThere:
    """A message that the platform's own search found."""

    place: Conversation
    message: str
    """Its id on the platform."""
    key: str
    """What `IncomingMessage.key` is, or would have been."""
    author: PlatformPerson
    text: str
    at: datetime


@runtime_checkable
class SearchesItself(Protocol):
    """A `KnowsReaders` whose platform can search messages from before Bellhop joined."""

    async def said_with(self, words: str, near: Conversation, limit: int) -> Sequence[SaidThere]:
        """Messages of the conversation's workspace, whoever may read them.

        Returns None while that is switched off.

        Never raises.
        """
        ...


@runtime_checkable
class Probed(Protocol):
    """An adapter that can check whether its platform answers."""

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
    """An adapter whose platform calls it over HTTP, on the HTTP server."""

    def routes(self) -> Sequence[Any]:
        """The aiohttp routes to serve. Each handler authenticates its caller."""
        ...


@dataclass(frozen=True)
class Recovered:
    """After a gap in a connection: how far each place was read, and the limits for catching up."""

    marks: tuple[Heard, ...]
    """The most recently read come first."""
    floor: datetime | None
    """Places without a mark were read until then.

    None: nothing was ever read, so nothing was missed.
    """
    messages: int
    """How many of the newest missed messages of one place are answered,"""
    since: datetime
    """if they are not older than this."""


@dataclass(frozen=True)
class RecordedMessage:
    """A recorded message of somebody else that still exists, as far as is known."""

    key: str
    at: datetime
    edited_at: datetime | None = None
    """Its last known change."""


class Recovery(Protocol):
    """Stores how far each place of a platform was read. `build_app` hands it to adapters.

    See docs/rules.md#catching-up.
    """

    async def begin(self, line: str) -> Recovered:
        """Begin to catch up: something may have been missed.

        Until `finish`, another `begin` returns the same floor. Raises StorageError.
        """
        ...

    async def kept(
        self, place: Conversation, since: datetime, most: int
    ) -> Sequence[RecordedMessage]:
        """The newest recorded messages of a place, oldest first. Raises StorageError."""
        ...

    async def reached(self, heard: Heard) -> None:
        """Store that a place was read up to here, whoever wrote. Raises StorageError."""
        ...

    async def tell(self, place: Conversation) -> None:
        """Post once that older messages were not answered, if the settings want it.

        Raises StorageError.
        """
        ...

    async def finish(self, line: str) -> None:
        """Everything that may have been missed was read and told. Raises StorageError."""
        ...
