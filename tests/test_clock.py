"""An alarm ends its block, and only for its own reason."""

import asyncio
from functools import partial

import pytest

from bot.clock import cut_off_by
from bot.testing.fake_clock import FakeClock, settle


async def test_a_block_that_takes_too_long_is_ended():
    clock = FakeClock()
    ended: list[str] = []

    async def work() -> None:
        try:
            async with cut_off_by(partial(clock.after, 60)):
                await asyncio.Event().wait()
        except TimeoutError:
            ended.append("late")
        await asyncio.sleep(0)  # nothing of the cancellation is left
        ended.append("went on")

    task = asyncio.create_task(work())
    await settle()
    await clock.advance(59)
    assert not ended
    await clock.advance(1)
    await task
    assert ended == ["late", "went on"]


async def test_a_block_that_ends_in_time_is_left_alone_and_leaves_nothing_behind():
    clock = FakeClock()
    async with cut_off_by(partial(clock.after, 60)):
        pass
    await settle()
    assert clock.sleepers == 0


async def test_a_stop_stays_a_stop():
    clock = FakeClock()

    async def work() -> None:
        async with cut_off_by(partial(clock.after, 60)):
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await settle()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
