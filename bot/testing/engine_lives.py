"""Consecutive lives of a process with a turn engine, on the same database."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.json_types import JsonValue
from bot.domain.turns import Apologise, Question, Recorded, RunTurn, Turn
from bot.testing.crash_points import CrashingDatabase, CrashPoint, ProcessGone
from bot.testing.fake_clock import FakeClock, run_ready
from bot.testing.kept_databases import KeptDatabase, KeptDatabases, SqliteFiles
from bot.testing.waiting import until
from bot.turns.engine import TurnEngine

PATIENCE_S = 60
"""Real seconds after which a wait of a test fails."""

MakeEngine = Callable[[Database, Clock], TurnEngine]


async def no_apology(turn: Turn, reason: str) -> None:
    """Raise: no turn may fail in this test."""
    raise AssertionError(f"turn {turn.key} was given up: {reason}")


@dataclass
class Life:
    """One running process. `task` is its `engine.run`."""

    engine: TurnEngine
    database: CrashingDatabase
    clock: FakeClock
    task: asyncio.Task[None]

    async def started(self) -> None:
        """Wait until the engine runs turns. Raises ProcessGone if the process ended before."""
        await until(lambda: self.engine.started or self.database.gone or self.task.done())
        self.database.alive()

    async def submit(self, *keys: str, session: str = "s") -> None:
        """Hand in messages without a body, one after the other."""
        for key in keys:
            await self.engine.submit(session, key, {})

    async def asked(self, person: str = "ann") -> Question:
        """Wait for a question to a person in the room; return it."""
        async with asyncio.timeout(PATIENCE_S):
            while (question := await self.engine.open_question("room", person)) is None:
                await run_ready(1)
        return question

    async def until(self, holds: Callable[[], object | Awaitable[object]]) -> None:
        """Wait until `holds()`, or what it awaits, is true. Raises ProcessGone if it ended."""

        def alive_and_holds() -> object | Awaitable[object]:
            self.database.alive()
            return holds()

        await until(alive_and_holds)

    async def all_settled(self) -> None:
        """Wait until every accepted message is settled. Raises ProcessGone if it ended."""
        await self.until(self._nothing_open)

    async def _nothing_open(self) -> bool:
        return not await self.database.read("SELECT 1 FROM inbox WHERE settled_at IS NULL")

    async def advance(self, seconds: float) -> None:
        """Advance the clock once somebody waits for time to pass."""
        await until(lambda: self.clock.sleepers > 0)
        await self.clock.advance(seconds)


class Lives:
    """Consecutive lives that share a database and a clock."""

    def __init__(self, kept: KeptDatabase, make: MakeEngine) -> None:
        self.kept = kept
        self.make = make
        self.clock = FakeClock()

    @classmethod
    async def begin(cls, databases: KeptDatabases | Path, make: MakeEngine) -> "Lives":
        """Begin with an empty database of its own; in a folder it is a SQLite file."""
        if isinstance(databases, Path):
            databases = SqliteFiles(databases)
        return cls(await databases.fresh(), make)

    def between_lives(self, sql: str) -> list[Any]:
        """Run one statement while no process lives; return the first column."""
        return self.kept.run_sql(sql)

    @asynccontextmanager
    async def life(
        self, run_turn: RunTurn, apologise: Apologise = no_apology, point: CrashPoint | None = None
    ) -> AsyncGenerator[Life]:
        """Run a process that is cancelled at the end of the block, or ends at `point`.

        A crash inside ends the block without an error; `life.database.gone` tells of it.
        """
        inner = await self.kept.open()
        database = CrashingDatabase(inner, point)
        engine = self.make(database, self.clock)
        task = asyncio.create_task(engine.run(run_turn, apologise), name="engine")
        try:
            with suppress(ProcessGone):
                yield Life(engine, database, self.clock, task)
        finally:
            try:
                await self._end(task)
            finally:
                await inner.close()

    async def _end(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        while not task.done():
            await until(lambda: task.done() or self.clock.sleepers > 0)
            await self.clock.advance(0 if task.done() else 1)  # let running turns finish
        with suppress(asyncio.CancelledError, ProcessGone):
            await task


def gives(
    value: JsonValue, log: list[str] | None = None, name: str = ""
) -> Callable[[], "asyncio.Future[Recorded]"]:
    """Return a step function that returns `value` and records in `log` that it ran."""

    async def give() -> Recorded:
        if log is not None:
            log.append(name or str(value))
        return Recorded(value)

    return lambda: asyncio.ensure_future(give())


class Diary:
    """A runner that records what ran, and can be told to wait."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.ended: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}

    def gate(self, key: str) -> asyncio.Event:
        return self.gates.setdefault(key, asyncio.Event())

    async def run(self, turn: Turn) -> None:
        self.ran.append(turn.key)
        if turn.key in self.gates:
            await self.gates[turn.key].wait()
        self.ended.append(turn.key)
