"""The limiter: never more than is allowed, in order, and nobody waits for ever."""

import asyncio
import itertools
from typing import Literal, TypeAlias

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.chat.limits import MOST_OVERTAKEN, CallWindow, HeldUp, Limiter, Rate
from bot.testing.fake_clock import FakeClock, run_ready, settle

WHOLE = CallWindow("post", Rate(5, 10.0, spare=2))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def limiter(clock: FakeClock) -> Limiter:
    return Limiter(clock)


def windows(channel: str) -> tuple[CallWindow, ...]:
    return (CallWindow(f"post {channel}", Rate(1, 1.0)), WHOLE)


Kind: TypeAlias = Literal["now", "live", "background"]
KINDS: tuple[Kind, ...] = ("now", "live", "background")
ARRIVALS = st.lists(
    st.tuples(st.sampled_from("abc"), st.floats(0, 3), st.sampled_from(KINDS)),
    min_size=1,
    max_size=25,
)
"""Channel, seconds after the last one, and whether it is skipped, awaited or in background."""


@given(ARRIVALS)
@example([("a", 0.46374705216554746, "now"), ("a", 0.0, "live"), ("a", 0.0, "live")])
async def test_limits_are_kept_in_order_and_everybody_passes(
    arrivals: list[tuple[str, float, Kind]],
):
    clock = FakeClock()
    limiter = Limiter(clock)
    passed: list[tuple[float, str, int]] = []

    async def waits(channel: str, number: int, kind: Kind) -> None:
        await limiter.wait(windows(channel), background=kind == "background")
        passed.append((clock.monotonic(), channel, number))

    tasks: list[asyncio.Task[None]] = []
    for number, (channel, after, kind) in enumerate(arrivals):
        await clock.advance(after)
        if kind != "now":
            tasks.append(asyncio.create_task(waits(channel, number, kind)))
            await run_ready(3)
        elif limiter.pass_now(windows(channel)) == 0:
            passed.append((clock.monotonic(), channel, -1))
    await clock.advance(10.0 * len(arrivals) + 20)
    assert all(task.done() for task in tasks)
    assert sum(number >= 0 for _, _, number in passed) == len(tasks)
    for start, _, _ in passed:
        within = [
            channel for at, channel, _ in passed if start <= at < start + WHOLE.rate.seconds - 1e-6
        ]
        assert len(within) <= WHOLE.rate.calls
        second = [channel for at, channel, _ in passed if start <= at < start + 1.0 - 1e-6]
        assert len(second) == len({*second})
    for channel, kind in itertools.product("abc", ("live", "background")):
        order = [
            number
            for _, where, number in passed
            if where == channel and arrivals[number][2] == kind
        ]
        waited = [number for number in order if number >= 0]
        assert waited == sorted(waited)
    assert not vars(limiter)["_lines"]


LONG = CallWindow("read", Rate(4, 10.0, spare=2))


@given(st.lists(st.tuples(st.floats(0, 4), st.sampled_from(KINDS)), min_size=10, max_size=60))
async def test_calls_in_the_background_yield_but_not_for_ever(arrivals: list[tuple[float, Kind]]):
    clock = FakeClock()
    limiter = Limiter(clock)
    passed: list[int] = []

    async def waits(number: int, kind: Kind) -> None:
        await limiter.wait([LONG], background=kind == "background")
        passed.append(number)

    tasks: list[asyncio.Task[None]] = []
    for number, (after, kind) in enumerate(arrivals):
        await clock.advance(after)
        if kind != "now":
            tasks.append(asyncio.create_task(waits(number, kind)))
            await run_ready(3)
        elif limiter.pass_now([LONG]) == 0:
            passed.append(number)
    await clock.advance(10.0 * len(arrivals) + 20)
    assert all(task.done() for task in tasks)
    overtaken = 0
    for place, number in enumerate(passed):
        if arrivals[number][1] == "background":
            overtaken = 0
            continue
        waiting = [
            one for one in passed[place:] if one < number and arrivals[one][1] == "background"
        ]
        overtaken = overtaken + 1 if waiting else 0
        assert overtaken <= MOST_OVERTAKEN


async def test_foreground_calls_find_room_beside_background_calls(
    limiter: Limiter, clock: FakeClock
):
    reads = [asyncio.create_task(limiter.wait([LONG], background=True)) for _ in range(6)]
    await settle()
    live = [asyncio.create_task(limiter.wait([LONG])) for _ in range(3)]
    await settle()
    assert [task.done() for task in reads] == [True, True, *[False] * 4]
    assert [task.done() for task in live] == [True, True, False]
    await clock.advance(10)
    assert live[2].done()
    # With the live one the room of the background is used up.
    assert sum(task.done() for task in reads) == 3
    await clock.advance(20)
    assert all(task.done() for task in reads)


async def test_a_cancelled_wait_lets_the_next_call_pass(limiter: Limiter, clock: FakeClock):
    for _ in range(4):
        await limiter.wait([LONG])
    first, second = (asyncio.create_task(limiter.wait([LONG])) for _ in range(2))
    await settle()
    first.cancel()
    await clock.advance(10)
    assert (first.cancelled(), second.done()) == (True, True)


async def test_a_busy_channel_keeps_no_other_from_the_method_they_share(
    limiter: Limiter, clock: FakeClock
):
    busy = [asyncio.create_task(limiter.wait(windows("a"))) for _ in range(3)]
    await settle()
    other = asyncio.create_task(limiter.wait(windows("b")))
    await settle()
    assert (other.done(), [task.done() for task in busy]) == (True, [True, False, False])
    await clock.advance(5)
    assert all(task.done() for task in busy)


async def test_optional_calls_leave_room_and_yield_to_waiting_ones(
    limiter: Limiter, clock: FakeClock
):
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


async def test_a_window_that_the_platform_holds_is_left_alone_by_all(
    limiter: Limiter, clock: FakeClock
):
    limiter.hold("post", 20)
    held = asyncio.create_task(limiter.wait(windows("a")))
    await clock.advance(19)
    assert (held.done(), round(limiter.pass_now([WHOLE]))) == (False, 2)
    await clock.advance(1.01)
    assert held.done()
    limiter.hold("post", 300)
    with pytest.raises(HeldUp, match="300 s"):
        await limiter.wait(windows("b"))


async def test_windows_of_long_ago_are_forgotten(limiter: Limiter, clock: FakeClock):
    for number in range(5000):
        limiter.pass_now([CallWindow(str(number), Rate(1, 1.0))])
    await clock.advance(200)
    limiter.pass_now([CallWindow("new", Rate(1, 1.0))])
    assert len(vars(limiter)["_passed"]) == 1


async def test_channels_that_were_called_before_take_no_memory_for_long():
    clock, whole = FakeClock(), CallWindow("all", Rate(1_000, 1.0))
    limiter, most = Limiter(clock), 0
    for number in range(1_000):
        assert limiter.pass_now((CallWindow(f"post {number}", Rate(1, 1.0)), whole)) == 0
        await clock.advance(0.1)
        most = max(most, len(vars(limiter)["_passed"]))
    assert most < 200
    assert limiter.pass_now((CallWindow("post 999", Rate(1, 1.0)), whole)) > 0, (
        "what counts still is kept"
    )
