"""The only place that asks what time it is and that waits for time to pass."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Protocol


def parse_utc(text: str) -> datetime:
    """Read a stored timestamp (`format_utc`) back as an aware UTC datetime."""
    return datetime.fromisoformat(text).astimezone(UTC)


def format_utc(moment: datetime) -> str:
    """Write a moment the way every table stores it: UTC, ISO 8601, microseconds; sorts as text."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


class SystemClock:
    """The real clock; `bot.testing.FakeClock` is the other `domain.clock.Clock`."""

    now = staticmethod(partial(datetime.now, UTC))
    monotonic = staticmethod(time.monotonic)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def after(self, seconds: float, call: Callable[[], object]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, call)

    async def sleep_until(self, moment: datetime) -> None:
        """Return at `moment`, at once if past; long waits are split to notice a changed clock."""
        while (left := (moment - self.now()) / timedelta(seconds=1)) > 0:  # noqa: ASYNC110 - the wall clock has no event
            await asyncio.sleep(min(left, 30.0))


class _Alarm(Protocol):
    """An alarm that rings unless it is cancelled before."""

    def cancel(self) -> object: ...


@asynccontextmanager
async def cut_off_by(start: Callable[[Callable[[], None]], _Alarm]) -> AsyncGenerator[None]:
    """Cancel the block when its alarm rings, and raise TimeoutError instead.

    `start` gets what rings, and returns the running alarm: `partial(clock.after, 60)`.
    """
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("only a task can be cut off")
    cancelled = task.cancelling()
    rung = False

    def ring() -> None:
        nonlocal rung
        rung = True
        task.cancel()

    alarm = start(ring)
    try:
        yield
    except asyncio.CancelledError:
        # Somebody else's cancellation goes first: the work is to end, not only to be late.
        if rung and task.uncancel() <= cancelled:
            raise TimeoutError from None
        raise
    finally:
        alarm.cancel()
