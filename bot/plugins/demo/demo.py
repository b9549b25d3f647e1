"""Runs the demo: both platforms, the page, and Bellhop beside them."""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.demo.bellhop_process import BellhopProcess
from bot.demo.home import write_home
from bot.demo.inside import Inside, looking_inside
from bot.demo.model import DemoModel, serving
from bot.demo.server import DemoServer
from bot.demo.town import Town, open_town

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
PAUSE_S = 4.0
"""Long enough to read a step, and short enough to kill Bellhop within an answer."""


@dataclass(frozen=True)
class RunningDemo:
    """A demo that is served, and its parts."""

    address: str
    """Of its page; it holds the secret."""
    server: DemoServer
    town: Town
    process: BellhopProcess


@asynccontextmanager
async def running_demo(
    home: Path, port: int = 0, *, word_s: float | None = None, pause_s: float = PAUSE_S
) -> AsyncGenerator[RunningDemo]:
    """Serve the demo until the block ends, with its home in this folder.

    A key of Anthropic in the environment gives it a real model. `word_s` is the pace of the demo's
    own model, in seconds per word, and `pause_s` that between two steps of a tour that plays by
    itself. Raises OSError for a taken port.
    """
    with_model = any(os.environ.get(name) for name in KEYS)
    model = DemoModel() if word_s is None else DemoModel(word_s=word_s)
    process = BellhopProcess(home, with_keys=with_model)
    inside: list[Inside] = []
    async with open_town() as town, serving(model.application()) as model_url:
        server = DemoServer(
            town.sides,
            process,
            lambda: inside[0] if inside else None,
            None if with_model else model.requests,
            pause_s=pause_s,
        )
        async with serving(server.application(), port) as address:
            site = f"{address}/site/{server.site_secret}"
            write_home(home, town, None if with_model else model_url, site, _free_port())
            await process.start()
            looking = asyncio.create_task(_keep_looking(home, inside))
            try:
                yield RunningDemo(f"{address}/{server.secret}/", server, town, process)
            finally:
                looking.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await looking
                await process.stop()


def _free_port() -> int:
    """One that nothing on this machine listened on a moment ago."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def _keep_looking(home: Path, inside: list[Inside]) -> None:
    async with looking_inside(home) as found:
        inside.append(found)
        try:
            await asyncio.Event().wait()
        finally:
            inside.clear()
