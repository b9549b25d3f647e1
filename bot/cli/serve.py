"""`bellhop run`: serves a home until it is told to stop."""

import asyncio
import contextlib
import os
import signal
from pathlib import Path

from bot.cli.options import NO_HOME, Home


def run(home: Home = NO_HOME) -> None:
    """Run Bellhop on this home, with Discord and Slack where they are switched on, until Ctrl-C or SIGTERM."""
    asyncio.run(_run(home))


async def _run(home: Path) -> None:
    import logging  # noqa: PLC0415 - with the house, so that --help stays quick

    from bot.app import load_settings  # noqa: PLC0415
    from bot.cli.serving import serving  # noqa: PLC0415
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
        with contextlib.suppress(asyncio.CancelledError):
            await running
        log.info("stopped")
