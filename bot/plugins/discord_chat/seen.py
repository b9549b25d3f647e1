"""Discord's events as plain values: `objects` and `client` write them, `intake` reads them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from bot.plugin.chat import DeliveryError, PlatformPerson, Visibility
from bot.plugin.commands import MenuAction
from bot.plugin.payloads import plain_name

Answer: TypeAlias = dict[str, Any]
"""The body of the first response to an interaction."""


@dataclass(frozen=True)
class SeenPlace:
    """A channel, thread or DM."""

    channel: str
    guild: str | None = None
    """None in a direct message, and in a group of several people."""
    parent: str | None = None
    """Of a thread: the channel that it hangs on."""
    thread_owner: str | None = None
    title: str = ""
    category: str = ""
    """The id of the channel's category."""
    visibility: Visibility = Visibility.UNKNOWN
    """Whether everybody on the server reads the channel."""
    closed: bool = False
    """Whether this is a thread that only those who were invited read."""
    tags: tuple[str, ...] = ()
    """Of a post in a forum: the names of its tags."""
    group: bool = False
    """Whether several people read this place outside any server."""

    @property
    def tag_words(self) -> str:
        """The tags of a post as a line of its first message; nothing without any."""
        return f"[tags: {', '.join(map(plain_name, self.tags))}]" if self.tags else ""

    @property
    def is_thread(self) -> bool:
        return self.parent is not None

    @property
    def is_direct(self) -> bool:
        """Whether one person and the bot alone read it."""
        return self.guild is None and not self.group


@dataclass(frozen=True)
class SeenMember:
    """A person in a server, with their roles there."""

    person: PlatformPerson
    other_names: tuple[str, ...] = ()
    """The name on Discord and the handle, if their server knows them by another."""


@dataclass(frozen=True)
class SeenFile:
    """A file as Discord sent it.

    Unlike the domain's `Attachment` it has the signed address, which expires and is never stored,
    and does not know its place yet.
    """

    id: str
    name: str
    mime: str
    size: int
    url: str
    spoken: bool = False
    """A voice message of its sender."""
    seconds: float = 0.0


@dataclass(frozen=True)
class SeenMessage:
    """A message of somebody else.

    `names` reads mentions: `@1` a person, `@&1` a role, `#1` a channel.
    """

    id: str
    place: SeenPlace
    author: PlatformPerson
    content: str
    at: datetime
    bot: str
    """The bot's own user id."""
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    bot_roles: frozenset[str] = frozenset()
    """Roles that belong to the bot alone; mentioning one means the bot."""
    reply_to: str | None = None
    reply_author: str | None = None
    files: tuple[SeenFile, ...] = ()
    edited_at: datetime | None = None
    quoted: "tuple[SeenQuote, ...]" = ()
    sees_past: bool = True
    """Whether the author may read the channel's history."""


@dataclass(frozen=True)
class SeenQuote:
    """A message that a message replies to or forwards, as far as Discord sent it.

    The domain's `QuotedMessage` has the text with names; here they are ids still, and `names` reads
    them: only `intake` turns one into the other.
    """

    author: PlatformPerson
    """Nobody is told who wrote a forwarded message."""
    content: str
    files: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """As those of a message."""
    at: tuple[str, str] = ("", "")
    """Ids of its channel and of itself, if it stands in place of the message."""
    attached: tuple[SeenFile, ...] = ()
    """The files themselves, where `at` is known."""


@dataclass(frozen=True)
class SeenHistory:
    """A channel after a message: messages of others, oldest first, and the newest of anybody."""

    messages: tuple[SeenMessage, ...]
    newest: str | None
    newest_at: datetime | None
    edited: tuple[SeenMessage, ...] = ()
    """Of the earlier messages that were read as well: the changed ones, and the existing ones."""
    standing: frozenset[str] = frozenset()
    whole: bool = True
    """Whether everything requested was read."""


@dataclass(frozen=True)
class SeenChannel:
    """A channel or thread of a guild that the bot can read, with its newest message."""

    id: str
    parent: str | None
    newest: str


@dataclass(frozen=True)
class SeenRights:
    """A person's current permissions in a channel."""

    read: bool = False
    write: bool = False
    polls: bool = False
    """Whether they may post polls."""
    removes: bool = False
    """Whether they may take away what others post."""
    threads: bool = False
    """Whether they may change threads of others."""
    makes_events: bool = False
    """Whether they may make events of the server."""
    manages_events: bool = False
    """Whether they may cancel those of others, too."""


@dataclass(frozen=True)
class SeenDeletion:
    id: str
    place: SeenPlace


@dataclass(frozen=True)
class SeenReaction:
    """An emoji on a message."""

    message: str
    place: SeenPlace
    person: PlatformPerson
    emoji: str
    """The sign, or the name of an emoji of the server."""


@dataclass(frozen=True)
class SeenInteraction:
    """A command or click. `token` is None when it came too late to be answered through it."""

    id: str
    place: SeenPlace
    person: PlatformPerson
    at: datetime
    token: str | None
    sees_past: bool = field(default=True, kw_only=True)
    """Whether the person may read the channel's history."""
    locale: str = field(default="", kw_only=True)
    """The language of the person's app."""


