"""The workspace: people, channels, messages, files and streams, as data without protocol."""

import itertools
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from bot.plugin.clock import Clock
from bot.plugin.models import JsonObject

TEAM = "T0000HOUSE"
APP = "A0000BELL"
BOT_USER = "U0000BELL"
BOT = "B0000BELL"
CANVAS = "application/vnd.slack-docs"
STREAM_LIFE = timedelta(minutes=5)


class ChannelKind(StrEnum):
    """The kind of a channel, as `channel_type` of a message event names it."""

    IM = "im"
    MPIM = "mpim"
    PUBLIC = "channel"
    PRIVATE = "group"


@dataclass
class Member:
    """Somebody with an account in the workspace."""

    id: str
    name: str
    real_name: str
    is_bot: bool = False
    tz: str = "Europe/Berlin"
    title: str = ""
    locale: str = "en-US"
    guest: bool = False
    """Reads only the channels that they were added to."""
    gone: bool = False
    team: str = TEAM
    """Another one for somebody of another company, who shares channels with this workspace."""
    organisation: str = ""
    """The Enterprise Grid organisation; people of it are no strangers, whatever their workspace."""

    def as_json(self) -> JsonObject:
        profile = {"display_name": self.name, "real_name": self.real_name, "title": self.title}
        grid: JsonObject = (
            {"enterprise_user": {"id": self.id, "enterprise_id": self.organisation}}
            if self.organisation
            else {}
        )
        return {
            **grid,
            "id": self.id,
            "team_id": self.team,
            "is_stranger": self.team != TEAM and not self.organisation,
            "name": self.name,
            "real_name": self.real_name,
            "is_bot": self.is_bot,
            "deleted": self.gone,
            "is_restricted": self.guest,
            "tz": self.tz,
            "profile": profile,
        }

    def as_changed(self, at: int) -> JsonObject:
        """The whole user object of a `user_change` event."""
        shown = self.as_json()
        if grid := shown.get("enterprise_user"):
            house = {"enterprise_name": "House", "is_admin": False, "is_owner": False}
            shown["enterprise_user"] = {**grid, **house, "teams": [self.team]}
        texts = ("phone", "skype", "first_name", "last_name", "avatar_hash")
        status = ("status_text", "status_text_canonical", "status_emoji")
        names = {"real_name_normalized": self.real_name, "display_name_normalized": self.name}
        shown["profile"] |= {
            **dict.fromkeys((*texts, *status), ""),
            **{f"image_{size}": "" for size in (24, 32, 48, 72, 192, 512)},
            **names,
            "status_emoji_display_info": [],
            "status_expiration": 0,
            "fields": {},
            "team": self.team,
        }
        marks = ("admin", "owner", "primary_owner", "ultra_restricted", "app_user")
        return {
            **shown,
            **{f"is_{mark}": False for mark in marks},
            "is_email_confirmed": True,
            "color": "9f69e7",
            "tz_label": self.tz,
            "tz_offset": 3600,
            "locale": self.locale,
            "updated": at,
            "who_can_share_contact_card": "EVERYONE",
        }


@dataclass
class Channel:
    """A place for messages; `members` holds user ids."""

    id: str
    name: str
    kind: ChannelKind
    members: set[str]
    archived: bool = False
    shared: bool = False
    """Whether another company is in it, too (Slack Connect)."""

    def as_json(self) -> JsonObject:
        return {
            "id": self.id,
            "name": self.name,
            "is_im": self.kind is ChannelKind.IM,
            "is_mpim": self.kind is ChannelKind.MPIM,
            "is_private": self.kind is not ChannelKind.PUBLIC,
            "is_archived": self.archived,
            "is_shared": self.shared,
            "is_ext_shared": self.shared,
            "is_member": BOT_USER in self.members,
        }


