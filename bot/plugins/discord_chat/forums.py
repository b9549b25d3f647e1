"""Posts of Discord's forum and media channels: threads with tags."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.plugin.chat import Conversation, DeliveryError, Place
from bot.plugin.payloads import JsonObject, number_in, object_in, objects_in, text_in, texts_in
from bot.plugin.surfaces import ForumPost, PostTag
from bot.plugins.discord_chat.readers import DiscordReaders
from bot.plugins.discord_chat.rest import DiscordRest, told
from bot.plugins.discord_chat.seen import CallRefused, RestCall

_CHANNEL = "/channels/{channel_id}"
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
    """Implements `domain.forums.KnowsForums`."""

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
            call = RestCall("PATCH", _CHANNEL, {"channel_id": post.place.id}, body)
            await self._rest().call(call)

    async def _read(self, place: Conversation) -> _Raw | None:
        if place.place is not Place.THREAD:
            return None
        with told():
            try:
                thread = await self._channel(place.id)
                forum = await self._channel(text_in(thread, "parent_id"))
            except CallRefused as error:
                if error.status == 404:
                    return None  # a thread that only an answer opens
                raise
        return _Raw(thread, forum) if forum.get("type") in (_FORUM, _MEDIA) else None

    async def _channel(self, id_: str) -> JsonObject:
        return await self._rest().call(RestCall("GET", _CHANNEL, {"channel_id": id_}))


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
