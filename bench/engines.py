"""What a turn costs in each engine: turns a second, CPU per turn, and CPU while nothing happens.

    python bench/engines.py [--turns 1000]

A turn has a model's answer, a step that can't be repeated, and a row of its own; the model takes no
time. The embedded engine works on a SQLite file, the standing one on a PostgreSQL server on this
machine, alone and with a second process beside it. The server syncs each commit.
"""

import argparse
import asyncio
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import uvloop
from figures import Figures

from bot.clock import SystemClock
from bot.domain.database import OpenDatabase, Unit, Write
from bot.domain.turns import Recorded, Turn
from bot.plugins.postgresql.server import PostgresDatabaseServer
from bot.storage.home import open_database
from bot.testing.postgres_server import PostgresServer, postgres_server
from bot.turns.engine import TurnEngine
from bot.turns.settings import TurnLimits
from bot.turns.standing.engine import StandingEngine

LIMITS = TurnLimits(per_person=100, begun=2_000)
MOST_IDLE = 2.0
LEAST_TURNS = 150.0
TABLE = "CREATE TABLE IF NOT EXISTS worked (key TEXT)"
REPLY = {"role": "assistant", "content": [{"type": "text", "text": "A reply. " * 50}]}


async def replied() -> Recorded:
    return Recorded(REPLY)


async def run_turn(turn: Turn) -> None:
    await turn.step("model:1", replied)
    await turn.step("tool:1", replied, once=True)
    await turn.finish(Unit.of(Write("INSERT INTO worked (key) VALUES (?)", (turn.key,))))


async def nobody(turn: Turn, reason: str) -> None:
    raise AssertionError(f"{turn.key} failed: {reason}")


@asynccontextmanager
async def running(engine: TurnEngine, database: OpenDatabase) -> AsyncGenerator[None]:
    task = asyncio.create_task(engine.run(run_turn, nobody))
    try:
        while not engine.started:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await database.close()


async def settled(database: OpenDatabase) -> None:
    unsettled = "SELECT count(*) AS n FROM inbox WHERE settled_at IS NULL"
    while (row := await database.read_one(unsettled)) and row["n"]:  # noqa: ASYNC110 - rows
        await asyncio.sleep(0.02)


async def work(
    engine: TurnEngine, database: OpenDatabase, sessions: int, turns: int, name: str
) -> float:
    """Seconds until all are settled, which were accepted by several senders at a time."""
    numbers = iter(range(turns))

    async def sender() -> None:
        for number in numbers:
            await engine.submit(f"s{number % sessions}", f"{name}:{sessions}:{number}", {})

    start = time.perf_counter()
    await asyncio.gather(*(sender() for _ in range(min(sessions, 50))))
    await settled(database)
    return time.perf_counter() - start


def server_cpu(server: PostgresServer | None) -> float:
    """Seconds of processor time of a server and its connections so far."""
    if server is None:
        return 0.0
    main = (server.folder / "data" / "postmaster.pid").read_text().split()[0]
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            words = stat.read_text().rpartition(") ")[2].split()
            if main in {words[1], stat.parent.name}:
                ticks += sum(map(int, words[11 : 15 if stat.parent.name == main else 13]))
    return ticks / os.sysconf("SC_CLK_TCK")


async def measure(
    figures: Figures,
    name: str,
    engine: TurnEngine,
    database: OpenDatabase,
    turns: int,
    server: PostgresServer | None = None,
) -> None:
    await database.write(Unit.of(Write(TABLE)))
    async with running(engine, database):
        await work(engine, database, 10, 50, "warm")
        for sessions in (1, 50, 500):
            count = turns // 5 if sessions == 1 else turns
            cpu, there = time.process_time(), server_cpu(server)
            wall = await work(engine, database, sessions, count, "measured")
            cpu, there = time.process_time() - cpu, server_cpu(server) - there
            more = f" and {there / count * 1000:.1f} ms of the server's" if server else ""
            figures.told(
                f"{name}, {sessions} sessions",
                f"{count / wall:.0f} turns/s, {cpu / count * 1000:.1f} ms of CPU per turn{more}",
            )
        await asyncio.sleep(1)
        cpu = time.process_time()
        await asyncio.sleep(5)
        idle = (time.process_time() - cpu) / 5 * 100
        figures.at_most(f"{name}, idle: CPU of a core", idle, MOST_IDLE, "%")


async def child(url: str) -> None:
    """A worker beside the one that is measured."""
    server = PostgresDatabaseServer(url)
    database = await server.open()
    engine = StandingEngine(database, SystemClock(), server, limits=LIMITS)
    print("started", flush=True)
    await engine.run(run_turn, nobody)


async def processes(figures: Figures, server: PostgresServer, workers: int, turns: int) -> float:
    """Turns a second of so many workers as processes; this one only accepts."""
    url = server.url(server.database())
    here = PostgresDatabaseServer(url)
    database = await here.open()
    await database.write(Unit.of(Write(TABLE)))
    engine = StandingEngine(database, SystemClock(), here)
    started: list[asyncio.subprocess.Process] = []
    try:
        for _ in range(workers):
            one = await asyncio.create_subprocess_exec(
                sys.executable, __file__, "--child", url, stdout=asyncio.subprocess.PIPE
            )
            started.append(one)
            assert one.stdout is not None
            await one.stdout.readline()
        await work(engine, database, 100, 200, "warm")
        wall = await work(engine, database, 500, turns, "measured")
    finally:
        for one in started:
            one.kill()
            await one.wait()
        await database.close()
    return turns / wall


async def measured(options: argparse.Namespace, figures: Figures) -> None:
    clock = SystemClock()
    with tempfile.TemporaryDirectory() as folder:
        database = await open_database(Path(folder) / "bench.db")
        engine = TurnEngine(database, clock, owner="bench", limits=LIMITS)
        await measure(figures, "SQLite", engine, database, options.turns)
    with postgres_server() as server:
        if server is None:
            figures.told("PostgreSQL", "not measured: it is not installed here")
            return
        for setting in ("fsync", "synchronous_commit"):
            server.run_sql("postgres", f"ALTER SYSTEM SET {setting} = on")
        server.stop()
        server.start()
        where = PostgresDatabaseServer(server.url(server.database()))
        there = await where.open()
        standing = StandingEngine(there, clock, where, limits=LIMITS)
        await measure(figures, "PostgreSQL", standing, there, options.turns, server)
        one = await processes(figures, server, 1, options.turns)
        two = await processes(figures, server, 2, options.turns)
        figures.told("one worker process, 500 sessions", f"{one:.0f} turns/s")
        figures.at_least("two worker processes, 500 sessions", two, LEAST_TURNS, "turns/s")
        figures.told("cores of this machine", str(os.cpu_count()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        uvloop.run(child(options.child))
        return 0
    figures = Figures()
    uvloop.run(measured(options, figures))
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())
