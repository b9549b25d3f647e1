"""What a turn costs inside the program: commits, statements, reads, bytes and CPU.

    python bench/engine.py [--turns 200]

The whole program runs a turn with one tool call: slots, journal, cycle log, outbox and transcript.
Only the platform and the model are stand-ins, which take no time. Also what turns cost that wait
for a person. CPU is that of all threads.
"""

import argparse
import asyncio
import contextlib
import resource
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import uvloop
from answering import AnsweringModel
from figures import Figures

from bot.app import AppOptions, open_app
from bot.clock import SystemClock
from bot.domain.database import Database, Read, Row, Unit, WriteResult
from bot.domain.sessions import SessionKey
from bot.domain.turns import Recorded, RunTurn, Turn
from bot.storage import home
from bot.storage.database import SqliteDatabase
from bot.storage.home import open_database
from bot.storage.queues import Outcome
from bot.testing.fake_chat import FakeChat
from bot.turns.engine import TurnEngine
from bot.turns.settings import TurnLimits

MOST_COMMITS, MOST_STATEMENTS, MOST_KB = 5.0, 24.0, 60.0
MOST_IDLE = 1.0
SETTINGS = "budgets: {per_guest_day: {model_calls: 0}, strangers_day: {model_calls: 0}}\n"
REPLY = {
    "role": "assistant",
    "content": [{"type": "text", "text": "A reply of a usual length. " * 15}],
}


async def model() -> Recorded:
    return Recorded(REPLY)


class CountedFile(SqliteDatabase):
    """Counts transactions: units that are ready at the same time share one."""

    commits = 0

    async def _in_writer(self, units: list[Unit]) -> list[Outcome]:
        CountedFile.commits += 1
        return await super()._in_writer(units)


class CountedDatabase:
    """Counts what goes through it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.units = self.statements = self.reads = 0

    async def write(self, unit: Unit) -> WriteResult:
        if unit:
            self.units += 1
            self.statements += len(unit.writes)
        return await self._database.write(unit)

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        self.reads += 1
        return await self._database.read(sql, params)

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        self.reads += 1
        return await self._database.read_one(sql, params)

    async def read_all(self, *reads: Read) -> list[list[Row]]:
        """Counts as one: they share a journey to the database."""
        self.reads += 1
        return await self._database.read_all(*reads)


def written() -> int:
    """Bytes that this process has handed to files so far."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar"))


def counts(database: CountedDatabase) -> tuple[int, ...]:
    return CountedFile.commits, database.units, database.statements, database.reads, written()


async def program(figures: Figures, sessions: int, turns: int) -> None:
    """Each person says the next thing when they have read their answer.

    Reading takes longer than a turn needs to settle after its answer, so the next turn is begun
    with its acceptance.
    """
    counted: list[CountedDatabase] = []

    def wrap(database: Database) -> Database:
        counted.append(CountedDatabase(database))
        return counted[0]

    chat = FakeChat()
    with tempfile.TemporaryDirectory() as folder:
        house = Path(folder)
        (house / "bellhop.yaml").write_text(SETTINGS)
        answering = AnsweringModel("current_time", {})
        options = AppOptions(house, [chat], answering, wrap_database=wrap)
        async with open_app(options) as app:
            chat.attach(app.accept)
            running = asyncio.create_task(app.run(), name="app")

            async def person(name: str, count: int) -> None:
                session = str(SessionKey("discord", "w", f"dm-{name}", f"discord-{name}"))
                for _ in range(count):
                    await chat.say_and_wait(name, "what time is it?")
                    while app.engine.running(session):  # noqa: ASYNC110 - nobody tells of it
                        await asyncio.sleep(0.001)

            async def everybody(count: int) -> None:
                await asyncio.gather(*(person(f"p{n}", count) for n in range(sessions)))
                while app.engine.busy:  # noqa: ASYNC110 - nobody tells of idleness
                    await asyncio.sleep(0.01)

            await everybody(2)
            database = counted[0]
            before = counts(database)
            cpu, wall = time.process_time(), time.perf_counter()
            each = max(2, turns // sessions)
            await everybody(each)
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            after = counts(database)
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
    done = each * sessions
    commits, units, statements, reads, size = (
        (b - a) / done for a, b in zip(before, after, strict=True)
    )
    name = f"{sessions} sessions" if sessions > 1 else "one session"
    figures.at_most(f"{name}: commits per turn", commits, MOST_COMMITS)
    figures.at_most(f"{name}: written per turn", size / 1000, MOST_KB, "KB")
    figures.at_most(f"{name}: statements per turn", statements, MOST_STATEMENTS)
    figures.told(f"{name}: units and reads per turn", f"{units:.1f} and {reads:.1f}")
    figures.told(f"{name}: CPU per turn", f"{cpu / done * 1000:.1f} ms ({done / wall:.0f} turns/s)")


async def nobody(turn: Turn, reason: str) -> None:
    raise AssertionError(f"{turn.key} failed: {reason}")


@asynccontextmanager
async def journal(folder: Path, run_turn: RunTurn) -> AsyncGenerator[TurnEngine]:
    database = await open_database(folder / "bench.db")
    engine = TurnEngine(database, SystemClock(), owner="bench", limits=TurnLimits(begun=2_000))
    task = asyncio.create_task(engine.run(run_turn, nobody))
    try:
        yield engine
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await database.close()


async def idle(seconds: float) -> float:
    """CPU in percent of one core while nothing happens."""
    cpu = time.process_time()
    await asyncio.sleep(seconds)
    return (time.process_time() - cpu) / seconds * 100


def resident_mb() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def suspend(figures: Figures, folder: Path, count: int) -> None:
    asked = asyncio.Semaphore(0)
    answered = asyncio.Event()

    async def run(turn: Turn) -> None:
        await turn.step("model:1", model)
        try:
            await turn.ask("ask:1", turn.session, "room", "Which one?")
            answered.set()
        finally:
            asked.release()

    async with journal(folder, run) as engine:
        figures.at_most("idle engine: CPU of a core", await idle(2), MOST_IDLE, "%")
        before = resident_mb()
        for number in range(count):
            await engine.submit(f"person {number}", f"k{number}", {})
        for _ in range(count):
            await asked.acquire()
        grown = resident_mb()
        cpu = await idle(2)
        name = f"{count} suspended turns"
        figures.at_most(f"{name}: CPU of a core", cpu, MOST_IDLE, "%")
        figures.told(f"{name}: memory that they add", f"{grown - before:.1f} MB")
        delays: list[float] = []
        for number in range(min(count, 100)):
            question = await engine.open_question("room", f"person {number}")
            assert question is not None
            answered.clear()
            start = time.perf_counter()
            await engine.answer(question.ref, f"a{number}", "the red one")
            await answered.wait()
            delays.append(time.perf_counter() - start)
        resumed = sorted(delays)[len(delays) // 2] * 1000
        figures.told("answer to resumed, median", f"{resumed:.1f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=200, help="turns per row (default 200)")
    parser.add_argument(
        "--suspended", type=int, default=500, help="turns that wait for a person (default 500)"
    )
    options = parser.parse_args()
    figures = Figures()
    home.SqliteDatabase = CountedFile
    for sessions in (1, 10, 100):
        uvloop.run(program(figures, sessions, options.turns))
    with tempfile.TemporaryDirectory() as folder:
        uvloop.run(suspend(figures, Path(folder), options.suspended))
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())
