"""The state of the loopback Discord: guilds, channels, people, messages.

It is plain data, without any protocol.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum

from bot.plugin.clock import Clock
from bot.plugin.models import JsonObject

EPOCH_MS = 1_420_070_400_000
"""First moment of 2015: snowflakes count from there."""

EPHEMERAL = 1 << 6
LOADING = 1 << 7
HAS_THREAD = 1 << 5
SUPPRESS_EMBEDS = 1 << 2
HAS_SNAPSHOT = 1 << 14
IS_COMPONENTS_V2 = 1 << 15


class ChannelKind(IntEnum):
    TEXT = 0
    DM = 1
    VOICE = 2
    GROUP = 3
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    THREAD = 11
    STAGE = 13
    FORUM = 15
    MEDIA = 16

    @property
    def is_thread(self) -> bool:
        return self in {ChannelKind.THREAD, ChannelKind.ANNOUNCEMENT_THREAD}

    @property
    def is_spoken(self) -> bool:
        """Whether people talk there; its chat is for those who may join."""
        return self in {ChannelKind.VOICE, ChannelKind.STAGE}


@dataclass
class Role:
    id: int
    name: str
    bot: int | None = None
    """The application whose own role this is."""


@dataclass
class User:
    id: int
    name: str
    bot: bool = False
    roles: list[int] = field(default_factory=list[int])
    locale: str = "en-US"
    """The language of their app."""


@dataclass
class Guild:
    id: int
    name: str
    roles: list[Role] = field(default_factory=list[Role])
    channels: list["Channel"] = field(default_factory=list["Channel"])
    left: set[int] = field(default_factory=set[int])
    """People who have left."""
    foreign: bool = False
    """Whether the bot is not in it."""
    events: dict[int, "ScheduledEvent"] = field(default_factory=dict[int, "ScheduledEvent"])


@dataclass
class ScheduledEvent:
    id: int
    guild: Guild
    creator: int
    body: JsonObject
    """As it was made."""
    status: int = 1
    interested: int = 0


@dataclass(frozen=True)
class ForumTag:
    id: int
    name: str
    moderated: bool = False
    """Whether only moderators set it."""


@dataclass
class Channel:
    id: int
    kind: ChannelKind
    name: str
    guild: Guild | None = None
    parent: "Channel | None" = None
    owner: int | None = None
    """Who started the thread."""
    recipient: int | None = None
    """The person of a DM."""
    denied: set[str] = field(default_factory=set[str])
    """What the bot may not do here: `threads`, `send`, `read`, `polls`, `manage`."""
    messages: dict[int, "Message"] = field(default_factory=dict[int, "Message"])
    category: int | None = None
    hidden: bool = False
    """Whether only some people on the server see it."""
    barred: bool = False
    """Whether everybody sees it, but only some may join it."""
    withheld: int = 0
    """Permissions that only some people have here, as Discord's bits."""
    forgets: bool = False
    """Whether everybody sees it, but only some may read what was written before."""
    admits: set[int] = field(default_factory=set[int])
    """People who see it although it is hidden; of a closed thread, those who were invited."""
    closed: bool = False
    """Whether this is a thread that only invited people see."""
    archived: bool = False
    """Whether this is an archived thread, which active lists leave out."""
    locked: bool = False
    archive_minutes: int = 1440
    """After so many minutes of silence a thread is archived."""
    tags: dict[int, "ForumTag"] = field(default_factory=dict[int, "ForumTag"])
    """What a forum offers for its posts."""
    applied: list[int] = field(default_factory=list[int])
    """The tags of a post."""
    needs_tag: bool = False
    """Whether a post of this forum must have a tag."""

    @property
    def mention(self) -> str:
        return f"<#{self.id}>"

    @property
    def texts(self) -> list[str]:
        return [message.content for message in self.messages.values()]


@dataclass
class StoredFile:
    id: int
    name: str
    mime: str
    data: bytes
    expired: bool = False
    """The signed link has expired; reading the message again gives a new one."""
    signature: int = 1
    seconds: float = 0.0
    """The length of a voice message."""


@dataclass(frozen=True)
class Forwarded:
    """Where a message was forwarded from, and what it held then; the author is not disclosed."""

    channel: "Channel"
    message: int
    snapshot: JsonObject