@dataclass
class StoredFile:
    """A file; `mode` is hosted, external, foreign (of another company) or tombstone.

    `shared` says whether it was completed.
    """

    id: str
    name: str
    mime: str
    data: bytes
    owner: str
    mode: str = "hosted"
    shared: bool = True
    clip: str = ""
    """`slack_audio` or `slack_video`: it was recorded in Slack."""
    seconds: float = 0.0
    public: bool = False
    """Whether it was posted to a public channel."""
    elsewhere: str = ""
    """The service that keeps it, such as `gdrive`."""

    @property
    def is_canvas(self) -> bool:
        """Slack states a type of its own, and hands out HTML."""
        return self.mime == CANVAS

    def as_json(self, base: str) -> JsonObject:
        if self.mode == "tombstone":
            return {"id": self.id, "mode": "tombstone"}
        shown: JsonObject = {
            "id": self.id,
            "name": self.name,
            "title": self.name,
            "mimetype": self.mime,
            "size": len(self.data),
            "user": self.owner,
            "mode": self.mode,
            "is_public": self.public,
        }
        if self.clip:
            shown |= {"subtype": self.clip, "duration_ms": round(self.seconds * 1000)}
        if self.elsewhere:
            shown |= {"is_external": True, "external_type": self.elsewhere}
        if self.is_canvas:
            shown |= {"filetype": "quip", "pretty_type": "Canvas"}
        if self.mode == "hosted":
            shown["url_private"] = f"{base}/files/{self.id}"
            shown["url_private_download"] = f"{base}/files/{self.id}/download"
        return shown


@dataclass
class Draft:
    """A message that somebody is writing: no channel has it yet."""

    unfurl_id: str
    user: str
    text: str
    previews: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """What is shown of links in it, by URL."""


@dataclass
class Stream:
    """The stream of a message that is being written."""

    expires: datetime
    open: bool = True


@dataclass
class Message:
    """One message; it is ephemeral when `only_for` is set."""

    channel: str
    ts: str
    user: str
    text: str
    thread_ts: str | None = None
    markdown: bool = False
    blocks: list[JsonObject] = field(default_factory=list[JsonObject])
    files: list[StoredFile] = field(default_factory=list[StoredFile])
    metadata: JsonObject | None = None
    edited_ts: str | None = None
    deleted: bool = False
    only_for: str | None = None
    tasks: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    stream: Stream | None = None
    reactions: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    unfurl: bool = True
    attachments: list[JsonObject] = field(default_factory=list[JsonObject])
    """What an app shows below its text, or the message that this one forwards."""
    app: str = ""
    """The bot id of another app that posted it."""
    previews: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """What the app showed below links, by address."""

    @property
    def from_bot(self) -> bool:
        return self.user == BOT_USER

    @property
    def root(self) -> str:
        """Return the timestamp of the thread that the message is in or would open."""
        return self.thread_ts or self.ts

    def as_json(self, base: str, *, metadata: bool = False) -> JsonObject:
        shown: JsonObject = {
            "type": "message",
            "ts": self.ts,
            "user": self.user,
            "text": self.text,
            "team": TEAM,
        }
        if self.thread_ts:
            shown["thread_ts"] = self.thread_ts
        if self.blocks:
            shown["blocks"] = self.blocks
        if self.files:
            shown["files"] = [file.as_json(base) for file in self.files]
        if self.attachments:
            shown["attachments"] = self.attachments
        if self.edited_ts:
            shown["edited"] = {"user": self.user, "ts": self.edited_ts}
        if self.from_bot:
            shown |= {"bot_id": BOT, "app_id": APP}
        if self.app:
            shown |= {"bot_id": self.app, "subtype": "bot_message"}
        if metadata and self.metadata:
            shown["metadata"] = self.metadata
        return shown


@dataclass
class AgentSession:
    """What a person sees of the agent's work in one thread."""

    status: str
    title: str = ""
    past: list[str] = field(default_factory=list[str])


