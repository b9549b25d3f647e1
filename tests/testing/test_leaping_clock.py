"""The leaping clock: sleepers wake once at any leap, and notice a changed wall clock."""

import asyncio
from datetime import UTC, datetime, timedelta

from bot.testing.leaping_clock import LeapingClock

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HOUR_S = 3600.0


async def test_sleepers_wake_when_time_leaps_past_them():
    clock = LeapingClock(START)
    ticks: list[datetime] = []

    async def tick() -> None:
        while True:
            await clock.sleep(60)
            ticks.append(clock.now())

    task = asyncio.create_task(tick())
    await clock.advance(0)
    await clock.advance(30)
    assert not ticks
    await clock.advance(HOUR_S)
    assert len(ticks) == 1, "an hour is one leap"
    assert timedelta(hours=1) < ticks[0] - START < timedelta(hours=1, minutes=1)
    assert clock.sleepers == 1
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert clock.sleepers == 0


async def test_seconds_pass_by_themselves():
    clock = LeapingClock(START)
    await clock.sleep(0.001)
    assert clock.now() > START


async def test_a_wall_clock_that_is_set_is_noticed_by_who_waits_for_a_moment():
    clock = LeapingClock(START)
    waiting = asyncio.create_task(clock.sleep_until(START + timedelta(hours=2)))
    await clock.advance(0)
    before = clock.monotonic()
    clock.jump(2 * HOUR_S)
    assert clock.monotonic() - before < HOUR_S, "no time has passed"
    await clock.advance(31)
    assert waiting.done()
