"""`bellhop run`: serves a home until it is told to stop."""

import asyncio
import contextlib
import ctypes
import gc
import os
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli.options import NO_HOME, Home
from bot.cli.preflight import preflight
from bot.errors import BotError, HomeInUse

if TYPE_CHECKING:
    from bot.app import App
    from bot.settings import Settings

_TRIES = 50
_AGAIN_S = 0.2
"""How often, and after how many seconds, a home is tried that another process holds."""
_M_ARENA_MAX = -8
"""glibc's mallopt(3): how many heaps its threads may have."""
_COLLECTED_EVERY = (200, 5, 5)
"""Objects, and rounds of the generations: cheap once the start is frozen, and garbage of turns doesn't pile up."""


def run(home: Home = NO_HOME) -> None:
    """Run Bellhop on this home, with Discord and Slack where they are switched on, until Ctrl-C or SIGTERM."""
    preflight(home)
    _one_heap()
    _run_on_fast_loop(_run(home))


def _one_heap() -> None:
    """Let all threads share one heap: Python runs one at a time anyway, and every heap keeps free memory of its own."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(_M_ARENA_MAX, 1)


def _run_on_fast_loop(work: Coroutine[None, None, None]) -> None:
    """On uvloop, which takes a quarter off the CPU of a turn; it knows no Windows."""
    if sys.platform == "win32":
        asyncio.run(work)
    else:
        import uvloop  # noqa: PLC0415 - see above

        uvloop.run(work)


def _freeze_start() -> None:
    """Whatever the start has built stays: garbage collections needn't look through a million objects again."""
    gc.freeze()
    gc.set_threshold(*_COLLECTED_EVERY)


async def _take_home(stack: contextlib.AsyncExitStack, home: Path, settings: "Settings") -> "App":
    """Serve this home; a chat that holds it alone is asked to leave it. Raises HomeInUse for anybody else."""
    from bot.cli.serving import serving  # noqa: PLC0415 - with the house

    for left in range(_TRIES - 1, -1, -1):
        try:
            return await stack.enter_async_context(serving(home, settings, platforms=True))
        except HomeInUse:
            if not left or not await _leaves(home):
                raise
        await asyncio.sleep(_AGAIN_S)
    raise AssertionError  # the last try has raised


async def _leaves(home: Path) -> bool:
    """Whether the process that holds the home is going to leave it."""
    from bot.cli.serving import socket_path  # noqa: PLC0415 - with the house
    from bot.console.control import connect  # noqa: PLC0415
    from bot.console.peer import Disconnected  # noqa: PLC0415

    try:
        async with connect(socket_path(home)) as client:
            return await client.call("home.leave") is True
    except Disconnected:
        return True  # it starts or ends just now
    except BotError:
        return False


async def _run(home: Path) -> None:
    import logging  # noqa: PLC0415 - with the house, so that --help stays quick

    from bot.app import load_settings  # noqa: PLC0415
    from bot.llm.build import LazyModel  # noqa: PLC0415
    from bot.log import set_up_logging  # noqa: PLC0415
    from bot.settings import LogSettings  # noqa: PLC0415

    settings = await asyncio.to_thread(load_settings, home)
    wanted = settings.get(LogSettings)
    set_up_logging(wanted.level, wanted.format)
    log = logging.getLogger("bot.cli.serve")
    async with contextlib.AsyncExitStack() as stack:
        app = await _take_home(stack, home, settings)
        running = asyncio.create_task(app.run(), name="app")
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, running.cancel)
        log.info("home=<%s>, model=<%s>, pid=<%d> | ready", home, app.model.capabilities.label, os.getpid())
        if isinstance(app.model, LazyModel):
            await app.model.warm()
        _freeze_start()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        log.info("stopped")
