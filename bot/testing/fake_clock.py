"""A clock that stands still until it is told to move."""

import asyncio
import heapq
from datetime import UTC, datetime, timedelta

_START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


class FakeClock:
    """Implements `domain.clock.Clock`. `advance` wakes everybody whose time has come, in order."""

    def __init__(self, start: datetime = _START) -> None:
        self._now = start
        self._start = start
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._count = 0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return (self._now - self._start).total_seconds()

    async def sleep(self, seconds: float) -> None:
        await self.sleep_until(self._now + timedelta(seconds=seconds))

    async def sleep_until(self, moment: datetime) -> None:
        if moment <= self._now:
            await asyncio.sleep(0)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._sleepers, (moment, self._count, future))
        await future

    async def advance(self, seconds: float) -> None:
        """Move time forward, waking sleepers one after another at their own moment."""
        end = self._now + timedelta(seconds=seconds)
        while self._sleepers and self._sleepers[0][0] <= end:
            moment, _, future = heapq.heappop(self._sleepers)
            self._now = max(self._now, moment)
            if not future.done():
                future.set_result(None)
            await settle()
        self._now = end
        await settle()

    def jump(self, seconds: float) -> None:
        """Set the wall clock; no time passes, and sleepers for seconds sleep on."""
        by = timedelta(seconds=seconds)
        self._now, self._start = self._now + by, self._start + by
        self._sleepers = [
            (moment + by, number, future) for moment, number, future in self._sleepers
        ]

    @property
    def sleepers(self) -> int:
        """How many tasks wait for time to pass."""
        return sum(not future.done() for _, _, future in self._sleepers)


async def settle(rounds: int = 20) -> None:
    """Let every task that can run do so, without any time passing."""
    for _ in range(rounds):
        await asyncio.sleep(0)
