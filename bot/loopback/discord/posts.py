"""Posts, edits and deletes messages, and sends the events."""

import itertools
import re
from dataclasses import dataclass

from bot.loopback.discord.bodies import ApiError, invalid, objects, texts
from bot.loopback.discord.gateway import Gateway
from bot.loopback.discord.layouts import is_layout, text_of
from bot.loopback.discord.payloads import Payloads
from bot.loopback.discord.polls import POLL_RESULT, begun_poll, finish
from bot.loopback.discord.world import (
    HAS_SNAPSHOT,
    HAS_THREAD,
    IS_COMPONENTS_V2,
    SUPPRESS_EMBEDS,
    Channel,
    ChannelKind,
    Forwarded,
    Message,
    StoredFile,
    User,
    World,
)
from bot.plugin.models import JsonObject

_MENTION = re.compile(r"<@([!&]?)(\d+)>")


@dataclass
class Posts:
    """Changes messages and threads, and dispatches the events."""

    world: World
    payloads: Payloads
    gateway: Gateway

    def create(
        self,
        channel: Channel,
        author: User,
        body: JsonObject,
        files: list[StoredFile] | None = None,
        only_for: int | None = None,
    ) -> Message:
        """Post a message. Raises ApiError for a reply to a message that doesn't exist."""
        reference: JsonObject = body.get("message_reference") or {}
        reply_to = int(reference["message_id"]) if reference else None
        if reply_to is not None and reply_to not in channel.messages:
            if reference.get("fail_if_not_exists", True):
                raise invalid(
                    "message_reference", "Unknown message", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE"
                )
            reply_to = None
        message = self.world.add_message(channel, author, _written(body))
        message.nonce = None if body.get("nonce") is None else str(body["nonce"])
        message.files = files or []
        message.components = number_components(body.get("components") or [])
        message.embeds = list(body.get("embeds") or [])
        message.flags = int(body.get("flags") or 0)
        message.reply_to = reply_to
        message.poll = body.get("poll")
        if message.poll is not None and "duration" in message.poll:
            message.poll = begun_poll(self.world, message.poll)
        message.only_for = only_for
        message.pings = self._pings(message, body.get("allowed_mentions"))
        if only_for is None:
            self.gateway.dispatch("MESSAGE_CREATE", self.payloads.message_event(message))
        return message

    def forward(self, message: Message, channel: Channel, by: User) -> Message:
        """Post a message that only forwards another one as it is now."""
        made = self.world.add_message(channel, by, "")
        made.forwards = Forwarded(message.channel, message.id, self.payloads.snapshot(message))
        made.flags |= HAS_SNAPSHOT
        self.gateway.dispatch("MESSAGE_CREATE", self.payloads.message_event(made))
        return made

    def edit(
        self, message: Message, body: JsonObject, files: list[StoredFile] | None = None
    ) -> None:
        if "flags" in body:
            kept = message.flags & ~SUPPRESS_EMBEDS
            message.flags = kept | (int(body["flags"]) & (SUPPRESS_EMBEDS | IS_COMPONENTS_V2))
        written = "components" if message.flags & IS_COMPONENTS_V2 else "content"
        if written in body:
            message.content = _written({**body, "flags": message.flags})
            message.versions.append(message.content)
        if "components" in body:
            message.components = number_components(body["components"] or [])
        if "attachments" in body:
            kept = {str(item["id"]) for item in objects(body, "attachments")}
            message.files = [file for file in message.files if str(file.id) in kept] + (files or [])
        message.edited = self.world.now()
        if message.only_for is None:
            self.gateway.dispatch("MESSAGE_UPDATE", self.payloads.message_event(message))

    def delete(self, message: Message) -> None:
        del message.channel.messages[message.id]
        data: JsonObject = {"id": str(message.id), "channel_id": str(message.channel.id)}
        if message.channel.guild is not None:
            data["guild_id"] = str(message.channel.guild.id)
        self.gateway.dispatch("MESSAGE_DELETE", data)

    def end_poll(self, message: Message) -> None:
        """End a poll, and post what Discord posts about it. Raises ApiError if it has ended."""
        told = finish(message)
        self.gateway.dispatch("MESSAGE_UPDATE", self.payloads.message_event(message))
        result = self.world.add_message(message.channel, message.author, "")
        result.kind, result.reply_to, result.embeds = POLL_RESULT, message.id, [told]
        self.gateway.dispatch("MESSAGE_CREATE", self.payloads.message_event(result))

    def react(self, message: Message, by: User, emoji: str) -> None:
        """Put an emoji on a message; repeating it changes nothing and sends no event."""
        who = message.reactions.setdefault(emoji, set())
        if by.id in who:
            return
        who.add(by.id)
        data: JsonObject = {
            "user_id": str(by.id),
            "channel_id": str(message.channel.id),
            "message_id": str(message.id),
            "emoji": {"id": None, "name": emoji},
            "message_author_id": str(message.author.id),
            "burst": False,
            "type": 0,
        }
        if (guild := message.channel.guild) is not None:
            data |= {"guild_id": str(guild.id)}
            data |= {"member": {**self.payloads.member(guild, by), "user": self.payloads.user(by)}}
        self.gateway.dispatch("MESSAGE_REACTION_ADD", data)

    def start_thread(self, message: Message, name: str, owner: User) -> Channel:
        """Start a thread; a thread from a message has the message's id.

        Raises ApiError if the message has one already, or if none may be made here.
        """
        if message.id in self.world.channels:
            raise ApiError(400, 160004, "A thread has already been created for this message")
        if message.channel.kind not in {ChannelKind.TEXT, ChannelKind.ANNOUNCEMENT}:
            raise ApiError(400, 50024, "Cannot execute action on this channel type")
        if not 1 <= len(name) <= 100:
            raise invalid("name", "Must be between 1 and 100 in length.")
        thread = self.world.add_thread(message.channel, name, owner.id, message.id)
        message.flags |= HAS_THREAD
        self.gateway.dispatch(
            "THREAD_CREATE", {**self.payloads.channel(thread), "newly_created": True}
        )
        self.gateway.dispatch("MESSAGE_UPDATE", self.payloads.message_event(message))
        return thread

    def open_thread(
        self, parent: Channel, name: str, owner: User, *, only_for: set[int] | None = None
    ) -> Channel:
        """Open a thread without a message, or a post of a forum; `only_for` makes it private."""
        thread = self.world.add_thread(parent, name, owner.id)
        thread.closed, thread.admits = only_for is not None, set(only_for or ())
        self.gateway.dispatch(
            "THREAD_CREATE", {**self.payloads.channel(thread), "newly_created": True}
        )
        return thread

    def open_post(
        self, forum: Channel, title: str, text: str, owner: User, tags: list[int]
    ) -> Message:
        """Open a post of a forum; its first message has its id."""
        thread = self.world.add_thread(forum, title, owner.id)
        thread.applied = _checked_tags(thread, [str(one) for one in tags])
        self.gateway.dispatch(
            "THREAD_CREATE", {**self.payloads.channel(thread), "newly_created": True}
        )
        message = self.world.add_message(thread, owner, text, thread.id)
        self.gateway.dispatch("MESSAGE_CREATE", self.payloads.message_event(message))
        return message

    def change_thread(self, thread: Channel, body: JsonObject) -> None:
        """Change a thread. Raises ApiError for what Discord does not take."""
        if thread.archived and body.get("archived") is not False:
            raise ApiError(400, 50083, "Thread is archived")
        if "applied_tags" in body:
            thread.applied = _checked_tags(thread, texts(body, "applied_tags"))
        if int(body.get("auto_archive_duration") or 60) not in {60, 1440, 4320, 10080}:
            raise invalid("auto_archive_duration", "Value must be one of (60, 1440, 4320, 10080).")
        thread.archive_minutes = int(body.get("auto_archive_duration") or thread.archive_minutes)
        thread.archived = bool(body.get("archived", thread.archived))
        thread.locked = bool(body.get("locked", thread.locked))
        self.gateway.dispatch("THREAD_UPDATE", self.payloads.channel(thread))

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel or thread, with what was said in it."""
        event = "THREAD_DELETE" if channel.kind.is_thread else "CHANNEL_DELETE"
        gone = self.payloads.channel(channel)
        self.world.channels.pop(channel.id, None)
        if channel.guild is not None:
            channel.guild.channels.remove(channel)
        self.gateway.dispatch(event, gone)

    def _pings(self, message: Message, allowed: JsonObject | None) -> set[str]:
        """Return whom the message notifies, given the sender's allowed mentions."""
        wanted = _mentioned(message.content)
        replied = message.channel.messages.get(message.reply_to or 0)
        pings: set[str] = set()
        if replied is not None and (allowed is None or allowed.get("replied_user", False)):
            pings.add(str(replied.author.id))
        if allowed is None:
            return pings | {id_ for ids in wanted.values() for id_ in ids}
        parse = set(texts(allowed, "parse"))
        for kind, ids in wanted.items():
            named = set(texts(allowed, kind))
            pings |= ids if kind in parse else ids & named
        return pings


