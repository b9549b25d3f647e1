"""What Discord has beside messages: polls, posts of forums, scheduled events of a server."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bot.plugin.chat import Conversation, DeliveryError, Place, ReplyTarget
from bot.plugin.payloads import (
    JsonObject,
    as_objects,
    number_in,
    object_in,
    objects_in,
    text_in,
    texts_in,
)
from bot.plugin.surfaces import ForumPost, NewPoll, NewServerEvent, PlannedEvent, Poll, PostTag
from bot.plugin.tools import raised_as
from bot.plugins.discord_chat.names import nonce
from bot.plugins.discord_chat.polls import poll_body, poll_in
from bot.plugins.discord_chat.readers import DiscordReaders
from bot.plugins.discord_chat.rest import CHANNEL, MESSAGES, NO_MENTIONS, DiscordRest, told
from bot.plugins.discord_chat.seen import CallFailed, CallRefused, RestCall

_EXPIRE = "/channels/{channel_id}/polls/{message_id}/expire"


class DiscordPolls:
    """Polls: posted as a reply to whoever asked, read from messages, ended by a call."""

    def __init__(self, rest: Callable[[], DiscordRest], readers: DiscordReaders) -> None:
        self._rest = rest
        self._readers = readers

    async def may_post(self, person: str, place: Conversation) -> bool:
        return place.place is Place.DM or (await self._readers.rights(person, place)).polls

    async def may_end(self, person: str, place: Conversation) -> bool:
        return place.place is not Place.DM and (await self._readers.rights(person, place)).removes

    async def post(self, target: ReplyTarget, poll: NewPoll, key: str) -> Poll:
        place = await self._place(target)
        known = await self._posted(place, target.message, poll, key)
        if known is None:
            body: JsonObject = {
                "poll": poll_body(poll),
                "allowed_mentions": NO_MENTIONS,
                "nonce": nonce(key),
                "enforce_nonce": True,
            }
            if target.message is not None:
                refer: JsonObject = {"message_id": target.message, "fail_if_not_exists": False}
                body["message_reference"] = refer
            call = RestCall("POST", MESSAGES, {"channel_id": place.id}, body)
            known = await self._rest().call(call)
        return self._required(place, known)

    async def _place(self, target: ReplyTarget) -> Conversation:
        there = target.stands_in
        if there.place is Place.DM and target.ephemeral_to is not None:
            return replace(there, id=await self._rest().open_dm(target.ephemeral_to))
        return there

    async def _posted(
        self, place: Conversation, answers: str | None, poll: NewPoll, key: str
    ) -> JsonObject | None:
        """The poll of an earlier try, which a restart may have forgotten.

        Discord itself knows a nonce for minutes only.
        """
        rest, wanted = self._rest(), poll_body(poll)["question"]
        async for found in rest.after(place.id, answers):
            if text_in(object_in(found, "author"), "id") != rest.line.bot:
                continue
            replied = text_in(object_in(found, "message_reference"), "message_id")
            same = object_in(object_in(found, "poll"), "question").get("text") == wanted["text"]
            if found.get("nonce") == nonce(key) or (same and answers and replied == answers):
                return found
        return None

    async def find(self, place: Conversation, message: str) -> Poll | None:
        if not message.isdecimal():
            return None
        try:
            found = await self._rest().message(place.id, message)
        except CallRefused as error:
            if error.status == 404:
                return None
            raise
        return poll_in(place, found, self._rest().line.bot)

    async def newest(self, place: Conversation, most: int) -> Sequence[Poll]:
        rest = self._rest()
        page = [one async for one in rest.after(place.id, None)]
        polls = [poll_in(place, one, rest.line.bot) for one in reversed(page)]
        return [one for one in polls if one is not None][:most]

    async def end(self, poll: Poll) -> Poll:
        ids = {"channel_id": poll.place.id, "message_id": poll.message}
        ended = await self._rest().call(RestCall("POST", _EXPIRE, ids))
        return replace(self._required(poll.place, ended), ended=True)

    def _required(self, place: Conversation, message: JsonObject) -> Poll:
        poll = poll_in(place, message, self._rest().line.bot)
        if poll is None:
            raise CallFailed("Discord's answer has no poll")
        return poll


_FORUM, _MEDIA = 15, 16
_SOON = 60
"""Minutes of silence after which Discord puts a closed post away: its shortest time."""
_LATER = 4320
"""Those of an open post, where its forum says nothing else."""


@dataclass(frozen=True)
class _Raw:
    """A post and its forum in Discord's form."""

    thread: JsonObject
    forum: JsonObject

    @property
    def offered(self) -> list[JsonObject]:
        return objects_in(self.forum, "available_tags")


