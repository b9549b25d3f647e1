"""`bellhop connect`: connects a service at the terminal, for a person or for the workspace."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.home_files import contacts_of, person_at_terminal
from bot.cli.looking import NotDone, changed
from bot.cli.options import NO_HOME, Home
from bot.connections.access import WORKSPACE


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
    wanted = {"service": name, "owner": owner, "shown": shown}
    link, _ = await changed(home, "connections.begin", wanted, timeout_s=60.0)
    address = await ask(str(link["url"]))
    given = {"address": address, "owner": owner}
    outcome, _ = await changed(home, "connections.finish", given, timeout_s=60.0)
    if not outcome["connected"]:
        raise NotDone(str(outcome["text"]))
    return f"{outcome['text']} It is for {shown}."
