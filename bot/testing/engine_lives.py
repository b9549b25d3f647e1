"""Lives of a process with a turn engine, one after the other on the same database."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.json_types import JsonValue
from bot.domain.turns import Apologise, Recorded, RunTurn, Turn, TurnEngine
from bot.testing.crash_points import CrashingDatabase, CrashPoint, ProcessGone
from bot.testing.fake_clock import FakeClock, run_ready
from bot.testing.kept_databases import KeptDatabase, KeptDatabases, SqliteFiles
from bot.turns.engine import JournalEngine

PATIENCE_S = 60
"""Real seconds after which a wait of a test fails."""

MakeEngine = Callable[[Database, Clock], TurnEngine]


async def no_apology(turn: Turn, reason: str) -> None:
    """For tests in which no turn may fail."""
    raise AssertionError(f"turn {turn.key} was given up: {reason}")


async def until(condition: Callable[[], bool]) -> None:
    """Let everything run, without advancing the fake clock, until the condition holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await run_ready(3)


def has_started(engine: TurnEngine) -> bool:
    """Whether it runs turns: work that is accepted before is written otherwise."""
    return isinstance(engine, JournalEngine) and engine.started


@dataclass
class Life:
    """One running process. `task` is its `engine.run`."""

    engine: TurnEngine
    database: CrashingDatabase
    clock: FakeClock
    task: asyncio.Task[None]

    async def started(self) -> None:
        """Wait until it runs turns. Raises ProcessGone when it went before."""
        await until(lambda: has_started(self.engine) or self.database.gone or self.task.done())
        self.database.alive()

    async def advance(self, seconds: float) -> None:
        """Let time pass once somebody waits for it."""
        await until(lambda: self.clock.sleepers > 0)
        await self.clock.advance(seconds)


class Lives:
    """All lives share the database and the clock."""

    def __init__(self, kept: KeptDatabase, make: MakeEngine) -> None:
        self.kept = kept
        self.make = make
        self.clock = FakeClock()

    @classmethod
    async def begin(cls, databases: KeptDatabases | Path, make: MakeEngine) -> "Lives":
        """Each begins with another empty database; in a folder it is a SQLite file."""
        if isinstance(databases, Path):
            databases = SqliteFiles(databases)
        return cls(await databases.fresh(), make)

    def between_lives(self, sql: str) -> list[Any]:
        """Run one statement while no process lives; returns the first column."""
        return self.kept.run_sql(sql)

    @asynccontextmanager
    async def life(
        self, run_turn: RunTurn, apologise: Apologise = no_apology, point: CrashPoint | None = None
    ) -> AsyncGenerator[Life]:
        """A process from start to end: cancelled at the end of the block, or gone at `point`.

        A crash inside ends the block silently; look at `life.database.gone`.
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
            await self.clock.advance(0 if task.done() else 1)  # running turns may end by themselves
        with suppress(asyncio.CancelledError, ProcessGone):
            await task


def gives(
    value: JsonValue, log: list[str] | None = None, name: str = ""
) -> Callable[[], "asyncio.Future[Recorded]"]:
    """A step function that gives `value`, and notes in `log` that it ran."""

    async def give() -> Recorded:
        if log is not None:
            log.append(name or str(value))
        return Recorded(value)

    return lambda: asyncio.ensure_future(give())


class Diary:
    """A runner that notes who ran and can be told to wait."""

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
