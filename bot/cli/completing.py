"""Keeps the terminal's slash completions current: built-ins, and skills as they change."""

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from bot.errors import BotError

if TYPE_CHECKING:
    from bot.app import App
    from bot.chat.terminal.prompt import PromptView
    from bot.domain.messages import Conversation, PlatformPerson

AGAIN_S = 5.0
"""How often an attached terminal asks the running Bellhop."""


async def complete_here(
    app: "App", view: "PromptView", sender: "PlatformPerson", conversation: "Conversation"
) -> None:
    """Follow the commands of a Bellhop in this process, until cancelled."""
    person = app.contacts.resolve(conversation.platform, conversation.workspace, sender)
    with contextlib.suppress(BotError):  # then what was known last is completed
        async for commands in app.commands.skills.watch(conversation, app.clock, person):
            _offer(view, [(command.name, command.description) for command in commands])


async def complete_attached(path: Path, view: "PromptView", sender: "PlatformPerson") -> None:
    """Follow the commands of the Bellhop that listens at `path`, until cancelled or it has gone."""
    from bot.endpoints.control import connect  # noqa: PLC0415 - imports the house

    params = {"person": sender.id, "roles": list(sender.platform_roles)}
    with contextlib.suppress(BotError):
        async with connect(path) as client:
            while True:
                found = cast("list[list[str]]", await client.call("commands", params))
                _offer(view, [(name, about) for name, about in found])
                await asyncio.sleep(AGAIN_S)


def _offer(view: "PromptView", commands: Sequence[tuple[str, str]]) -> None:
    from bot.chat.terminal.completion import OWN_COMMANDS  # noqa: PLC0415 - with prompt_toolkit

    offered = (*commands, *OWN_COMMANDS)
    view.commands = lambda: offered
