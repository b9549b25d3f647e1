"""Runs the demo: both platforms, the page, and Bellhop beside them."""

import os
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.loopback.serving import serving
from bot.plugins.demo.bellhop_process import BellhopProcess
from bot.plugins.demo.home import write_home
from bot.plugins.demo.inside import Inside
from bot.plugins.demo.model import WORD_S, demo_model
from bot.plugins.demo.requests import NewestRequests
from bot.plugins.demo.server import DemoServer
from bot.plugins.demo.town import Town, open_town

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
    home: Path, port: int = 0, *, word_s: float = WORD_S, pause_s: float = PAUSE_S
) -> AsyncGenerator[RunningDemo]:
    """Serve the demo until the block ends, with its home in this folder.

    A key of Anthropic in the environment gives it a real model. `word_s` is the pace of the demo's
    own model, in seconds per word, and `pause_s` that between two steps of a tour that plays by
    itself. Raises OSError for a taken port.
    """
    with_model = any(os.environ.get(name) for name in KEYS)
    requests = NewestRequests()
    model = demo_model(requests, word_s)
    process = BellhopProcess(home, with_keys=with_model)
    async with open_town() as town, model:
        server = DemoServer(
            town.sides, process, Inside(home), None if with_model else requests, pause_s=pause_s
        )
        async with serving(server.application(), port) as place:
            address = f"http://{place}"
            site = f"{address}/site/{server.site_secret}"
            model_url = None if with_model else model.base_url
            write_home(home, town, model_url, site, _free_port())
            await process.start()
            try:
                yield RunningDemo(f"{address}/{server.secret}/", server, town, process)
            finally:
                await process.stop()


def _free_port() -> int:
    """One that nothing on this machine listened on a moment ago."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
