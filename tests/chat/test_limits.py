"""The limiter: never more than is allowed, in order, and nobody waits for ever."""

import asyncio

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.chat.limits import HeldUp, Limiter, Rate, Window
from bot.testing.fake_clock import FakeClock, settle

WHOLE = Window("post", Rate(5, 10.0, spare=2))


def windows(channel: str) -> tuple[Window, ...]:
    return (Window(f"post {channel}", Rate(1, 1.0)), WHOLE)


ARRIVALS = st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 3), st.booleans()), min_size=1, max_size=25)
"""Channel, seconds after the one before, and whether it waits for its turn."""


@given(ARRIVALS)
@example([("a", 0.46374705216554746, False), ("a", 0.0, True), ("a", 0.0, True)])
async def test_windows_are_never_overfull_order_is_kept_and_everybody_who_waits_passes(
    arrivals: list[tuple[str, float, bool]],
):
    clock = FakeClock()
    limiter = Limiter(clock)
    passed: list[tuple[float, str, int]] = []

    async def waits(channel: str, number: int) -> None:
        await limiter.wait(windows(channel))
        passed.append((clock.monotonic(), channel, number))

    tasks: list[asyncio.Task[None]] = []
    patient = 0
    for number, (channel, after, waiting) in enumerate(arrivals):
        await clock.advance(after)
        if waiting:
            patient += 1
            tasks.append(asyncio.create_task(waits(channel, number)))
            await settle(3)
        elif limiter.pass_now(windows(channel)) == 0:
            passed.append((clock.monotonic(), channel, -1))
    await clock.advance(10.0 * len(arrivals) + 20)
    assert all(task.done() for task in tasks)
    assert sum(number >= 0 for _, _, number in passed) == patient
    for start, _, _ in passed:
        within = [channel for at, channel, _ in passed if start <= at < start + WHOLE.rate.seconds - 1e-6]
        assert len(within) <= WHOLE.rate.calls
        second = [channel for at, channel, _ in passed if start <= at < start + 1.0 - 1e-6]
        assert len(second) == len({*second})
    for channel in "abc":
        order = [number for _, where, number in passed if where == channel and number >= 0]
        assert order == sorted(order)


async def test_a_busy_channel_keeps_no_other_from_the_method_they_share():
    clock = FakeClock()
    limiter = Limiter(clock)
    busy = [asyncio.create_task(limiter.wait(windows("a"))) for _ in range(3)]
    await settle()
    other = asyncio.create_task(limiter.wait(windows("b")))
    await settle()
    assert (other.done(), [task.done() for task in busy]) == (True, [True, False, False])
    await clock.advance(5)
    assert all(task.done() for task in busy)


async def test_what_may_be_left_out_leaves_room_and_yields_to_who_waits():
    clock = FakeClock()
    limiter = Limiter(clock)
    assert [limiter.pass_now([WHOLE]) for _ in range(4)] == [0, 0, 0, 10.0]
    for _ in range(2):
        await limiter.wait([WHOLE])
    waiting = asyncio.create_task(limiter.wait([WHOLE]))
    await settle()
    assert not waiting.done()
    await clock.advance(9.99)
    assert limiter.pass_now([WHOLE]) > 0
    await clock.advance(0.02)
    assert waiting.done()


async def test_a_window_that_the_platform_holds_is_left_alone_by_all():
    clock = FakeClock()
    limiter = Limiter(clock)
    limiter.hold("post", 20)
    held = asyncio.create_task(limiter.wait(windows("a")))
    await clock.advance(19)
    assert (held.done(), round(limiter.pass_now([WHOLE]))) == (False, 2)
    await clock.advance(1.01)
    assert held.done()
    limiter.hold("post", 300)
    with pytest.raises(HeldUp, match="300 s"):
        await limiter.wait(windows("b"))


async def test_windows_of_long_ago_are_forgotten():
    clock = FakeClock()
    limiter = Limiter(clock)
    for number in range(5000):
        limiter.pass_now([Window(str(number), Rate(1, 1.0))])
    await clock.advance(200)
    limiter.pass_now([Window("new", Rate(1, 1.0))])
    assert len(vars(limiter)["_passed"]) == 1