class World:
    """All state of the workspace; timestamps never repeat."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.members: dict[str, Member] = {
            BOT_USER: Member(BOT_USER, "bellhop", "Bellhop", is_bot=True)
        }
        self.organisation = ""
        """The Enterprise Grid organisation that this workspace is in, if any."""
        self.channels: dict[str, Channel] = {}
        self.messages: list[Message] = []
        self.files: dict[str, StoredFile] = {}
        self.drafts: dict[str, Draft] = {}
        """By the id that an app uses for their previews."""
        self.groups: dict[str, set[str]] = {}
        self.sessions: dict[tuple[str, str | None], AgentSession] = {}
        self.prompts: dict[str, list[JsonObject]] = {}
        self.views: list[JsonObject] = []
        """Forms that were opened, each with its `id` and the `user` who sees it."""
        self.step_runs: dict[str, JsonObject | None] = {}
        """Runs of steps in workflows: their outputs or error; None while they run."""
        self.homes: dict[str, JsonObject] = {}
        """The page that each person sees in the app's home tab."""
        self.triggers: dict[str, tuple[str, float]] = {}
        self.action_tokens: set[str] = set()
        """Tokens that events carried; each lets the app search public messages."""
        """What a person did that lets the app open one form within three seconds: who, and when."""
        self._counter = itertools.count(1)
        self._newest_ms = 0

    def next_ts(self) -> str:
        """Return a timestamp of this moment, always later than the last one."""
        self._newest_ms = max(self._newest_ms + 1, int(self.clock.now().timestamp() * 1000))
        return f"{self._newest_ms // 1000}.{self._newest_ms % 1000:03d}100"

    def next_id(self, prefix: str) -> str:
        return f"{prefix}{next(self._counter):08d}"

    def next_trigger(self, user: str) -> str:
        trigger = self.next_id("trigger.")
        self.triggers[trigger] = (user, self.clock.monotonic())
        return trigger

    # --- people and places ---

    def add_member(self, name: str, *, is_bot: bool = False) -> Member:
        known = next((member for member in self.members.values() if member.name == name), None)
        if known is not None:
            return known
        member = Member(f"U{len(self.members):04d}{name.upper()}", name, name.capitalize(), is_bot)
        self.members[member.id] = member
        return member

    def add_channel(self, name: str, kind: ChannelKind, members: set[str]) -> Channel:
        prefix = {"im": "D", "mpim": "G"}.get(kind, "C")
        channel = Channel(
            f"{prefix}{len(self.channels):04d}{re.sub('[^A-Z]', '', name.upper())}",
            name,
            kind,
            members,
        )
        self.channels[channel.id] = channel
        return channel

    def dm_with(self, user: str) -> Channel:
        """Return the direct messages between the app and this person."""
        for channel in self.channels.values():
            if channel.kind is ChannelKind.IM and channel.members == {user, BOT_USER}:
                return channel
        return self.add_channel(f"dm{self.members[user].name}", ChannelKind.IM, {user, BOT_USER})

    # --- messages ---

    def add(self, message: Message) -> Message:
        self.messages.append(message)
        return message

    def message(self, channel: str, ts: str) -> Message | None:
        return next(
            (m for m in self.messages if m.channel == channel and m.ts == ts and not m.deleted),
            None,
        )

    def was_deleted(self, channel: str, ts: str) -> bool:
        return any(m.deleted for m in self.messages if (m.channel, m.ts) == (channel, ts))

    def in_channel(self, channel: str) -> list[Message]:
        return [
            m for m in self.messages if m.channel == channel and not m.deleted and not m.only_for
        ]

    def latest_reply(self, root: Message) -> str | None:
        replies = [
            m.ts
            for m in self.in_channel(root.channel)
            if m.thread_ts == root.ts and m.ts != root.ts
        ]
        return max(replies, default=None)

    def in_thread(self, channel: str, root: str) -> list[Message]:
        return [m for m in self.in_channel(channel) if m.root == root]

    def top_level(self, channel: str) -> list[Message]:
        return [m for m in self.in_channel(channel) if m.thread_ts in {None, m.ts}]

    def open_stream(self, message: Message) -> None:
        message.stream = Stream(self.clock.now() + STREAM_LIFE)

    def streaming(self, message: Message) -> bool:
        """Whether text can still be appended; a stream expires by age, even if it is in use."""
        stream = message.stream
        return stream is not None and stream.open and self.clock.now() < stream.expires

    def set_status(
        self, channel: str, thread: str | None, status: str, title: str = ""
    ) -> AgentSession:
        session = self.sessions.setdefault((channel, thread), AgentSession(status))
        session.status = status
        session.title = title or session.title
        session.past.append(status)
        return session
