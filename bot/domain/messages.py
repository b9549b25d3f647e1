"""What comes in from a platform and what goes out to it (design, "Shapes that everyone shares")."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias


class Place(StrEnum):
    DM = "dm"
    CHANNEL = "channel"
    THREAD = "thread"


class Visibility(StrEnum):
    """Who can read a channel, as far as its platform said so."""

    UNKNOWN = ""
    PRIVATE = "private"
    PUBLIC = "public"


class MessageKind(StrEnum):
    TEXT = "text"
    COMMAND = "command"
    ACTION = "action"
    EDIT = "edit"
    DELETE = "delete"
    STOP = "stop"
    JOINED = "joined"
    REACTION = "reaction"
    """Its action names the message by its key, and the emoji."""


class Addressed(StrEnum):
    """How a message reached the assistant; `NONE` is context only and starts no turn."""

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
    """Where the platform knows it (docs/rules.md#time)."""


DIRECT = "dm"
"""The workspace of direct messages on a platform where those belong to no workspace."""


@dataclass(frozen=True)
class Conversation:
    """What everyone in a channel, thread or DM sees (docs/rules.md#conversations-and-sessions)."""

    platform: str
    workspace: str
    id: str
    place: Place = Place.DM
    title: str = ""
    channel: str = field(default="", compare=False)
    """Of a thread: the channel that it hangs in, where that is known.

    Not a part of what makes it that conversation.
    """
    category: str = field(default="", compare=False)
    """The group of channels that its channel stands in, where the platform has such groups."""
    visibility: Visibility = field(default=Visibility.UNKNOWN, compare=False)
    """Of its channel; means nothing in a DM."""

    @property
    def key(self) -> str:
        return f"{self.platform}:{self.workspace}:{self.id}"

    @property
    def has_workspace(self) -> bool:
        """Whether others share its workspace; direct messages of Discord belong to none."""
        return self.workspace != DIRECT

    @property
    def channel_key(self) -> str:
        """The key of the channel that it takes place in; its own for what is no thread."""
        return f"{self.platform}:{self.workspace}:{self.channel or self.id}"


@dataclass(frozen=True)
class Interaction:
    """A platform's short-lived right to answer a command or click."""

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


@dataclass(frozen=True)
class Attachment:
    """A reference to a file on the platform; the journalled step `fetch:<n>` fetches its bytes."""

    ref: str
    name: str
    mime: str
    size: int


@dataclass(frozen=True)
class Command:
    """`/name args`, parsed by the one parser of `chat` or filled from a native interaction."""

    name: str
    args: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    """What was entered into a form, by the name of its field, where the command comes from one."""


@dataclass(frozen=True)
class Action:
    """A click: what it refers to, what was chosen."""

    ref: str
    verb: str
    value: str = ""


@dataclass(frozen=True)
class Heard:
    """How far the history of a place has been heard: what a restart goes on from.

    `place` is where the platform keeps it, which is not the conversation of a message whose thread
    is still to come.

    See docs/rules.md#catching-up.
    """

    place: Conversation
    position: str
    """Id or timestamp of a message there.

    The longer of two is newer; of two equally long ones the greater is newer.
    """
    at: datetime


@dataclass(frozen=True)
class QuotedMessage:
    """Somebody else's message that a message replies to, shares, or opens a thread on."""

    author: PlatformPerson
    text: str
    files: tuple[str, ...] = ()
    """Names of what is attached to it; the files themselves are not read."""
    attachments: tuple[Attachment, ...] = ()
    """The same files, where the message stands in the same place and they can be asked for."""


@dataclass(frozen=True)
class IncomingMessage:
    """One event of a platform, in the same shape for all of them.

    `key` is unique for ever and names the event; accepting the same key twice is a no-op.
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
    """True when only this person and the assistant see the conversation."""
    heard: Heard | None = None
    """Recorded together with the message; None while older messages of its place are unread."""
    missed: bool = False
    """Found in the history, beyond what `catch_up` allows: recorded, and not answered."""
    to_others: bool = False
    """It names or answers somebody else, so that it is no answer to a question of the assistant."""
    quoted: tuple["QuotedMessage", ...] = ()
    """What it refers to: never part of its sender's own words."""
    typed: str | None = None
    """What the sender typed, with ids in place of names of people, channels and emoji.

    Others choose those names. Empty for a click. None: `text` was typed as it is and has no names.
    """
    columns: int | None = None
    """How wide the screen is that shows the answer, in characters; None where that is not known."""

    @property
    def own_words(self) -> str:
        """What its sender typed: the only text of it that may say what a call acts on."""
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
    """Something to show: markdown text, optional buttons, optional files.

    Adapters split and escape it.
    """

    target: ReplyTarget
    text: str
    choices: tuple[Choice, ...] = ()
    files: tuple[OutgoingFile, ...] = ()
    failed: bool = False
    """It says why there is no answer: a command line ends with an error then."""


@dataclass(frozen=True)
class Receipt:
    """What a platform returned for a send: ids of the visible messages, and their place."""

    message_ids: tuple[str, ...]
    conversation: str
    """Conversation id the message is in; differs from the target's when a thread was opened."""
    sent_at: datetime = field(kw_only=True)


@dataclass(frozen=True)
class Delivered:
    """A send is visible."""


@dataclass(frozen=True)
class Delayed:
    """A send is kept, and is tried again by itself until its platform takes it."""

    why: str


@dataclass(frozen=True)
class SendRefused:
    """A send will never be visible."""

    why: str


Delivery: TypeAlias = Delivered | Delayed | SendRefused
"""What became of a send."""


@dataclass(frozen=True)
class PostedCard:
    """A message with choices, as it was sent with `key` and as its platform received it."""

    key: str
    message: OutgoingMessage
    receipt: Receipt
