"""Several turn engines over one PostgreSQL database, each with connections of its own."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bot.domain.database import OpenDatabase, Unit, Write
from bot.domain.turns import Apologise, RunTurn, Turn
from bot.testing.engine_lives import no_apology
from bot.testing.fake_clock import FakeClock
from bot.testing.kept_databases import PostgresKept
from bot.testing.waiting import until
from bot.turns.standing.engine import StandingEngine


async def nothing(turn: Turn) -> None:
    """Do nothing: only the acceptance of these turns matters."""


@dataclass
class Process:
    """One of the processes. `running` is its `engine.run`, or None if it only accepts."""

    engine: StandingEngine
    database: OpenDatabase
    running: asyncio.Task[None] | None = None

    async def end(self) -> None:
        """Stop it cleanly; an error that ended it before is not raised."""
        if self.running is not None:
            self.running.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self.running
        await self.database.close()


class SeveralProcesses:
    """Processes that share a database and a clock."""

    def __init__(self, kept: PostgresKept) -> None:
        self.kept = kept
        self.clock = FakeClock()
        self._processes: list[Process] = []

    async def starts(
        self, run_turn: RunTurn = nothing, apologise: Apologise = no_apology
    ) -> Process:
        """Start a process that runs turns."""
        process = await self.accepts()
        process.running = asyncio.create_task(process.engine.run(run_turn, apologise))
        await until(lambda: process.engine.started or (process.running and process.running.done()))
        return process

    async def accepts(self) -> Process:
        """Start a process that only accepts."""
        database = await self.kept.open()
        engine = StandingEngine(database, self.clock, self.kept.server, drain_s=0)
        process = Process(engine, database)
        self._processes.append(process)
        return process

    async def end(self, process: Process) -> None:
        self._processes.remove(process)
        await process.end()

    async def close(self) -> None:
        for process in list(self._processes):
            await self.end(process)

    async def write(self, *statements: tuple[str, tuple[Any, ...]]) -> None:
        """Write rows as a process that has ended since would have."""
        database = await self.kept.open()
        await database.write(Unit(tuple(Write(sql, params) for sql, params in statements)))
        await database.close()

    async def until_stored(self, sql: str, wanted: Callable[[Any], object] = bool) -> Any:
        """Wait until the first column of a query has these values."""
        return await _found(lambda: asyncio.to_thread(self.kept.run_sql, sql), wanted)


async def _found(
    read: Callable[[], Awaitable[list[Any]]], wanted: Callable[[Any], object]
) -> list[Any]:
    async with asyncio.timeout(30):
        while not wanted(found := await read()):
            pass
    return found
