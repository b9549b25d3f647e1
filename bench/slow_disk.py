"""Turns per second on a disk with 20 ms more per commit.

    python bench/slow_disk.py [--turns 6]

Exits with 1 where the goal is missed. 100 people talk at the same time; each turn calls one tool.
The model is a loopback server that answers at once, asked by the real client, in another process.
"""

import argparse
import asyncio
import subprocess
import sys
from pathlib import Path

import uvloop

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from figures import Figures
from turn import bellhop

from bot.domain.database import Unit, WriteResult
from bot.errors import StorageError
from bot.storage import home
from bot.storage.database import SqliteDatabase

COMMIT_S = 0.02
SESSIONS = 100
LEAST_PER_S = 80


class SlowDisk(SqliteDatabase):
    """The database, where the next commit begins 20 ms after the last one is done."""

    async def _in_writer(self, units: list[Unit]) -> list[WriteResult | StorageError]:
        outcomes = await super()._in_writer(units)
        await asyncio.sleep(COMMIT_S)
        return outcomes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=6, help="turns of each person")
    turns = parser.parse_args().turns
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / "loopback" / "model_server.py")],
        stdout=subprocess.PIPE,
        text=True,
    )
    home.SqliteDatabase = SlowDisk
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        _, measured = uvloop.run(bellhop(url, [(SESSIONS, turns)]))
    finally:
        server.terminate()
    figures = Figures()
    what = f"{SESSIONS} people, {COMMIT_S * 1000:.0f} ms for each commit: turns per second"
    figures.at_least(what, measured["turns_per_s"], LEAST_PER_S)
    figures.told("CPU per turn", f"{measured['cpu_ms']} ms")
    sys.exit(figures.close())


if __name__ == "__main__":
    main()
