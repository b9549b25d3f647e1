"""The world's objects in Discord's JSON."""

import re
from datetime import datetime
from urllib.parse import quote

from bot.loopback.discord.world import (
    HAS_THREAD,
    IS_COMPONENTS_V2,
    Channel,
    ChannelKind,
    Forwarded,
    Guild,
    Message,
    Role,
    StoredFile,
    User,
    World,
)
from bot.plugin.models import JsonObject

ALL_PERMISSIONS = str((1 << 53) - 1)
VIEW_CHANNEL = 1 << 10
CONNECT = 1 << 20
READ_HISTORY = 1 << 16
_ADMINISTRATOR = 1 << 3
MANAGE_MESSAGES = 1 << 13
MANAGE_EVENTS = 1 << 33
MANAGE_THREADS = 1 << 34
CREATE_EVENTS = 1 << 44
SEND_POLLS = 1 << 49
REQUIRE_TAG = 1 << 4
"""The flag of a forum whose posts must have a tag."""
_OF_ROLES = _ADMINISTRATOR | MANAGE_MESSAGES | MANAGE_EVENTS | MANAGE_THREADS | CREATE_EVENTS
_EVERYBODYS = str(int(ALL_PERMISSIONS) & ~_OF_ROLES)
_FORWARDED = (
    "type",
    "content",
    "embeds",
    "attachments",
    "timestamp",
    "edited_timestamp",
    "flags",
    "mentions",
    "mention_roles",
    "components",
)
"""The fields of a forwarded message that Discord passes on; its author is not among them."""
_USER_MENTION = re.compile(r"<@!?(\d+)>")
_ROLE_MENTION = re.compile(r"<@&(\d+)>")


