"""Registers the commands with Telegram: one call per change, none after a restart without one."""

import hashlib
import json
import logging
from collections.abc import Sequence
from contextlib import aclosing

from bot.plugin.chat import DIRECT, Clock, Conversation, StorageError
from bot.plugin.commands import NativeCommands, SkillScope, SlashCommand
from bot.plugin.payloads import JsonObject
from bot.plugins.telegram_chat.connection import TelegramConnection
from bot.plugins.telegram_chat.places import PLATFORM, Me
from bot.plugins.telegram_chat.trouble import TelegramTrouble

log = logging.getLogger(__name__)

MOST = 100
ABOUT_CHARS = 250
RETRY_S = (5.0, 30.0, 120.0, 600.0)


def listed(commands: Sequence[SlashCommand]) -> list[JsonObject]:
    """The commands for everybody, in Telegram's form: a group's own skills would show elsewhere."""
    fitting = [one for one in commands if one.scope is not SkillScope.WORKSPACE]
    fitting = sorted(fitting, key=lambda one: one.scope is not SkillScope.BUILT_IN)[:MOST]
    return [
        {
            "command": one.name,
            "description": " ".join(one.description.split())[:ABOUT_CHARS] or one.name,
        }
        for one in fitting
    ]


async def keep_registered(
    connection: TelegramConnection, native: NativeCommands, me: Me, clock: Clock
) -> None:
    """Never returns; failures are logged and tried again."""
    scope, failures = f"{PLATFORM}:{me.id}", 0
    while True:
        try:
            async with aclosing(native.watch(Conversation(PLATFORM, DIRECT, DIRECT))) as changes:
                async for commands in changes:
                    await _sync(connection, native, scope, listed(commands))
                    failures = 0
        except (TelegramTrouble, StorageError) as error:
            log.warning("error=<%s> | commands not registered", error)
        await clock.sleep(RETRY_S[min(failures, len(RETRY_S) - 1)])
        failures += 1


async def _sync(
    connection: TelegramConnection, native: NativeCommands, scope: str, wanted: list[JsonObject]
) -> None:
    now = hashlib.sha256(json.dumps(wanted, sort_keys=True).encode()).hexdigest()
    if (kept := await native.registered(scope)) is not None and kept.get("hash") == now:
        return
    await connection.call("setMyCommands", commands=wanted)
    await native.keep(scope, {"hash": now})
    log.info("commands=<%d> | registered", len(wanted))
