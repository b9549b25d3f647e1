"""`bellhop run`: serves a home until it is told to stop."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bot.app import App
from bot.assembly.database import home_database
from bot.assembly.home_settings import load_settings
from bot.cli.changes import claim_words
from bot.cli.heap import freeze_start, give_back_free_memory, one_heap, uncollected_start
from bot.cli.options import NO_HOME, Home
from bot.cli.preflight import preflight
from bot.cli.serving import ENDS, LEAVES, STAYS, serving, socket_path
from bot.domain.processes import ProcessRole
from bot.endpoints.control import connect
from bot.endpoints.peer import Disconnected
from bot.errors import BotError, HomeInUse
from bot.llm.build import warm
from bot.log import close_log_file, set_up_logging
from bot.settings import LogSettings, Settings
from bot.storage.log_files import LogFile

_TRIES = 50
_AGAIN_S = 0.2
"""The tries, and the seconds between them, for a home that another process holds."""
_ENDS_S = 300
"""How long `run` waits for a chat that ends by itself."""
_WAITING = (
    "bellhop: `bellhop chat --once`, or one that reads a pipe, holds this home; "
    f"waiting for its end, at most {_ENDS_S // 60} minutes"
)


class Part(StrEnum):
    """A part of the work, for one of several processes on a PostgreSQL database."""

    GATEWAY = "gateway"
    TURNS = "turns"


def run(
    home: Home = NO_HOME,
    only: Annotated[
        Part | None,
        typer.Option(
            help="Do a part of the work: gateway holds the connections to the platforms, turns"
            " answers. Needs a PostgreSQL database; default is both."
        ),
    ] = None,
) -> None:
    """Run Bellhop with its platforms, until Ctrl-C or SIGTERM."""
    preflight(home)
    one_heap()
    with uncollected_start():
        _run_on_fast_loop(_run(home, ProcessRole(only or ProcessRole.BOTH)))


def _run_on_fast_loop(work: Coroutine[None, None, None]) -> None:
    """Run on uvloop, which saves a quarter of a turn's CPU time. It doesn't support Windows."""
    if sys.platform == "win32":
        asyncio.run(work)
    else:
        import uvloop  # noqa: PLC0415 - not there on Windows

        uvloop.run(work)


async def _take_home(
    stack: contextlib.AsyncExitStack, home: Path, settings: Settings, role: ProcessRole
) -> App:
    """Serve this home.

    A chat at a terminal gives the home up; one with a single question or a pipe may end first.

    Raises HomeInUse for anybody else, and for such a chat after some minutes.
    """
    tries, said = _TRIES, False
    while True:
        try:
            return await stack.enter_async_context(
                serving(home, settings, platforms=True, role=role)
            )
        except HomeInUse:
            answer = await _asked_to_leave(home)
            if answer == ENDS and not said:
                tries, said = int(_ENDS_S / _AGAIN_S), True
                typer.echo(_WAITING, err=True)
            if not tries or answer == STAYS:
                raise
        tries -= 1
        await asyncio.sleep(_AGAIN_S)


async def _asked_to_leave(home: Path) -> object:
    """The answer of the process that holds the home: it leaves, ends by itself, or stays."""
    try:
        async with connect(socket_path(home)) as client:
            return await client.call("home.leave")
    except Disconnected:
        return LEAVES  # it starts or ends just now
    except BotError:
        return STAYS


async def _run(home: Path, role: ProcessRole) -> None:
    settings = await asyncio.to_thread(load_settings, home)
    wanted = settings.get(LogSettings)
    log = logging.getLogger("bot.cli.serve")
    async with contextlib.AsyncExitStack() as stack:
        shared = not isinstance(await asyncio.to_thread(home_database, settings), Path)
        logs = await asyncio.to_thread(LogFile.of, home, shared=shared)
        stack.callback(logs.release)
        stack.callback(close_log_file)
        set_up_logging(wanted.level, wanted.format, file=logs.path)
        for line in settings.ignored:
            log.warning(line)
        app = await _take_home(stack, home, settings, role)
        running = asyncio.create_task(app.run(), name="app")
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, running.cancel)
        log.info(
            "home=<%s>, model=<%s>, pid=<%d>, role=<%s> | ready",
            home,
            app.model.capabilities.label,
            os.getpid(),
            role,
        )
        if role is not ProcessRole.TURNS and (words := await claim_words(app)):
            typer.echo(words)
        if role is not ProcessRole.GATEWAY:
            await warm(app.model)
        freeze_start()
        tidying = asyncio.create_task(give_back_free_memory(), name="heap")
        with contextlib.suppress(asyncio.CancelledError):
            await running
        tidying.cancel()
        log.info("stopped")
