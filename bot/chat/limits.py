"""How often a platform may be called: one window per method, channel or workspace, shared by everything that calls."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from weakref import WeakValueDictionary

from bot.domain.clock import Clock

_SHORTEST_S = 0.001
"""Clocks don't count what is much shorter, and a wait that takes no time would be looked at for ever."""
_SWEEP = 5000
"""Beyond so many windows those in which nothing happened lately are forgotten."""


@dataclass(frozen=True)
class Rate:
    """At most `calls` in any `seconds`; `spare` of them are kept for calls that wait for their turn."""

    calls: int
    seconds: float
    spare: int = 0


@dataclass(frozen=True)
class Window:
    """What a call counts for."""

    key: str
    rate: Rate


class HeldUp(Exception):
    """The platform asked to wait longer than a caller would; nothing was called."""

    def __init__(self, key: str, seconds: float) -> None:
        super().__init__(f"{key} is to wait for {seconds:.0f} s")
        self.seconds = seconds


class Limiter:
    """Lets calls pass in the order in which they came.

    Name the narrowest window of a call first: who waits for a busy channel then keeps nobody else from a method that
    all channels share.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._passed: dict[str, deque[float]] = {}
        self._held: dict[str, float] = {}
        self._queues: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def wait(self, windows: Sequence[Window], longest_hold_s: float = 30.0) -> None:
        """Return when the call may be made; it is counted. Raises HeldUp when the platform itself asked for longer."""
        async with AsyncExitStack() as queued:
            for number, window in enumerate(windows, start=1):
                await queued.enter_async_context(self._queue(window.key))
                await self._until_free(windows[:number], longest_hold_s)
            self._count(windows)

    def pass_now(self, windows: Sequence[Window]) -> float:
        """For calls that may be left out: 0 when it may be made, and is counted; else seconds until it is worth asking.

        They yield to everybody who waits.
        """
        seconds = max((self._free_in(window, window.rate.spare) for window in windows), default=0.0)
        for window in windows:
            queue = self._queues.get(window.key)
            if queue is not None and queue.locked():
                seconds = max(seconds, window.rate.seconds / window.rate.calls)
        if seconds == 0.0:
            self._count(windows)
        return seconds

    def hold(self, key: str, seconds: float) -> None:
        """The platform asked to leave this window alone for so long."""
        self._held[key] = max(self._held.get(key, 0.0), self._clock.monotonic() + seconds)

    @asynccontextmanager
    async def _queue(self, key: str) -> AsyncGenerator[None]:
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = asyncio.Lock()
        async with queue:
            yield

    async def _until_free(self, windows: Sequence[Window], longest_hold_s: float) -> None:
        while (seconds := max(self._free_in(window) for window in windows)) > 0:
            for window in windows:
                if (held := self._held_for(window.key)) > longest_hold_s:
                    raise HeldUp(window.key, held)
            await self._clock.sleep(max(seconds, _SHORTEST_S))

    def _free_in(self, window: Window, spare: int = 0) -> float:
        """Seconds until one more call fits."""
        now, rate = self._clock.monotonic(), window.rate
        passed = self._passed.get(window.key, deque())
        while passed and now - passed[0] >= rate.seconds:
            passed.popleft()
        room = max(rate.calls - spare, 1)
        full = passed[len(passed) - room] + rate.seconds - now if len(passed) >= room else 0.0
        return max(full, self._held_for(window.key))

    def _held_for(self, key: str) -> float:
        until = self._held.get(key)
        if until is None:
            return 0.0
        left = until - self._clock.monotonic()
        if left <= 0:
            del self._held[key]
        return max(left, 0.0)

    def _count(self, windows: Sequence[Window]) -> None:
        now = self._clock.monotonic()
        for window in windows:
            self._passed.setdefault(window.key, deque()).append(now)
        if len(self._passed) > _SWEEP:
            self._passed = {key: passed for key, passed in self._passed.items() if passed and now - passed[-1] < 120}