def _checked_tags(thread: Channel, ids: list[str]) -> list[int]:
    forum = thread.parent
    if len(ids) > 5:
        raise invalid("applied_tags", "Must be 5 or fewer in length.")
    if forum is None or any(int(one) not in forum.tags for one in ids):
        raise ApiError(400, 10087, "Unknown tag")
    if forum.needs_tag and not ids:
        raise ApiError(400, 40067, "A tag is required to create a forum post in this channel")
    return [int(one) for one in ids]


def _written(body: JsonObject) -> str:
    """Return what people read of a message."""
    text = text_of(objects(body, "components")) if is_layout(body) else body.get("content")
    return str(text or "").strip()


def _mentioned(content: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {"users": set(), "roles": set(), "everyone": set()}
    for mark, id_ in _MENTION.findall(content):
        found["roles" if mark == "&" else "users"].add(id_)
    if "@everyone" in content or "@here" in content:
        found["everyone"].add("everyone")
    return found


def number_components(components: list[JsonObject]) -> list[JsonObject]:
    """Number the components: Discord gives each an id that is unique in its message."""
    count = itertools.count(1)

    def numbered(one: JsonObject) -> JsonObject:
        made: JsonObject = {**one, "id": next(count)}
        if "components" in one:
            made["components"] = [numbered(part) for part in objects(one, "components")]
        if "accessory" in one:
            made["accessory"] = numbered(one["accessory"])
        return made

    return [numbered(one) for one in components]
