"""The cost of bodies of a gigabyte by every way in: seconds, memory, bytes read.

    python bench/bodies.py [--megabytes 1000]

The bodies are generated while they are sent, in their own process.
"""

import argparse
import asyncio
import multiprocessing
import resource
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from bot.testing.flood import Flood, flooding
from bot.testing.flood_doors import ANSWERS, PAGES, met, posted

MEGABYTE = 1_000_000
FORMS = {"/mail/resend": "a notice of mail", "/form": "the form of a page"}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=1_000)
    size = parser.parse_args().megabytes * MEGABYTE
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there, size))
    server.start()
    url: str = here.recv()
    base = _peak_mb()
    print(f"{'way in':32} {'seconds':>8} {'read MB':>8} {'peak MB more':>13}  outcome")
    for name, door in {**ANSWERS, **PAGES}.items():
        started = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            said = asyncio.run(met(door, Flood(url=url), Path(folder)))
        seconds = time.perf_counter() - started
        here.send("sent")
        report(name, seconds, int(here.recv()), base, said)
    for path, name in FORMS.items():
        started = time.perf_counter()
        seen = asyncio.run(posted(path, size))
        report(name, time.perf_counter() - started, seen.sent, base, f"HTTP {seen.status}")
    here.send("end")
    server.join()


def report(name: str, seconds: float, sent: int, base: int, said: str) -> None:
    mb = sent / MEGABYTE
    print(f"{name:32} {seconds:8.2f} {mb:8.1f} {_peak_mb() - base:13}  {said[:70]}", flush=True)


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
    main()
