"""A clock that stands still until a test moves it."""

import asyncio
import heapq
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from bot.domain.clock import Timer
from bot.testing.pending_work import tasks_at_work

_ROUNDS = 20
_QUIET_ROUNDS = 3
_PATIENCE_MS = 60_000
_LAST = timedelta(minutes=10)
_COARSE_S = 60.0
_START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


class FakeClock:
    """Implements `domain.clock.Clock`. `advance` wakes sleepers whose time has come, in order."""

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

    def after(self, seconds: float, call: Callable[[], object]) -> Timer:
        async def ring() -> None:
            await self.sleep(seconds)
            call()

        return asyncio.create_task(ring(), name="alarm")

    async def sleep_until(self, moment: datetime) -> None:
        if moment <= self._now:
            await asyncio.sleep(0)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._sleepers, (moment, self._count, future))
        await future

    async def advance(self, seconds: float, step: float = 0) -> None:
        """Move time forward, waking sleepers one after another at their own moment.

        With a `step` those of each so many seconds wake together at its end, as on a machine that
        slept: days pass quickly, although some tasks look every few seconds.

        Work that runs already finishes first, and work that the passing time causes finishes ten
        minutes before the end and at the end. So whoever looks every few minutes has looked. In
        between, time doesn't wait for threads, because an hour would take too long.
        """
        await settle()
        end = self._now + timedelta(seconds=seconds)
        if self._now < end - _LAST:
            await self._pass(end - _LAST, step or _COARSE_S)
        await self._pass(end, step)

    async def _pass(self, end: datetime, step: float) -> None:
        while self._sleepers and self._sleepers[0][0] <= end:
            first = max(self._now, self._sleepers[0][0])
            late = (first - self._start).total_seconds() % step if step else 0
            self._now = min(end, first + timedelta(seconds=step - late if late else 0))
            self._wake_due() if step else self._wake_first()
            await run_ready(_ROUNDS)
        self._now = end
        await settle()

    def _wake_first(self) -> None:
        _, _, future = heapq.heappop(self._sleepers)
        if not future.done():
            future.set_result(None)

    def _wake_due(self) -> None:
        while self._sleepers and self._sleepers[0][0] <= self._now:
            self._wake_first()

    def jump(self, seconds: float) -> None:
        """Set the wall clock alone: no time passes, and whoever sleeps for seconds stays asleep."""
        by = timedelta(seconds=seconds)
        self._now, self._start = self._now + by, self._start + by
        self._sleepers = [
            (moment + by, number, future) for moment, number, future in self._sleepers
        ]

    @property
    def sleepers(self) -> int:
        """Return how many tasks wait for time to pass."""
        return sum(not future.done() for _, _, future in self._sleepers)


async def settle() -> None:
    """Wait until nothing more happens unless time passes or somebody acts.

    Every runnable task runs, and pending work in threads and the database ends. Data between
    sockets and processes is not waited for: wait for what it causes.
    Raises TimeoutError, naming the tasks, when work in a thread does not end.
    """
    await run_ready(_ROUNDS)
    waited = 0
    while at_work := tasks_at_work():
        if waited > _PATIENCE_MS:
            raise TimeoutError(f"still waiting for a thread or the database: {at_work}")
        await asyncio.sleep(0.001)  # yield the processor to the thread
        waited += 1
        await run_ready(_ROUNDS)


async def run_ready(rounds: int) -> None:
    """Let every task that can run do so, for at most this many rounds of the event loop.

    It ends when nothing else was ready for a few rounds: a longer run of an empty loop took a
    third of the tests' processor time. This doesn't wait for threads. Use `settle`, unless the
    surrounding loop checks again.
    """
    ready = _ready_handles(asyncio.get_running_loop())
    quiet = 0
    for _ in range(rounds):
        await asyncio.sleep(0)
        quiet = 0 if ready is None or ready else quiet + 1
        if quiet == _QUIET_ROUNDS:
            return


def _ready_handles(loop: asyncio.AbstractEventLoop) -> deque[asyncio.Handle] | None:
    """What the loop runs next, without this task; None for loops that don't tell."""
    return getattr(loop, "_ready", None)