class DiscordForums:
    """Posts of forum and media channels: threads with tags."""

    def __init__(self, rest: Callable[[], DiscordRest], readers: DiscordReaders) -> None:
        self._rest = rest
        self._readers = readers

    async def moderates(self, person: str, place: Conversation) -> bool:
        return (await self._readers.rights(person, place)).threads

    async def find(self, place: Conversation) -> ForumPost | None:
        found = await self._read(place)
        return None if found is None else _post(place, found)

    async def change(
        self, post: ForumPost, tags: Sequence[str], *, closed: bool, locked: bool
    ) -> None:
        found = await self._read(post.place)
        if found is None:
            raise DeliveryError("that is no post of a forum any more")
        ids = {text_in(one, "name"): text_in(one, "id") for one in found.offered}
        later = number_in(found.forum, "default_auto_archive_duration") or _LATER
        body: JsonObject = {
            "applied_tags": [ids[name] for name in tags if name in ids],
            "archived": False,
            "auto_archive_duration": _SOON if closed else later,
            "locked": locked,
        }
        with told("Discord lets Bellhop change posts only with the permission Manage Threads"):
            call = RestCall("PATCH", CHANNEL, {"channel_id": post.place.id}, body)
            await self._rest().call(call)

    async def _read(self, place: Conversation) -> _Raw | None:
        if place.place is not Place.THREAD:
            return None
        try:
            thread = await self._rest().channel(place.id)
            forum = await self._rest().channel(text_in(thread, "parent_id"))
        except CallRefused as error:
            if error.status == 404:
                return None  # a thread that only an answer opens
            raise
        return _Raw(thread, forum) if forum.get("type") in (_FORUM, _MEDIA) else None


def _post(place: Conversation, found: _Raw) -> ForumPost:
    applied = texts_in(found.thread, "applied_tags")
    about = object_in(found.thread, "thread_metadata")
    names = {text_in(one, "id"): text_in(one, "name") for one in found.offered}
    return ForumPost(
        place,
        text_in(found.thread, "name"),
        text_in(found.thread, "owner_id"),
        tuple(names[one] for one in applied if one in names),
        tuple(PostTag(text_in(one, "name"), bool(one.get("moderated"))) for one in found.offered),
        closed=bool(about.get("archived")) or number_in(about, "auto_archive_duration") == _SOON,
        locked=bool(about.get("locked")),
    )


_EVENTS = "/guilds/{guild_id}/scheduled-events"
_EVENT = "/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}"
_SCHEDULED, _ACTIVE, _COMPLETED, _CANCELED = 1, 2, 3, 4
_STAGE, _VOICE, _ELSEWHERE = 1, 2, 3
_TALKED_IN = {2: _VOICE, 13: _STAGE}
"""Kinds of events by kinds of channels."""
_MEMBERS_ONLY = 2
_FORBIDDEN = (
    "Discord lets Bellhop do that only with the permission Create Events, and with Manage Events "
    "for those of others"
)


class DiscordEvents:
    """Scheduled events of a server."""

    def __init__(self, rest: Callable[[], DiscordRest], readers: DiscordReaders) -> None:
        self._rest = rest
        self._readers = readers

    async def may_make(self, person: str, place: Conversation) -> bool:
        return (await self._readers.rights(person, place)).makes_events

    async def may_cancel(self, person: str, place: Conversation) -> bool:
        return (await self._readers.rights(person, place)).manages_events

    async def ahead(self, place: Conversation) -> Sequence[PlannedEvent]:
        with told(_FORBIDDEN):
            call = RestCall("GET", _EVENTS, _server(place), query={"with_user_count": "true"})
            listed = as_objects(await self._rest().call(call))
            known = [one for one in listed if one.get("status") in (_SCHEDULED, _ACTIVE)]
            return sorted(map(self._event, known), key=lambda one: one.starts_at)

    async def make(self, place: Conversation, event: NewServerEvent) -> PlannedEvent:
        own = self._rest().line.bot
        for known in await self.ahead(place):
            same = (known.name, known.starts_at) == (event.name, event.starts_at)
            if same and known.maker == own:
                return known
        with told(_FORBIDDEN):
            body: JsonObject = {
                "name": event.name,
                "scheduled_start_time": event.starts_at.astimezone(UTC).isoformat(),
                "scheduled_end_time": event.ends_at.astimezone(UTC).isoformat(),
                "privacy_level": _MEMBERS_ONLY,
                **await self._place_of(place, event.where),
            }
            body |= {"description": event.description} if event.description else {}
            call = RestCall("POST", _EVENTS, _server(place), body)
            return self._event(await self._rest().call(call))

    async def _place_of(self, place: Conversation, where: str) -> JsonObject:
        if where.isdecimal():
            channel = await self._rest().channel(where)
            kind = _TALKED_IN.get(number_in(channel, "type"))
            if kind is not None and text_in(channel, "guild_id") == place.workspace:
                return {"entity_type": kind, "channel_id": where}
        return {"entity_type": _ELSEWHERE, "entity_metadata": {"location": where}}

    async def cancel(self, place: Conversation, event: PlannedEvent) -> None:
        ids = {**_server(place), "guild_scheduled_event_id": event.id}
        status = _COMPLETED if event.running else _CANCELED
        with told(_FORBIDDEN):
            await self._rest().call(RestCall("PATCH", _EVENT, ids, {"status": status}))

    def _event(self, found: JsonObject) -> PlannedEvent:
        channel = text_in(found, "channel_id")
        named = f"#{self._rest().line.name_of(channel) or channel}" if channel else ""
        end = text_in(found, "scheduled_end_time")
        with raised_as(CallFailed, ValueError, about="Discord's event can't be read"):
            return PlannedEvent(
                text_in(found, "id"),
                text_in(found, "name"),
                datetime.fromisoformat(text_in(found, "scheduled_start_time")),
                datetime.fromisoformat(end) if end else None,
                text_in(object_in(found, "entity_metadata"), "location") or named,
                text_in(found, "description"),
                number_in(found, "user_count"),
                found.get("status") == _ACTIVE,
                text_in(found, "creator_id"),
            )


def _server(place: Conversation) -> dict[str, str]:
    return {"guild_id": place.workspace}
