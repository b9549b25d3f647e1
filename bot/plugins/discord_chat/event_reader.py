"""Reads gateway events one by one: discord.py ends the connection on an unreadable one.

It reads existing messages of a channel in the same way, one by one.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import discord

from bot.plugin.payloads import JsonObject, Unreadable, object_in, text_in
from bot.plugin.recent import Recent
from bot.plugins.discord_chat.library_errors import as_calls
from bot.plugins.discord_chat.readable import (
    bare_guild,
    bare_interaction,
    is_promised,
    is_written,
    parts_of_guild,
    pruned,
    sifted,
    with_ids,
    with_readable_guilds,
)
from bot.plugins.discord_chat.seen import CallFailed, CallRefused, SeenHistory, SeenMessage

_VITAL = frozenset({"READY", "RESUMED"})
"""Events without which there is no session: an unreadable one ends the client."""


_MOST_PROMISED = 200


class GatewayEventReader:
    """Wraps discord.py's own parsers, which have no public name."""

    def __init__(self, client: discord.Client, unreadable: Unreadable) -> None:
        self._client = client
        self._unreadable = unreadable
        self._promised: Recent[str, None] = Recent(_MOST_PROMISED)

    @property
    def _own_id(self) -> str:
        return str(self._client.user.id) if self._client.user else ""

    def guard(self) -> None:
        """From now on an unreadable event is skipped."""
        parsers = self._client._connection.parsers  # noqa: SLF001
        for event, parse in [*parsers.items()]:
            parsers[event] = partial(self._parse, event, parse)

    def _parse(self, event: str, parse: Callable[[Any], None], data: Any) -> None:
        """Read one gateway event; discord.py would end the connection if it is unreadable."""
        try:
            match event:
                case "READY":
                    parse(with_readable_guilds(data))
                case "MESSAGE_CREATE" | "MESSAGE_UPDATE":
                    self._parse_message(event, parse, data)
                case "INTERACTION_CREATE":
                    self._parse_or(parse, data, lambda: bare_interaction(data))
                case "GUILD_CREATE":
                    self._parse_guild(parse, data)
                case _:
                    parse(data)
        except Exception as error:
            if event in _VITAL:
                raise
            self._unreadable.skip(event, error)

    def _parse_message(self, event: str, parse: Callable[[Any], None], data: JsonObject) -> None:
        """Discord sends each of our own posts back, which nobody needs."""
        if self._is_own(data):
            return
        id_ = text_in(data, "id")
        if is_promised(data):
            self._promised[id_] = None
        elif event == "MESSAGE_UPDATE" and id_ in self._promised:
            del self._promised[id_]
            self._client._connection.parsers["MESSAGE_CREATE"](data)  # noqa: SLF001
        elif is_written(data):
            wanted = pruned(data)
            self._parse_or(parse, wanted, lambda: sifted(wanted, self._built))

    def _is_own(self, data: JsonObject) -> bool:
        return text_in(object_in(data, "author"), "id") == self._own_id

    def _parse_or(
        self, parse: Callable[[Any], None], data: JsonObject, less: Callable[[], JsonObject]
    ) -> None:
        """Read the event, or only its readable parts."""
        try:
            parse(data)
        except Exception:  # noqa: BLE001 - which parts are to blame is found out below
            parse(less())

    def _parse_guild(self, parse: Callable[[Any], None], data: JsonObject) -> None:
        """A server with one unreadable channel keeps its other channels."""
        try:
            parse(data)
        except Exception as error:  # noqa: BLE001 - it is read part by part below
            self._unreadable.skip("part of GUILD_CREATE", error)
            parse(bare_guild(data, self._own_id))
            for event, part in parts_of_guild(data):
                self._client._connection.parsers[event](part)  # noqa: SLF001

    def _built(self, raw: JsonObject) -> discord.Message:
        """Raises discord.py's errors for an unreadable message."""
        guild = text_in(raw, "guild_id")
        channel = self._client.get_partial_messageable(
            int(text_in(raw, "channel_id")), guild_id=int(guild) if guild else None
        )
        return self._client._connection.create_message(channel=channel, data=cast("Any", raw))  # noqa: SLF001

    def message(self, raw: JsonObject) -> discord.Message:
        """Like `_built`, without the unreadable parts."""
        wanted = pruned(raw)
        try:
            return self._built(wanted)
        except Exception:  # noqa: BLE001 - which parts are to blame is found out below
            return self._built(sifted(wanted, self._built))


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