@dataclass(frozen=True)
class SeenCommand(SeenInteraction):
    name: str = ""
    args: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    """Of a form that was handed in, by field."""
    form: str = ""
    """What the form is about: the interaction that opened it."""
    menu: MenuAction | None = None
    """What was chosen from the menu of a message or a person."""
    target: "SeenQuote | None" = None
    """The message of that menu."""
    about: PlatformPerson | None = None
    """The person of that menu."""
    files: tuple[SeenFile, ...] = ()
    """What was put into the form."""


@dataclass(frozen=True)
class SeenTyping(SeenInteraction):
    """Somebody is filling in the option of a command that completes."""

    typed: str = ""
    name: str = ""
    """The command."""


@dataclass(frozen=True)
class SeenClick(SeenInteraction):
    custom_id: str = ""
    values: tuple[str, ...] = ()
    message: str = ""
    """The message with the button, and the one that it replies to."""
    message_reply_to: str | None = None
    own_response: bool = True
    """Whether an answer of its own was announced; else follow-ups only."""
    note: str = ""
    """What was said in the form that the click opened, and the files put into it."""
    files: tuple[SeenFile, ...] = ()


@dataclass(frozen=True)
class Upload:
    name: str
    mime: str
    data: bytes


@dataclass(frozen=True)
class RestCall:
    """One REST call.

    `path` is a template whose names `ids` fills, so that rate limits are counted per route.
    """

    method: str
    path: str
    ids: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Any = None
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    files: tuple[Upload, ...] = ()

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(frozen=True)
class Line:
    """What `client` gives the adapter once it is logged in."""

    bot: str
    call: Callable[[RestCall], Awaitable[Any]]
    """Raises CallRefused or CallFailed."""
    download: Callable[[str], AbstractAsyncContextManager[AsyncIterator[bytes]]]
    """Opens a link to a file, to be read in pieces.

    Raises CallRefused or CallFailed, also while it is read.
    """
    history: Callable[[str, str, str], Awaitable[SeenHistory]]
    """Channel and message ids: what was written there after it, and since an earlier one.

    Raises CallRefused or CallFailed.
    """
    channels: Callable[[], list[SeenChannel]]
    """Those of the servers that are there."""
    silence: Callable[[], float | None]
    """Seconds since the gateway's last frame; None while there is no connection."""
    guilds: Callable[[], list[str]]
    """Ids of the servers that the bot is in, once they are listed."""
    servers_away: Callable[[], bool]
    """Whether a server of the bot is unavailable now: late after a login, or in an outage."""
    rights: Callable[[str, str, str], Awaitable[SeenRights]]
    """Server, channel and person. Raises CallRefused or CallFailed."""
    visibility: Callable[[str], Visibility]
    """Who reads a channel now; UNKNOWN where it is gone. Raises CallFailed before it is known."""
    is_closed: Callable[[str], Awaitable[bool]]
    """Whether only those who were invited read a thread. Raises CallRefused or CallFailed."""
    name_of: Callable[[str], str]
    """The name of a channel; empty where it is not known."""
    place: Callable[[str, str], Awaitable[SeenPlace]]
    """A channel of a server, with what surrounds it: server and channel."""
    places: Callable[[str], list[SeenPlace]]
    """The channels of a server that can be written to."""


_LACKS_RIGHTS = {50001, 50013}
"""Discord's codes where Bellhop lacks access to a channel, or a permission in it."""


class CallRefused(DeliveryError):
    """Discord answered a call with an error."""

    def __init__(self, status: int, code: int, text: str) -> None:
        said = f"{status} ({code}): {text}"
        can = "; whoever manages the server can" if code in _LACKS_RIGHTS else ""
        super().__init__(
            f"Discord does not allow Bellhop to do that there{can}: {said}"
            if status == 403
            else f"Discord refused that: {said}",
            retryable=status in {401, 408, 429} or status >= 500,
        )
        self.status = status
        self.code = code


class CallFailed(DeliveryError):
    """No answer: the connection broke, or the wait for a rate limit would be too long."""

    def __init__(self, text: str, retry_after: float | None = None) -> None:
        super().__init__(f"Discord did not answer: {text}", retryable=True)
        self.retry_after = retry_after
        """Seconds to leave the same route alone, when a rate limit is the reason."""


class Events(Protocol):
    """What the adapter does with what was seen."""

    async def logged_in(self, line: Line) -> None: ...

    async def lost(self) -> None:
        """A new session began, or a server became (un)available: something may be missed."""
        ...

    async def listed(self) -> None:
        """What there is to catch up with can be read now, as far as servers are there."""
        ...

    async def message(self, channel: str, read: Callable[[], Awaitable[SeenMessage]]) -> None:
        """A channel's event takes its place at once; `read` may make calls and is awaited later."""
        ...

    async def edited(self, channel: str, read: Callable[[], Awaitable[SeenMessage]]) -> None: ...

    async def deleted(self, channel: str, read: Callable[[], Awaitable[SeenDeletion]]) -> None: ...

    async def reacted(self, channel: str, read: Callable[[], Awaitable[SeenReaction]]) -> None: ...

    async def command(self, seen: SeenCommand) -> None: ...

    async def click(self, seen: SeenClick) -> None: ...

    def moved(self, joined: str = "") -> None:
        """The bot came into a server, or was put out of one."""
        ...

    def asks(self, seen: SeenCommand) -> Answer | None:
        """The body of an immediate answer instead of running the command: a form."""
        ...

    async def complete(self, seen: SeenTyping) -> Answer:
        """The body of an answer with what may stand in an option."""
        ...
