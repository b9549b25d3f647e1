"""`bellhop demo`: its options. Everything else is imported once it runs."""

import asyncio
import signal
import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

from bot.plugin.command_line import BadParameter, CommandLine, Parameter


def demo(
    port: Annotated[int, Parameter("Port of the page; 0: any.", least=0, most=65535)] = 0,
    open_browser: Annotated[
        bool, Parameter("Open the page in the browser.", "--open/--no-open")
    ] = (True),
    scenario: Annotated[
        str, Parameter("A tour that plays: card, memory, kill, reminder or plan.")
    ] = "",
) -> None:
    """Show Bellhop in a browser, with several people to be.

    A Discord and a Slack run on this machine for it.
    """
    from bot.plugins.demo.tours import TOURS, tour_named  # noqa: PLC0415 - imports the platforms

    if scenario and tour_named(scenario) is None:
        names = ", ".join(one.id for one in TOURS)
        raise BadParameter(f"there is no tour {scenario!r}; there are {names}")
    asyncio.run(_demo(port, f"?scenario={scenario}" if scenario else "", open_browser=open_browser))


async def _demo(port: int, query: str, *, open_browser: bool) -> None:
    from bot.plugins.demo.demo import running_demo  # noqa: PLC0415 - imports the platforms

    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    with tempfile.TemporaryDirectory(prefix="bellhop-demo-") as home:
        async with running_demo(Path(home), port) as running:
            address = f"{running.address}{query}"
            print(f"The demo is at {address}")
            print("Ctrl-C ends it. Nothing of it is kept.", flush=True)
            if open_browser:
                await asyncio.to_thread(webbrowser.open, address)
            await ended.wait()


DEMO = CommandLine("demo", demo)