class Payloads:
    """Builds the JSON of a world's objects; `cdn` is the address that file links begin with."""

    def __init__(self, world: World, *, history_nonces: bool) -> None:
        self._world = world
        self._history_nonces = history_nonces
        self.cdn = ""
        self.application_flags = 1 << 19  # message content, for an app that is in few guilds

    def user(self, user: User) -> JsonObject:
        return {
            "id": str(user.id),
            "username": user.name.lower(),
            "global_name": None if user.bot else user.name,
            "discriminator": "0",
            "avatar": None,
            "bot": user.bot,
            "public_flags": 0,
        }

    def own_user(self) -> JsonObject:
        return {
            **self.user(self._world.bot),
            "mfa_enabled": False,
            "locale": "en-US",
            "verified": True,
            "email": None,
            "flags": 0,
        }

    def application(self) -> JsonObject:
        bot = self._world.bot
        return {
            "id": str(bot.id),
            "name": bot.name,
            "description": "",
            "icon": None,
            "bot_public": False,
            "bot_require_code_grant": False,
            "owner": self.user(bot),
            "verify_key": "0" * 64,
            "flags": self.application_flags,
            "summary": "",
            "team": None,
        }

    def member(self, guild: Guild, user: User) -> JsonObject:
        return {
            "roles": [str(role) for role in self._world.roles_of(guild, user)],
            "joined_at": "2026-01-01T00:00:00.000000+00:00",
            "deaf": False,
            "mute": False,
            "flags": 0,
            "nick": None,
            "avatar": None,
            "permissions": ALL_PERMISSIONS,
        }

    def role(self, role: Role, position: int) -> JsonObject:
        written: JsonObject = {
            "id": str(role.id),
            "name": role.name,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "position": position,
            "permissions": _EVERYBODYS if role.name == "@everyone" else ALL_PERMISSIONS,
            "managed": role.bot is not None,
            "mentionable": True,
            "flags": 0,
        }
        return {**written, "tags": {"bot_id": str(role.bot)}} if role.bot is not None else written

    def guild(self, guild: Guild) -> JsonObject:
        places = [channel for channel in guild.channels if not channel.kind.is_thread]
        threads = [place for place in guild.channels if place.kind.is_thread and not place.archived]
        bot = self._world.bot
        return {
            "id": str(guild.id),
            "name": guild.name,
            "owner_id": "1",
            "roles": [self.role(role, position) for position, role in enumerate(guild.roles)],
            "emojis": [],
            "stickers": [],
            "features": [],
            "channels": [self.channel(channel) for channel in places],
            "threads": [self.channel(channel) for channel in threads],
            "members": [{**self.member(guild, bot), "user": self.user(bot)}],
            "member_count": len(self._world.users),
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
            "joined_at": "2026-01-01T00:00:00.000000+00:00",
            "large": False,
            "unavailable": False,
            "preferred_locale": "en-US",
            "premium_tier": 0,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "afk_timeout": 300,
            "system_channel_flags": 0,
        }

    def channel(self, channel: Channel) -> JsonObject:
        last = str(max(channel.messages)) if channel.messages else None
        kind = 12 if channel.closed else int(channel.kind)
        base: JsonObject = {"id": str(channel.id), "type": kind, "last_message_id": last}
        match channel.kind:
            case ChannelKind.DM:
                person = self._world.users[channel.recipient or 0]
                return {**base, "recipients": [self.user(person)], "flags": 0}
            case ChannelKind.GROUP:
                people = [self.user(self._world.users[one]) for one in sorted(channel.admits)]
                return {**base, "recipients": people, "owner_id": people[0]["id"], "name": None}
            case ChannelKind.THREAD | ChannelKind.ANNOUNCEMENT_THREAD:
                return {**base, **self._thread(channel)}
            case _:
                spoken = {"bitrate": 64_000, "user_limit": 0} if channel.kind.is_spoken else {}
                return {
                    **base,
                    **spoken,
                    "flags": 0,
                    "name": channel.name,
                    "guild_id": str(channel.guild.id) if channel.guild else None,
                    "position": 0,
                    "permission_overwrites": _hidden(channel),
                    "parent_id": str(channel.category) if channel.category else None,
                    "topic": None,
                    "nsfw": False,
                    "rate_limit_per_user": 0,
                    "permissions": ALL_PERMISSIONS,
                    **_forum(channel),
                }

    def _thread(self, thread: Channel) -> JsonObject:
        written: JsonObject = {
            "name": thread.name,
            "guild_id": str(thread.guild.id) if thread.guild else None,
            "parent_id": str(thread.parent.id) if thread.parent else None,
            "owner_id": str(thread.owner),
            "message_count": len(thread.messages),
            "member_count": 2,
            "total_message_sent": len(thread.messages),
            "rate_limit_per_user": 0,
            "flags": 0,
            "thread_metadata": {
                "archived": thread.archived,
                "auto_archive_duration": thread.archive_minutes,
                "archive_timestamp": "2026-01-01T00:00:00.000000+00:00",
                "locked": thread.locked,
            },
            "applied_tags": [str(tag) for tag in thread.applied],
        }
        if thread.owner == self._world.bot.id:
            joined = "2026-01-01T00:00:00.000000+00:00"
            written["member"] = {
                "id": str(thread.id),
                "user_id": str(thread.owner),
                "join_timestamp": joined,
                "flags": 1,
            }
        return written

    def message(
        self, message: Message, *, referenced: bool = True, fresh: bool = True
    ) -> JsonObject:
        """Return a message: `fresh` as in its creation or event, else as read from history."""
        named = map(int, _USER_MENTION.findall(message.content))
        users = [self._world.users[one] for one in named if one in self._world.users]
        replied = self._world.find_message(message.reply_to) if message.reply_to else None
        if (
            replied is not None
            and str(replied.author.id) in message.pings
            and replied.author not in users
        ):
            users.append(replied.author)
        written: JsonObject = {
            "id": str(message.id),
            "channel_id": str(message.channel.id),
            "author": self.user(message.author),
            "content": "" if message.flags & IS_COMPONENTS_V2 else message.content,
            "timestamp": moment(message.at),
            "edited_timestamp": moment(message.edited) if message.edited else None,
            "tts": False,
            "mention_everyone": "everyone" in message.pings,
            "mentions": [self._mentioned(message, user) for user in users],
            "mention_roles": _ROLE_MENTION.findall(message.content),
            "attachments": [self.file(message, number) for number in range(len(message.files))],
            "embeds": message.embeds,
            "components": message.components,
            "pinned": False,
            "type": message.kind or (19 if message.reply_to else 0),
            "flags": message.flags,
        }
        if message.reactions:
            written["reactions"] = [
                self._reaction(emoji, who) for emoji, who in message.reactions.items()
            ]
        if message.nonce is not None and (fresh or self._history_nonces):
            written["nonce"] = message.nonce
        if message.author.bot:
            written["application_id"] = str(message.author.id)
        thread = self._world.channels.get(message.id)
        if thread is not None and message.flags & HAS_THREAD:
            written["thread"] = self.channel(thread)
        if message.reply_to is not None and referenced:
            written |= self._reference(message, replied)
        if message.forwards is not None:
            written |= self._forwarded(message.forwards)
        if message.poll is not None:
            written["poll"] = message.poll
        return written

    def snapshot(self, message: Message) -> JsonObject:
        """Return the part of a message that is forwarded."""
        whole = self.message(message, referenced=False, fresh=False)
        return {name: whole[name] for name in _FORWARDED}

    def message_event(self, message: Message) -> JsonObject:
        """Return a message as in its events, with the kind of channel, the guild and the member."""
        written: JsonObject = {**self.message(message), "channel_type": int(message.channel.kind)}
        guild = message.channel.guild
        if guild is not None:
            written |= {"guild_id": str(guild.id), "member": self.member(guild, message.author)}
        return written

    def file(self, message: Message, number: int) -> JsonObject:
        return self.form_file(message.channel, message.files[number])

    def form_file(self, channel: Channel, file: StoredFile) -> JsonObject:
        """Return a file as messages and submitted modals show it."""
        path = f"attachments/{channel.id}/{file.id}/{quote(file.name)}"
        link = f"{self.cdn}/{path}?ex={file.signature}"
        shown: JsonObject = {
            "id": str(file.id),
            "filename": file.name,
            "size": len(file.data),
            "content_type": file.mime,
            "url": link,
            "proxy_url": link,
        }
        if file.seconds:
            shown |= {"duration_secs": file.seconds, "waveform": "AAA="}
        return shown

    def _mentioned(self, message: Message, user: User) -> JsonObject:
        guild = message.channel.guild
        return {**self.user(user), "member": self.member(guild, user)} if guild else self.user(user)

    def _reaction(self, emoji: str, who: set[int]) -> JsonObject:
        return {
            "emoji": {"id": None, "name": emoji},
            "count": len(who),
            "count_details": {"burst": 0, "normal": len(who)},
            "burst_colors": [],
            "me": self._world.bot.id in who,
            "me_burst": False,
        }

    def _forwarded(self, forwards: Forwarded) -> JsonObject:
        reference = _pointer(1, str(forwards.message), forwards.channel)
        return {
            "message_reference": reference,
            "message_snapshots": [{"message": forwards.snapshot}],
        }

    def _reference(self, message: Message, replied: Message | None) -> JsonObject:
        reference = _pointer(0, str(message.reply_to), message.channel)
        shown = self.message(replied, referenced=False, fresh=False) if replied else None
        return {"message_reference": reference, "referenced_message": shown}


