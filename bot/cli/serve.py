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

from bot.cli.options import NO_HOME, Home

_M_ARENA_MAX = -8
"""glibc's mallopt(3): how many heaps its threads may have."""
_COLLECTED_EVERY = (200, 5, 5)
"""Objects, and rounds of the generations: cheap once the start is frozen, and garbage of turns doesn't pile up."""


def run(home: Home = NO_HOME) -> None:
    """Run Bellhop on this home, with Discord and Slack where they are switched on, until Ctrl-C or SIGTERM."""
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


async def _run(home: Path) -> None:
    import logging  # noqa: PLC0415 - with the house, so that --help stays quick

    from bot.app import load_settings  # noqa: PLC0415
    from bot.cli.serving import serving  # noqa: PLC0415
    from bot.llm.build import LazyModel  # noqa: PLC0415
    from bot.log import set_up_logging  # noqa: PLC0415
    from bot.settings import LogSettings  # noqa: PLC0415

    settings = await asyncio.to_thread(load_settings, home)
    wanted = settings.get(LogSettings)
    set_up_logging(wanted.level, wanted.format)
    log = logging.getLogger("bot.cli.serve")
    async with serving(home, settings, platforms=True) as app:
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
