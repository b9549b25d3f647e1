"""Reads existing messages of a channel, one by one."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

import discord

from bot.plugin.payloads import JsonObject, Unreadable
from bot.plugins.discord_chat.event_reader import GatewayEventReader
from bot.plugins.discord_chat.library_errors import as_calls
from bot.plugins.discord_chat.readable import is_written, with_ids
from bot.plugins.discord_chat.seen import CallFailed, CallRefused, SeenHistory, SeenMessage

log = logging.getLogger(__name__)

_PAGE = 100
_BACKFILL = 1000
"""The number of newest messages of a channel that are read after a time without Discord."""


@dataclass(frozen=True)
class ChannelPast:
    """The history of channels."""

    client: discord.Client
    reader: GatewayEventReader
    unreadable: Unreadable
    fetched: Callable[[int], Awaitable[object]]
    """A channel that the client does not know; None where it can't be read.

    Raises discord.py's errors of a call.
    """
    seen: Callable[[discord.Message, object], Awaitable[SeenMessage | None]]
    """A message and its channel in the form for the reader. None: not for us."""

    async def read(self, channel: str, after: str, back_to: str) -> SeenHistory:
        """Messages after one id, and the current state of messages after an earlier id.

        Raises CallRefused or CallFailed.
        """
        with as_calls():
            # An unknown channel is a direct conversation, or a thread that was archived.
            known = self.client.get_channel(int(channel)) or await self.fetched(int(channel))
            found, whole = await self._pages(int(channel), int(back_to))
        if known is None:  # unknown whether it is a direct conversation
            raise CallRefused(200, 0, "the channel can't be read")
        guild = getattr(known, "guild", None)
        where = {"channel_id": channel} | ({"guild_id": str(guild.id)} if guild is not None else {})
        new = sum(id_ > int(after) for id_, _ in found)
        if new == _BACKFILL:
            log.warning(
                "channel=<%s>, messages=<%d> | more was missed; the oldest is not read",
                channel,
                _BACKFILL,
            )
        wanted = [*found[:new], *(one for one in found[new:] if one[1].get("edited_timestamp"))]
        read: list[SeenMessage] = []
        for id_, raw in reversed(wanted):
            with self.unreadable.skipping("message of history", str(id_)):
                seen = (
                    await self.seen(self.reader.message(raw | where), known)
                    if is_written(raw)
                    else None
                )
                if seen is not None:
                    read.append(seen)
        newest = found[0][0] if new else None
        return SeenHistory(
            tuple(message for message in read if int(message.id) > int(after)),
            None if newest is None else str(newest),
            None if newest is None else discord.utils.snowflake_time(newest),
            edited=tuple(message for message in read if int(message.id) <= int(after)),
            standing=frozenset(str(id_) for id_, _ in found[new:]),
            whole=whole,
        )

    async def _pages(self, channel: int, back_to: int) -> tuple[list[tuple[int, JsonObject]], bool]:
        """Messages after `back_to` by their ids, newest first, and whether those are all."""
        found: list[tuple[int, JsonObject]] = []
        before: int | None = None
        whole = True
        while len(found) < _BACKFILL:
            page: Any = await self.client.http.logs_from(channel, _PAGE, before=before)
            if not isinstance(page, list):
                raise CallFailed("Discord's history is no list")
            named = with_ids(cast("object", page))
            size = len(cast("list[Any]", page))
            if len(named) < size:
                whole = False
                self.unreadable.skip("message of history without an id", ValueError(), str(channel))
            found += [(id_, raw) for id_, raw in named if id_ > back_to]
            if size < _PAGE or not named or named[-1][0] <= back_to:
                return found[:_BACKFILL], whole and len(found) < _BACKFILL
            before = named[-1][0]
        return found[:_BACKFILL], False
