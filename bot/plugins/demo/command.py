"""`bellhop demo`: the whole product in a browser, without an account."""

import asyncio
import signal
import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

import typer


def demo(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0: any.")] = 0,
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in the browser.")
    ] = (True),
    scenario: Annotated[
        str, typer.Option(help="A tour that plays: card, memory, kill, reminder or plan.")
    ] = "",
) -> None:
    """Show Bellhop in a browser: Discord and Slack on this machine, and people to be."""
    from bot.demo.tours import TOURS, tour_named  # noqa: PLC0415 - imports the platforms

    if scenario and tour_named(scenario) is None:
        names = ", ".join(one.id for one in TOURS)
        raise typer.BadParameter(f"there is no tour {scenario!r}; there are {names}")
    asyncio.run(_demo(port, f"?scenario={scenario}" if scenario else "", open_browser=open_browser))


async def _demo(port: int, query: str, *, open_browser: bool) -> None:
    from bot.demo.demo import running_demo  # noqa: PLC0415 - imports the house

    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    with tempfile.TemporaryDirectory(prefix="bellhop-demo-") as home:
        async with running_demo(Path(home), port) as running:
            address = f"{running.address}{query}"
            typer.echo(f"The demo is at {address}")
            typer.echo("Ctrl-C ends it. Nothing of it is kept.")
            if open_browser:
                await asyncio.to_thread(webbrowser.open, address)
            await ended.wait()
