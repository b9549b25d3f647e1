"""What a process frees goes back to the system, even between blocks that live on."""

import asyncio
import contextlib
from pathlib import Path

from bot.cli.heap import give_back_free_memory
from bot.testing.waiting import until

BLOCK, COUNT = 60_000, 800


def resident_mb() -> float:
    status = Path("/proc/self/status").read_text()
    return (
        next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        / 1024
    )


async def test_free_memory_below_what_lives_on_is_given_back():
    kept = [bytes([1]) * BLOCK for _ in range(COUNT)]
    last = bytes([1]) * BLOCK  # above them, so that the heap can't shrink from its end
    kept.clear()
    before = resident_mb()
    tidying = asyncio.create_task(give_back_free_memory(0.0))
    await until(lambda: before - resident_mb() >= 0.5 * BLOCK * COUNT / 2**20)
    tidying.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await tidying
    assert len(last) == BLOCK
