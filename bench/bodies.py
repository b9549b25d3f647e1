"""The cost of bodies of a gigabyte by every way in: seconds, memory, bytes read.

    python bench/bodies.py [--megabytes 1000]

The bodies are generated while they are sent, in their own process. Exits with 1 where a goal is
missed: whatever is sent, little of it is read, in little memory.
"""

import argparse
import asyncio
import multiprocessing
import resource
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from figures import Figures, shown

from bot.testing.flood import Flood, flooding
from bot.testing.flood_doors import ANSWERS, PAGES, met, posted

MEGABYTE = 1_000_000
MOST_READ_MB = 64.0
"""Twice the largest limit: a part of what was sent is still on its way when reading ends."""
MOST_MEMORY_MB = 400.0
FORMS = {"/mail/resend": "a notice of mail", "/form": "the form of a page"}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=1_000)
    size = parser.parse_args().megabytes * MEGABYTE
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there, size))
    server.start()
    url: str = here.recv()
    base, figures = _peak_mb(), Figures()
    for name, door in {**ANSWERS, **PAGES}.items():
        started = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            said = asyncio.run(met(door, Flood(url=url), Path(folder)))
        seconds = time.perf_counter() - started
        here.send("sent")
        report(figures, name, seconds, int(here.recv()), said)
    for path, name in FORMS.items():
        started = time.perf_counter()
        seen = asyncio.run(posted(path, size))
        report(figures, name, time.perf_counter() - started, seen.sent, f"HTTP {seen.status}")
    here.send("end")
    server.join()
    figures.at_most("memory that all of them took", _peak_mb() - base, MOST_MEMORY_MB, "MB")
    return figures.close()


def report(figures: Figures, name: str, seconds: float, sent: int, said: str) -> None:
    more = f"({shown(seconds)} s: {said[:70]})"
    figures.at_most(f"{name}: read", sent / MEGABYTE, MOST_READ_MB, "MB", more)


def serve(pipe: Connection, size: int) -> None:
    """Serve floods, and tell how much left since it was asked last."""

    async def run() -> None:
        async with flooding(Flood(size)) as flood:
            pipe.send(flood.url)
            before = 0
            while await asyncio.to_thread(pipe.recv) != "end":
                pipe.send(flood.sent - before)
                before = flood.sent

    asyncio.run(run())


def _peak_mb() -> int:
    """The most that this process and its readers have held so far; it never falls."""
    own, readers = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return sum(resource.getrusage(who).ru_maxrss for who in (own, readers)) // 1024


if __name__ == "__main__":
    sys.exit(main())
