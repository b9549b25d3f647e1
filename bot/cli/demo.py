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
) -> None:
    """Show Bellhop in a browser: Discord and Slack on this machine, and people to be."""
    asyncio.run(_demo(port, open_browser=open_browser))


async def _demo(port: int, *, open_browser: bool) -> None:
    from bot.demo.demo import running_demo  # noqa: PLC0415 - imports the house

    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    with tempfile.TemporaryDirectory(prefix="bellhop-demo-") as home:
        async with running_demo(Path(home), port) as running:
            typer.echo(f"The demo is at {running.address}")
            typer.echo("Ctrl-C ends it. Nothing of it is kept.")
            if open_browser:
                await asyncio.to_thread(webbrowser.open, running.address)
            await ended.wait()
