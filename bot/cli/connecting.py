"""`bellhop connect`: connects a service at the terminal, for a person or for the workspace."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated
from urllib.parse import parse_qs, urlsplit

import typer

from bot.cli.looking import contacts_of, person_at_terminal, run_async
from bot.cli.options import NO_HOME, Home
from bot.errors import BotError, SettingsError


class NotConnectedHere(BotError):
    """The service could not be connected; the text says why."""


def connect(
    service: Annotated[str, typer.Argument(help="google, notion, github, slack or outlook.")],
    person: Annotated[str | None, typer.Option("--as", help="Contact whose account it is.")] = None,
    workspace: Annotated[bool, typer.Option(help="Connect the workspace's own account.")] = False,
    home: Home = NO_HOME,
) -> None:
    """Connect a service: open the link, say yes, and paste the address that the browser then shows.

    Bellhop must not run meanwhile; while it runs, use /connect in a conversation.
    """

    async def ask(url: str) -> str:
        typer.echo(f"Open this link and say yes:\n{url}")
        return str(await asyncio.to_thread(typer.prompt, "The address that the browser shows now"))

    typer.echo(run_async(connect_with(home, service, person, workspace=workspace, ask=ask)))


async def connect_with(
    home: Path, name: str, who: str | None, *, workspace: bool, ask: Callable[[str], Awaitable[str]]
) -> str:
    """Connect with whatever shows the link and brings the address back. Raises BotError."""
    from bot.app import AppOptions, open_app  # noqa: PLC0415 - imports the house
    from bot.connections.access import WORKSPACE  # noqa: PLC0415

    owner, shown = WORKSPACE, "the workspace"
    if not workspace:
        found = person_at_terminal(await contacts_of(home), who, None)
        owner, shown = found.id, found.name
    async with open_app(AppOptions(home)) as app:
        service = app.house.connections.services.get(name.casefold())
        if service is None:
            raise SettingsError(f"{name!r} is no service; known are {', '.join(app.house.connections.services)}")
        if not service.offered:
            prefix = service.id.upper()
            raise SettingsError(f"{prefix}_CLIENT_ID and {prefix}_CLIENT_SECRET are not set; put them into .env")
        address = await ask(await app.connecting.begin(owner, service, shown))
        given = parse_qs(urlsplit(address.strip()).query)
        outcome = await app.connecting.finish(given.get("state", [""])[0], given.get("code", [""])[0], owner)
    if outcome.service is None:
        raise NotConnectedHere(outcome.text)
    return f"{outcome.text} It is for {shown}."
