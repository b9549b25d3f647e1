"""Registers commands with Discord: one call per change, none after a restart without changes."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from bot.plugin.chat import DIRECT, Conversation, DeliveryError, StorageError
from bot.plugin.clock import Clock, format_utc, parse_utc
from bot.plugin.commands import SlashCommand
from bot.plugin.payloads import JsonObject, text_in
from bot.plugins.discord_chat.application_commands import (
    BUILT_IN,
    OUR_KINDS,
    for_all,
    for_guild,
    hashes,
)
from bot.plugins.discord_chat.intake import PLATFORM
from bot.plugins.discord_chat.rest import DiscordRest
from bot.plugins.discord_chat.settings import DiscordSettings

log = logging.getLogger(__name__)

RETRY_S = (5.0, 30.0, 120.0, 600.0)
BELIEVED = timedelta(days=1)
"""How long our record of Discord's commands is valid: others may change them, too."""
ONE_BY_ONE = 5
"""More changes than this at once are made by one call that writes the whole list."""


class Source(Protocol):
    """The part of domain.native_commands.NativeCommands that registration needs."""

    def watch(
        self, conversation: Conversation
    ) -> AsyncGenerator[tuple[SlashCommand, ...], None]: ...

    async def registered(self, scope: str) -> JsonObject | None: ...

    async def keep(self, scope: str, record: JsonObject) -> None: ...


class OnlyBuiltIn:
    """For an adapter without given commands: the built-in ones, kept in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, JsonObject] = {}

    async def watch(
        self, conversation: Conversation
    ) -> AsyncGenerator[tuple[SlashCommand, ...], None]:
        if conversation.workspace == DIRECT:
            yield BUILT_IN

    async def registered(self, scope: str) -> JsonObject | None:
        return self._kept.get(scope)

    async def keep(self, scope: str, record: JsonObject) -> None:
        self._kept[scope] = record


@dataclass(frozen=True)
class CommandRegistration:
    """One task for the global commands, and one for each server's own."""

    settings: DiscordSettings
    rest: Callable[[], DiscordRest]
    source: Source
    clock: Clock
    _tasks: dict[str, asyncio.Task[None]] = field(
        default_factory=dict[str, asyncio.Task[None]], init=False
    )
    """By server; the one for all is empty."""

    def start(self, *, for_all: bool = True) -> None:
        """Called when a client is logged in; `for_all`: it also keeps the global commands."""
        self.stop()
        if for_all:
            self._tasks[""] = asyncio.create_task(self._serve(""))

    def serve_guilds(self, guilds: Iterable[str], joined: str = "") -> None:
        """The servers of the bot now; in one that it just `joined` Discord has no commands."""
        wanted = {guild for guild in guilds if self.settings.place(guild).answer != "off"}
        for gone in ({*self._tasks} - wanted - {""}) | ({joined} & {*self._tasks} - {""}):
            self._tasks.pop(gone).cancel()
        for guild in wanted - {*self._tasks}:
            self._tasks[guild] = asyncio.create_task(self._serve(guild, certain=guild != joined))

    def stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()

    async def _serve(self, guild: str, *, certain: bool = True) -> None:
        """Keep one scope correct; after a failure, retry from Discord's current list."""
        failures = 0
        conversation = Conversation(PLATFORM, guild or DIRECT, guild or DIRECT)
        while True:
            try:
                async with aclosing(self.source.watch(conversation)) as changes:
                    async for listed in changes:
                        await self._sync(guild, self._wanted(guild, listed), certain=certain)
                        failures, certain = 0, True
                    return
            except (DeliveryError, StorageError) as error:
                wait = RETRY_S[min(failures, len(RETRY_S) - 1)]
                failures, certain = failures + 1, False
                log.warning(
                    "guild=<%s>, error=<%s>, wait=<%s> | commands not registered",
                    guild,
                    error,
                    wait,
                )
            await self.clock.sleep(wait)

    def _wanted(self, guild: str, listed: tuple[SlashCommand, ...]) -> list[JsonObject]:
        if not guild:
            return for_all(listed, personal=self.settings.personal)
        return for_guild(listed)

    async def _sync(self, guild: str, wanted: list[JsonObject], *, certain: bool) -> None:
        """One call for each new, changed or removed command; none without differences."""
        rest = self.rest()
        scope = f"{PLATFORM}:{rest.line.bot}:{guild}"
        kept = await self.source.registered(scope)
        if kept is None and guild and not wanted and certain:
            return  # nothing was ever registered there
        certain = (
            certain and kept is not None and self.clock.now() - parse_utc(kept["at"]) < BELIEVED
        )
        record = kept if kept is not None and certain else _record(await rest.commands(guild))
        now = hashes(wanted)
        known: Mapping[str, Mapping[str, str]] = record["commands"]
        gone = [name for name in known if name not in now]
        changed = [
            one for one in wanted if known.get(one["name"], {}).get("hash") != now[one["name"]]
        ]
        if not gone and not changed and certain:
            return
        if len(gone) + len(changed) > ONE_BY_ONE:
            made = _record(await rest.put_commands(wanted, guild))["commands"]
        else:
            made = {name: entry for name, entry in known.items() if name in now}
            for name in gone:  # first: there may be no room for a new one before
                await rest.delete_command(known[name]["id"], guild)
            for one in changed:
                made |= _record([await rest.create_command(one, guild)])["commands"]
        entries = {
            name: {"id": made[name]["id"], "hash": now[name]} for name in now if name in made
        }
        await self.source.keep(scope, {"at": format_utc(self.clock.now()), "commands": entries})
        if gone or changed:
            log.info(
                "guild=<%s>, changed=<%d>, gone=<%d> | registered", guild, len(changed), len(gone)
            )


def _record(listed: list[JsonObject]) -> JsonObject:
    """Discord's current list; commands of kinds that we make none of are not ours."""
    ours = [
        one
        for one in listed
        if (one.get("type") or 1) in OUR_KINDS and text_in(one, "name") and text_in(one, "id")
    ]
    known = hashes(ours)
    return {
        "commands": {
            one["name"]: {"id": text_in(one, "id"), "hash": known[one["name"]]} for one in ours
        }
    }
