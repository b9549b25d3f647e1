"""Messages that come from a platform and go out to it."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from bot.domain.languages import Language


class Place(StrEnum):
    DM = "dm"
    CHANNEL = "channel"
    THREAD = "thread"


class Visibility(StrEnum):
    """Who can read a channel, as far as the platform says."""

    UNKNOWN = ""
    PRIVATE = "private"
    PUBLIC = "public"
    SHARED = "shared"
    """People of other companies read it as well (Slack Connect)."""


class MessageKind(StrEnum):
    TEXT = "text"
    COMMAND = "command"
    ACTION = "action"
    EDIT = "edit"
    DELETE = "delete"
    STOP = "stop"
    JOINED = "joined"
    REACTION = "reaction"
    """The action holds the key of the message and the emoji."""


class Addressed(StrEnum):
    """How a message addressed the assistant. `NONE` is only context and starts no turn."""

    DM = "dm"
    MENTION = "mention"
    REPLY = "reply"
    FOLLOWED = "followed"
    COMMAND = "command"
    NONE = "none"


@dataclass(frozen=True)
class PlatformPerson:
    """A sender as the platform names them; `sessions.contacts` turns it into a `Person`."""

    id: str
    name: str
    is_bot: bool = False
    platform_roles: tuple[str, ...] = ()
    timezone: str = ""
    """Empty if the platform doesn't tell (docs/rules.md#time)."""
    outside: bool = False
    """Belongs to another company, which shares a channel with this workspace."""


DIRECT = "dm"
"""Stands for the workspace in direct messages that belong to none."""


@dataclass(frozen=True)
class Conversation:
    """A channel, thread or DM (docs/rules.md#conversations-and-sessions)."""

    platform: str
    workspace: str
    id: str
    place: Place = Place.DM
    title: str = ""
    channel: str = field(default="", compare=False)
    """The channel of a thread, if it is known.

    It is not part of the identity.
    """
    category: str = field(default="", compare=False)
    """The category of its channel, on platforms that have categories."""
    visibility: Visibility = field(default=Visibility.UNKNOWN, compare=False)
    """The visibility of its channel; ignored in a DM."""
    closed: bool = field(default=False, compare=False)
    """A thread that only those who were invited read, whoever reads its channel."""

    @property
    def key(self) -> str:
        return f"{self.platform}:{self.workspace}:{self.id}"

    @property
    def has_workspace(self) -> bool:
        """Whether it belongs to a workspace; direct messages of Discord belong to none."""
        return self.workspace != DIRECT

    @property
    def channel_key(self) -> str:
        """The key of its channel; its own key if it is not a thread."""
        return f"{self.platform}:{self.workspace}:{self.channel or self.id}"


FRIENDLY_FACE = "🙂"
"""What is left of an emoji in typed words that takes nothing back."""
UNKNOWN_FACE = "\u25cc"
"""What is left of any other emoji whose name somebody else chose."""


@dataclass(frozen=True)
class Interaction:
    """A short-lived token for an answer to a command or click."""

    token: str
    expires_at: datetime


@dataclass(frozen=True)
class ReplyTarget:
    """Where an answer goes.

    `start_thread_from`: message to open a thread on with the first send.
    """

    conversation: Conversation
    message: str | None = None
    start_thread_from: str | None = None
    ephemeral_to: str | None = None
    interaction: Interaction | None = None

    @property
    def stands_in(self) -> Conversation:
        """Where its message stands: the channel, if its thread is only opened by an answer."""
        there = self.conversation
        if self.start_thread_from is None or not there.channel:
            return there
        return replace(there, id=there.channel, place=Place.CHANNEL, title="", channel="")


FILES_READ = 8
"""The most files of one message that are read."""


@dataclass(frozen=True)
class Attachment:
    """A reference to a file on the platform; the journalled step `fetch:<n>` fetches its bytes."""

    ref: str
    name: str
    mime: str
    size: int
    spoken: bool = False
    """A voice message: its sender recorded it in the app, and does not pass on another's."""
    seconds: float = 0.0
    """The length of a recording, where the platform says it."""


@dataclass(frozen=True)
class Command:
    """`/name args`, parsed by `chat` or filled from a native interaction."""

    name: str
    args: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    """The values of a submitted form, by field name; empty without a form."""


@dataclass(frozen=True)
class Action:
    """A click: the thing that it refers to, and the choice."""

    ref: str
    verb: str
    value: str = ""


@dataclass(frozen=True)
class Heard:
    """How far the history of a place was read. A restart continues from there.

    `place` is where the platform stores the message. It differs from the conversation while a
    thread is not yet opened.

    See docs/rules.md#catching-up.
    """

    place: Conversation
    position: str
    """Id or timestamp of a message in the place.

    The longer of two is newer; of two with equal length, the greater.
    """
    at: datetime


@dataclass(frozen=True)
class QuotedMessage:
    """A message that another one replies to, shares, or opens a thread on."""

    author: PlatformPerson
    text: str
    files: tuple[str, ...] = ()
    """Names of its attachments."""
    attachments: tuple[Attachment, ...] = ()
    """The same files, where all who see the reference see them; they are read with the message."""


