"""Readers of a Discord channel, and messages around one: from the client, cached for a minute.

The client remembers members for another minute.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from bot.plugin.catch_up import SaidThere
from bot.plugin.chat import DIRECT, Conversation, DeliveryError, Visibility
from bot.plugin.clock import Clock
from bot.plugin.payloads import JsonObject, object_in, text_in
from bot.plugin.recent import Fresh
from bot.plugins.discord_chat.frames import words_of_message
from bot.plugins.discord_chat.intake import PLATFORM, conversation_of
from bot.plugins.discord_chat.rest import DiscordRest
from bot.plugins.discord_chat.seen import SeenRights
from bot.plugins.discord_chat.starters import person_of

log = logging.getLogger(__name__)

KEPT_FOR = timedelta(minutes=1)
_MOST = 20_000
_SERVERS = 3
"""The most servers searched for a person who asks directly."""
_LINK = "https://discord.com/channels"


class DiscordReaders:
    """Implements `domain.chat.KnowsReaders` and, if `search` is on, `SearchesItself`."""

    def __init__(
        self, rest: Callable[[], DiscordRest], clock: Clock, *, search: bool = False
    ) -> None:
        self._search = search
        self._rest = rest
        self._rights: Fresh[tuple[str, str], SeenRights] = Fresh(clock, KEPT_FOR, _MOST)
        self._closed: dict[str, bool] = {}
        """By thread, for good: whether only those who were invited read it."""

    async def may_read(self, person: str, place: Conversation) -> bool:
        return (await self.rights(person, place)).read

    async def may_write(self, person: str, place: Conversation) -> bool:
        return (await self.rights(person, place)).write

    async def visibility(self, channel: Conversation) -> Visibility:
        return self._rest().line.visibility(channel.id)

    async def reads_like_channel(self, thread: Conversation) -> bool:
        if thread.id not in self._closed:
            try:
                self._closed[thread.id] = await self._rest().line.is_closed(thread.id)
            except DeliveryError as error:
                log.info(
                    "thread=<%s>, error=<%s> | Discord does not tell who reads it", thread.id, error
                )
                return False
        return not self._closed[thread.id]

    def name_of(self, place: Conversation) -> str:
        try:
            return self._rest().line.name_of(place.channel or place.id)
        except DeliveryError:
            return ""

    async def link(self, place: Conversation, message: str) -> str:
        guild = "@me" if place.workspace == DIRECT else place.workspace
        # The message that a thread hangs on has the thread's id, and stands in the channel.
        channel = place.channel if place.channel and message == place.id else place.id
        return f"{_LINK}/{guild}/{channel}/{message}"

    async def channel_named(self, named: str, near: Conversation) -> Conversation | None:
        try:
            line = self._rest().line
        except DeliveryError:
            return None
        name = named.casefold()
        servers = line.guilds() if near.workspace == DIRECT else [near.workspace]
        there = [place for server in servers for place in line.places(server)]
        found = [place for place in there if name in {place.channel, place.title.casefold()}]
        return conversation_of(found[0]) if len(found) == 1 else None

    async def said_with(self, words: str, near: Conversation, limit: int) -> Sequence[SaidThere]:
        if not self._search or near.platform != PLATFORM:
            return ()
        said: list[SaidThere] = []
        try:
            rest = self._rest()
            servers = rest.line.guilds() if near.workspace == DIRECT else [near.workspace]
            for server in servers[:_SERVERS]:
                said += [
                    await self._said(server, one)
                    for one in await rest.said_with(server, words, limit)
                ]
        except (DeliveryError, LookupError, ValueError, TypeError) as error:
            log.info("error=<%r> | Discord's own search gives nothing", error)
        return said

    async def _said(self, server: str, found: JsonObject) -> SaidThere:
        place = await self._rest().line.place(server, str(int(found["channel_id"])))
        at = datetime.fromisoformat(text_in(found, "timestamp"))
        message = text_in(found, "id")
        return SaidThere(
            conversation_of(place),
            message,
            f"{PLATFORM}:{message}",
            person_of(object_in(found, "author")),
            words_of_message(found),
            at,
        )

    async def rights(self, person: str, place: Conversation) -> SeenRights:
        """What a person (platform id) may do in a place; nothing if that can't be found out."""
        ids = (place.workspace, place.id, person)
        if place.platform != PLATFORM or not all(one.isdecimal() for one in ids):
            return SeenRights()
        try:
            return await self._rights.of(
                (person, place.key), lambda: self._rest().line.rights(*ids)
            )
        except DeliveryError as error:
            log.info(
                "person=<%s>, place=<%s>, error=<%s> | Discord does not tell",
                person,
                place.key,
                error,
            )
            return SeenRights()
