"""The only place that asks what time it is and that waits for time to pass."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from functools import partial
from types import TracebackType
from typing import Protocol


def parse_utc(text: str) -> datetime:
    """Read a stored timestamp (`format_utc`) back as an aware UTC datetime."""
    return datetime.fromisoformat(text).astimezone(UTC)


def utc_or_none(text: str | None) -> datetime | None:
    """A stored timestamp, where a row has one."""
    return parse_utc(text) if text else None


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


def cut_off_by(
    start: Callable[[Callable[[], None]], _Alarm],
) -> AbstractAsyncContextManager[None]:
    """Cancel the block when its alarm rings, and raise TimeoutError instead.

    `start` gets what rings, and returns the running alarm: `partial(clock.after, 60)`.
    """
    return _CutOff(start)


class _CutOff(AbstractAsyncContextManager[None]):
    # Not an async generator: the loop keeps track of each one, which costs more than the rest.

    def __init__(self, start: Callable[[Callable[[], None]], _Alarm]) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("only a task can be cut off")
        self._start, self._task = start, task

    async def __aenter__(self) -> None:
        self._cancelled, self._rung = self._task.cancelling(), False
        self._alarm = self._start(self._ring)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._alarm.cancel()
        # Somebody else's cancellation goes first: the work is to end, not only to be late.
        cancelled = isinstance(error, asyncio.CancelledError)
        if cancelled and self._rung and self._task.uncancel() <= self._cancelled:
            raise TimeoutError from None

    def _ring(self) -> None:
        self._rung = True
        self._task.cancel()