@dataclass(frozen=True)
class IncomingMessage:
    """One event, in the same form for all platforms.

    `key` identifies the event for ever. Accepting the same key twice is a no-op.
    """

    key: str
    conversation: Conversation
    sender: PlatformPerson
    text: str
    reply_to: ReplyTarget
    sent_at: datetime
    kind: MessageKind = MessageKind.TEXT
    command: Command | None = None
    action: Action | None = None
    attachments: tuple[Attachment, ...] = ()
    addressed: Addressed = Addressed.DM
    private: bool = True
    """True when only this person and the assistant see the conversation, or this work in it."""
    heard: Heard | None = None
    """Stored together with the message; None while older messages of its place are unread."""
    missed: bool = False
    """Found in the history beyond the limits of `catch_up`: recorded, but not answered."""
    to_others: bool = False
    """It addresses somebody else, so it answers no question of the assistant."""
    quoted: tuple["QuotedMessage", ...] = ()
    """The messages that it refers to, which are not its sender's own words."""
    typed: str | None = None
    """The typed text, with ids in place of the names of people, channels and emoji.

    Others choose those names. Empty for a click. None: `text` is what was typed, without names.
    """
    answers: str | None = None
    """The platform's id of the message that it replies to, or that its thread hangs from."""
    columns: int | None = None
    """The width of the screen in characters; None if unknown."""
    sees_past: bool = True
    """Whether its platform shows its sender what was written there before they came or looked."""
    locale: str = ""
    """The language that its sender's app is set to, such as `de` or `en-GB`; empty if unknown."""

    @property
    def aside(self) -> bool:
        """Whether only its person reads it and its answer, in a place that others read."""
        there = self.conversation.place is not Place.DM
        return there and self.reply_to.ephemeral_to is not None

    @property
    def files(self) -> tuple[Attachment, ...]:
        """Its files, then those of the messages that it refers to."""
        referred = [file for quote in self.quoted for file in quote.attachments]
        return tuple({file.ref: file for file in (*self.attachments, *referred)}.values())

    @property
    def own_words(self) -> str:
        """The text that its sender typed. Only this may vouch for a call's targets."""
        return self.text if self.typed is None else self.typed


@dataclass(frozen=True)
class Choice:
    """A button or option of a message; a click comes back as `Action(ref, verb, value)`."""

    label: str
    ref: str
    verb: str
    value: str = ""


@dataclass(frozen=True)
class OutgoingFile:
    name: str
    mime: str
    blob: str
    """Name of the blob (sha256) under data/blobs."""


@dataclass(frozen=True)
class OutgoingMessage:
    """A message to post: markdown text, optional buttons, optional files.

    Adapters split and escape it.
    """

    target: ReplyTarget
    text: str
    choices: tuple[Choice, ...] = ()
    files: tuple[OutgoingFile, ...] = ()
    failed: bool = False
    """It says why there is no answer. A command line then exits with an error."""
    covers: tuple[str, ...] = ()
    """Ids of further messages that it answers: those that joined the turn of the target's."""
    continues: bool = False
    """Another message about the same follows, so a command line waits for that one."""
    answers_turn: str = ""
    """Reference of the turn whose answer it is; its person can rate it. Empty for all else."""
    language: Language = Language.EN
    """That of its own words: a card is closed in it."""
    while_open: str = ""
    """The end of `text` that goes once its question is over: how to answer it."""


def without_end(last: str, end: str) -> str:
    """The last piece of a text without this end, which may begin in the piece before."""
    return "" if end.endswith(last) else last.removesuffix(end).rstrip()


@dataclass(frozen=True)
class Receipt:
    """The platform's result of a send: ids of the posted messages, and their place."""

    message_ids: tuple[str, ...]
    conversation: str
    """Conversation id of the message; differs from the target's if a thread was opened."""
    sent_at: datetime = field(kw_only=True)


@dataclass(frozen=True)
class Delivered:
    """A send is visible."""


@dataclass(frozen=True)
class Delayed:
    """A send is stored, and is retried until its platform accepts it."""

    why: str


@dataclass(frozen=True)
class SendRefused:
    """A send will never be visible."""

    why: str


Delivery: TypeAlias = Delivered | Delayed | SendRefused
"""The outcome of a send."""


@dataclass(frozen=True)
class Asks:
    """The subject of a card: an approval, a turn's question (reference and step), or a todo.

    For a todo (`todo:<id>`) the step is the due date of its reminder.
    """

    ref: str
    step: str = ""
    shown: str = ""
    """Identifies what a card shows of its calls; empty if it hides anything of them."""
    reader: str = ""
    """The person who alone reads it; empty in places that others read."""


@dataclass(frozen=True)
class PostedCard:
    """A message with choices that was sent with `key`, and its receipt."""

    key: str
    message: OutgoingMessage
    receipt: Receipt