def _forum(channel: Channel) -> JsonObject:
    """Return what a forum or media channel has beside other channels."""
    if channel.kind not in {ChannelKind.FORUM, ChannelKind.MEDIA}:
        return {}
    shown = [
        {"id": str(one.id), "name": one.name, "moderated": one.moderated}
        | {"emoji_id": None, "emoji_name": None}
        for one in channel.tags.values()
    ]
    flags = REQUIRE_TAG if channel.needs_tag else 0
    return {"available_tags": shown, "flags": flags, "default_auto_archive_duration": 4320}


def _pointer(kind: int, message: str, channel: Channel) -> JsonObject:
    """Return the reference of a reply (0) or of a forwarded message (1)."""
    reference: JsonObject = {"type": kind, "message_id": message, "channel_id": str(channel.id)}
    return reference | ({"guild_id": str(channel.guild.id)} if channel.guild else {})


def moment(at: datetime) -> str:
    return at.isoformat(timespec="microseconds")


def _hidden(channel: Channel) -> list[JsonObject]:
    """Return the overwrites that hide or bar a channel: @everyone may not, its people may."""
    denied = VIEW_CHANNEL if channel.hidden else 0
    denied |= CONNECT if channel.barred else 0
    denied |= READ_HISTORY if channel.forgets else 0
    denied |= channel.withheld
    if not denied or channel.guild is None:
        return []
    bits = str(denied)
    admitted = [
        {"id": str(one), "type": 1, "allow": bits, "deny": "0"} for one in sorted(channel.admits)
    ]
    return [
        {"id": str(channel.guild.id), "type": 0, "allow": "0", "deny": bits},
        *admitted,
    ]