@dataclass
class Message:
    id: int
    channel: Channel
    author: User
    content: str
    """What people read; of a message of components, their texts. Its own `content` is empty."""
    at: datetime
    nonce: str | None = None
    nonce_counts: bool = True
    """Whether a repeated nonce returns this message; Discord looks back a few minutes."""
    edited: datetime | None = None
    files: list[StoredFile] = field(default_factory=list[StoredFile])
    components: list[JsonObject] = field(default_factory=list[JsonObject])
    embeds: list[JsonObject] = field(default_factory=list[JsonObject])
    flags: int = 0
    reply_to: int | None = None
    forwards: "Forwarded | None" = None
    poll: JsonObject | None = None
    kind: int = 0
    """Discord's type of a message that no person wrote."""
    reactions: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    pings: set[str] = field(default_factory=set[str])
    """Whom it actually notified: user and role ids, `everyone`."""
    only_for: int | None = None
    """The one person who sees an ephemeral message."""
    versions: list[str] = field(default_factory=list[str])
    """Every content that the message has had, including the first."""

    @property
    def buttons(self) -> list[JsonObject]:
        """Return everything that can be clicked, in order."""
        return list(_clickable(self.components))

    @property
    def labels(self) -> list[str]:
        return [item.get("label", item.get("placeholder", "")) for item in self.buttons]


def _clickable(components: list[JsonObject]) -> Iterator[JsonObject]:
    for one in components:
        if one["type"] in {2, 3}:
            yield one
        yield from _clickable(one.get("components", []))
        yield from _clickable([one["accessory"]] if "accessory" in one else [])


class World:
    """All state, with ids that grow like Discord's."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last_id = 0
        self._tokens = itertools.count(1)
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        """Those that the bot is in."""
        self.foreign: set[str] = set()
        """Ids of the others."""
        self.channels: dict[int, Channel] = {}
        self.form_files: list[StoredFile] = []
        """What people put into modals; no message has it."""
        self.bot = self.add_user("Bellhop", bot=True)

    def now(self) -> datetime:
        return self._clock.now()

    def next_id(self) -> int:
        """Return a snowflake of this moment, always larger than the last one."""
        moment = (int(self._clock.now().timestamp() * 1000) - EPOCH_MS) << 22
        self._last_id = max(self._last_id + 1, moment)
        return self._last_id

    def next_token(self) -> str:
        return f"interaction-token-{next(self._tokens)}"

    def add_user(self, name: str, *, bot: bool = False) -> User:
        user = User(self.next_id(), name, bot)
        self.users[user.id] = user
        return user

    def add_guild(self, name: str, *, foreign: bool = False) -> Guild:
        guild = Guild(self.next_id(), name, foreign=foreign)
        guild.roles.append(Role(guild.id, "@everyone"))
        guild.roles.append(Role(self.next_id(), self.bot.name, bot=self.bot.id))
        if foreign:
            self.foreign.add(str(guild.id))
        else:
            self.guilds[guild.id] = guild
        return guild

    def add_role(self, guild: Guild, name: str) -> Role:
        role = Role(self.next_id(), name)
        guild.roles.append(role)
        return role

    def add_channel(self, guild: Guild, name: str, kind: ChannelKind = ChannelKind.TEXT) -> Channel:
        channel = Channel(self.next_id(), kind, name, guild)
        guild.channels.append(channel)
        self.channels[channel.id] = channel
        return channel

    def add_tag(self, forum: Channel, name: str, *, moderated: bool = False) -> ForumTag:
        tag = ForumTag(self.next_id(), name, moderated)
        forum.tags[tag.id] = tag
        return tag

    def add_thread(self, parent: Channel, name: str, owner: int, id_: int | None = None) -> Channel:
        news = parent.kind is ChannelKind.ANNOUNCEMENT
        kind = ChannelKind.ANNOUNCEMENT_THREAD if news else ChannelKind.THREAD
        thread = Channel(id_ or self.next_id(), kind, name, parent.guild, parent, owner)
        if parent.guild is not None:
            parent.guild.channels.append(thread)
        self.channels[thread.id] = thread
        return thread

    def add_group(self, *people: int) -> Channel:
        """A direct conversation of several people, in which one uses the app."""
        channel = Channel(self.next_id(), ChannelKind.GROUP, "", admits=set(people))
        self.channels[channel.id] = channel
        return channel

    def dm(self, person: int) -> Channel:
        """Return the direct-message channel of the bot and a person."""
        for channel in self.channels.values():
            if channel.kind is ChannelKind.DM and channel.recipient == person:
                return channel
        channel = Channel(self.next_id(), ChannelKind.DM, "", recipient=person)
        self.channels[channel.id] = channel
        return channel

    def add_message(
        self, channel: Channel, author: User, content: str, id_: int | None = None
    ) -> Message:
        own = id_ or self.next_id()
        message = Message(own, channel, author, content, self.now(), versions=[content])
        channel.messages[message.id] = message
        return message

    def find_message(self, id_: int) -> Message | None:
        for channel in self.channels.values():
            if id_ in channel.messages:
                return channel.messages[id_]
        return None

    def all_messages(self) -> Iterator[Message]:
        """Return every message, oldest first."""
        everything = [
            message for channel in self.channels.values() for message in channel.messages.values()
        ]
        yield from sorted(everything, key=lambda message: message.id)

    def roles_of(self, guild: Guild, user: User) -> list[int]:
        own = {role.id for role in guild.roles}
        return [role for role in user.roles if role in own]
