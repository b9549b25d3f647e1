"""What a start builds stays; what a process frees goes back to the system."""

import asyncio
import contextlib
import gc
from pathlib import Path

import pytest

from bot.cli.heap import freeze_start, give_back_free_memory, uncollected_start
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


def test_nothing_is_collected_until_the_start_is_frozen():
    usual = gc.get_threshold()
    with uncollected_start():
        assert not gc.isenabled()
        freeze_start()
        assert gc.isenabled()
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold() != usual
    assert (gc.isenabled(), gc.get_freeze_count(), gc.get_threshold()) == (True, 0, usual)


def test_a_start_that_fails_leaves_its_caller_a_collector():
    with pytest.raises(OSError, match="full"), uncollected_start():
        raise OSError("the disk is full")
    assert gc.isenabled()
