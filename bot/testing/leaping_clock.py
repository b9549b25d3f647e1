"""A clock that runs in real time and can leap, so a year passes in minutes."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

from bot.testing.fake_clock import FakeClock, settle

_LOOK_AGAIN_S = 30.0
"""How often a wait for a moment checks the wall clock, as in `bot.clock.SystemClock`."""


class LeapingClock(FakeClock):
    """A clock whose seconds pass in real time.

    `advance` lets many seconds pass at once; `jump` sets the wall clock alone.
    """

    def __init__(self, start: datetime) -> None:
        super().__init__(start)
        self._begun = time.monotonic()
        self._wall = start.astimezone(UTC)
        self._leaped = 0.0
        self._waiting: dict[asyncio.Future[None], float] = {}

    def now(self) -> datetime:
        return self._wall + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        return time.monotonic() - self._begun + self._leaped

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        self._waiting[future] = until = self.monotonic() + seconds
        try:
            while (left := until - self.monotonic()) > 0 and not future.done():
                timer = loop.call_later(left, _wake, future)
                try:
                    await future
                finally:
                    timer.cancel()
        finally:
            del self._waiting[future]

    async def sleep_until(self, moment: datetime) -> None:
        while (left := (moment - self.now()) / timedelta(seconds=1)) > 0:
            await self.sleep(min(left, _LOOK_AGAIN_S))

    async def advance(self, seconds: float, step: float = 0) -> None:
        """Let time pass in one step; whoever would have woken meanwhile wakes now, once."""
        del step
        self._leaped += max(0.0, seconds)
        now = self.monotonic()
        for future, until in sorted(self._waiting.items(), key=lambda pair: pair[1]):
            if until <= now:
                _wake(future)
        await settle()

    def jump(self, seconds: float) -> None:
        self._wall += timedelta(seconds=seconds)

    @property
    def sleepers(self) -> int:
        return len(self._waiting)


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
