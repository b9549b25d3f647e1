"""The root message of a thread: its topic, which is outside of the thread."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

from bot.plugin.chat import DeliveryError, PlatformPerson
from bot.plugin.payloads import JsonObject, number_in, object_in, objects_in, text_in
from bot.plugins.discord_chat.frames import words_of_message
from bot.plugins.discord_chat.polls import words_of
from bot.plugins.discord_chat.readable import WRITTEN
from bot.plugins.discord_chat.rest import DiscordRest
from bot.plugins.discord_chat.seen import (
    CallRefused,
    SeenFile,
    SeenPlace,
    SeenQuote,
)

log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""How long a message waits for its thread's root message."""


class Starters:
    """Asks Discord: a thread's id equals that of its root message."""

    def __init__(self, rest: Callable[[], DiscordRest]) -> None:
        self._rest = rest

    async def of(self, place: SeenPlace) -> SeenQuote | None:
        """None: the thread has no root message, or Discord does not answer in time."""
        if place.parent is None:
            return None
        try:
            async with asyncio.timeout(PATIENCE_S):
                quote = await self._read(place.parent, place.channel)
        except (DeliveryError, TimeoutError) as error:
            log.debug(
                "thread=<%s>, error=<%s> | its first message is not read", place.channel, error
            )
            return None
        tags = place.tag_words
        if quote is None or not tags:
            return quote
        return replace(quote, content=f"{quote.content}\n{tags}".strip())

    async def _read(self, parent: str, thread: str) -> SeenQuote | None:
        try:
            return quote_of(await self._rest().message(parent, thread), parent, thread)
        except CallRefused as error:
            if error.status != 404:
                raise
        # A post of a forum stands in its own thread.
        return quote_of(await self._rest().message(thread, thread), thread, thread)


def quote_of(message: JsonObject, channel: str, id_: str) -> SeenQuote | None:
    """A message that people wrote, as one that is referred to; None for a notice of Discord."""
    author = object_in(message, "author")
    if message.get("type", 0) not in WRITTEN or not text_in(author, "id"):
        return None
    stickers = [text_in(sticker, "name") for sticker in objects_in(message, "sticker_items")]
    words = [words_of_message(message), *(f"[sticker: {name}]" for name in stickers if name)]
    words.append(words_of(object_in(message, "poll")))
    return SeenQuote(
        person_of(author),
        "\n".join(part for part in words if part),
        tuple(text_in(file, "filename") or "a file" for file in objects_in(message, "attachments")),
        {f"@{text_in(one, 'id')}": person_of(one).name for one in objects_in(message, "mentions")},
        at=(channel, id_),
        attached=tuple(file_of(file) for file in objects_in(message, "attachments")),
    )


def file_of(file: JsonObject) -> SeenFile:
    mime = (text_in(file, "content_type") or "application/octet-stream").partition(";")[0].strip()
    name, size = text_in(file, "filename") or "a file", max(number_in(file, "size"), 0)
    return SeenFile(text_in(file, "id"), name, mime, size, text_in(file, "url"))


def person_of(user: JsonObject, nick: str = "") -> PlatformPerson:
    """Somebody by the name that people see: on the server, on Discord, or their handle."""
    names = (nick, text_in(user, "global_name"), text_in(user, "username"))
    id_ = text_in(user, "id")
    return PlatformPerson(id_, next(filter(None, names), id_), bool(user.get("bot")))
