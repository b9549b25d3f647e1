"""`bellhop connect`: connects a service at the terminal, for a person or for the workspace."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated

import typer

from bot.app import App, AppOptions, open_app
from bot.cli.changes import begin_connection, finish_connection
from bot.cli.home_files import contacts_of, person_at_terminal
from bot.cli.looking import here_or_asked
from bot.cli.options import NO_HOME, Home
from bot.connections.access import WORKSPACE
from bot.domain.json_types import JsonObject
from bot.errors import BotError


class NotConnectedHere(BotError):
    """The service could not be connected; the text says why."""


async def connect(
    service: Annotated[str, typer.Argument(help="Its id, such as google or notion.")],
    person: Annotated[str | None, typer.Option("--as", help="Contact whose account it is.")] = None,
    workspace: Annotated[bool, typer.Option(help="Connect the workspace's own account.")] = False,
    home: Home = NO_HOME,
) -> None:
    """Connect a service.

    Open the link, agree, and paste the address that the browser shows.

    A Bellhop that runs on this home uses the account at once.
    """

    async def ask(url: str) -> str:
        typer.echo(f"Open this link and agree:\n{url}")
        return str(await asyncio.to_thread(typer.prompt, "The address that the browser shows now"))

    typer.echo(await connect_with(home, service, person, workspace=workspace, ask=ask))


async def connect_with(
    home: Path, name: str, who: str | None, *, workspace: bool, ask: Callable[[str], Awaitable[str]]
) -> str:
    """Connect through a function that shows the link and returns the address. Raises BotError."""
    owner, shown = WORKSPACE, "the workspace"
    if not workspace:
        found = person_at_terminal(await contacts_of(home), who, None)
        owner, shown = found.id, found.name

    async def changed(
        change: Callable[[App, JsonObject], Awaitable[JsonObject]], method: str, params: JsonObject
    ) -> JsonObject:
        async def here() -> JsonObject:
            async with open_app(AppOptions(home)) as app:
                return await change(app, params)

        told, _ = await here_or_asked(home, here, method, params, timeout_s=60.0)
        return told

    link = await changed(
        begin_connection, "connections.begin", {"service": name, "owner": owner, "shown": shown}
    )
    address = await ask(str(link["url"]))
    outcome = await changed(
        finish_connection, "connections.finish", {"address": address, "owner": owner}
    )
    if not outcome["connected"]:
        raise NotConnectedHere(str(outcome["text"]))
    return f"{outcome['text']} It is for {shown}."
