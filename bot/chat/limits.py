"""Rate limits of a platform: a shared window per method, channel or workspace."""

import asyncio
import itertools
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.clock import Clock
from bot.domain.waits import wait_words

_SHORTEST_S = 0.001
"""Clocks don't count shorter times, and a wait of no time would loop for ever."""
_SWEEP = 128
"""With more windows than this, expired ones are dropped: a busy day has many channels."""
MOST_OVERTAKEN = 10
"""The number of calls that may overtake a background call; then it waits like any other."""


@dataclass(frozen=True)
class Rate:
    """At most `calls` in `seconds`; `spare` of them are reserved for calls with a waiter."""

    calls: int
    seconds: float
    spare: int = 0


@dataclass(frozen=True)
class CallWindow:
    """The windows that a call counts in."""

    key: str
    rate: Rate


class HeldUp(Exception):
    """The platform demanded a longer wait than the caller accepts; no call was made."""

    def __init__(self, key: str, seconds: float) -> None:
        super().__init__(f"{key} is to wait for {wait_words(seconds)}")
        self.seconds = seconds


@dataclass(eq=False)
class _Waiter:
    """A call that is not made yet; `number` counts them in order of arrival."""

    number: int
    background: bool
    overtaken: int = 0
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def yields(self) -> bool:
        return self.background and self.overtaken < MOST_OVERTAKEN

    @property
    def rank(self) -> tuple[bool, int]:
        return self.yields, self.number


async def sleep_unless(event: asyncio.Event, clock: Clock, seconds: float) -> None:
    """Wait so long at most; not when it happens before."""
    sleeping = asyncio.ensure_future(clock.sleep(seconds))
    happening = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait({sleeping, happening}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        sleeping.cancel()
        happening.cancel()


class Limiter:
    """Lets calls pass in order, background ones after those that somebody waits for.

    Name the narrowest window of a call first: then a caller that waits for a busy channel blocks
    nobody else from a method that all channels share.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._passed: dict[str, deque[float]] = {}
        self._swept = clock.monotonic()
        self._longest_s = 0.0
        """The longest window so far: older calls count nowhere."""
        self._held: dict[str, float] = {}
        self._lines: dict[str, list[_Waiter]] = {}
        self._numbers = itertools.count()

    async def wait(
        self,
        windows: Sequence[CallWindow],
        longest_hold_s: float = 30.0,
        *,
        background: bool = False,
    ) -> None:
        """Return when the call may be made; it is counted.

        Raises HeldUp when the platform itself asked for longer.

        Calls in the `background` leave the spare room of each window alone, until enough others
        have overtaken them.
        """
        me = _Waiter(next(self._numbers), background)
        try:
            for number, window in enumerate(windows, start=1):
                self._lines.setdefault(window.key, []).append(me)
                await self._until_my_turn(me, windows[:number], longest_hold_s)
            self._count(windows)
            if not me.yields:
                self._overtake(me.number, windows)
        finally:
            self._leave(me, windows)

    def pass_now(self, windows: Sequence[CallWindow]) -> float:
        """For optional calls: 0 (and counted) if allowed now, else seconds until a next try.

        They yield to everybody who waits, except background calls.
        """
        seconds = max((self._free_in(window, window.rate.spare) for window in windows), default=0.0)
        for window in windows:
            if any(not waiter.yields for waiter in self._lines.get(window.key, ())):
                seconds = max(seconds, window.rate.seconds / window.rate.calls)
        if seconds == 0.0:
            self._count(windows)
            self._overtake(next(self._numbers), windows)
        return seconds

    def hold(self, key: str, seconds: float) -> None:
        """The platform asked for a pause of this length for the window."""
        self._held[key] = max(self._held.get(key, 0.0), self._clock.monotonic() + seconds)

    # --- who is next ---

    async def _until_my_turn(
        self, me: _Waiter, windows: Sequence[CallWindow], longest_hold_s: float
    ) -> None:
        while True:
            me.wake.clear()
            if any(self._first(window.key) is not me for window in windows):
                await me.wake.wait()
                continue
            seconds = max(
                self._free_in(window, window.rate.spare if me.yields else 0) for window in windows
            )
            if seconds <= 0:
                return
            for window in windows:
                if (held := self._held_for(window.key)) > longest_hold_s:
                    raise HeldUp(window.key, held)
            await sleep_unless(me.wake, self._clock, max(seconds, _SHORTEST_S))

    def _first(self, key: str) -> _Waiter | None:
        return min(self._lines.get(key, ()), key=lambda waiter: waiter.rank, default=None)

    def _overtake(self, number: int, windows: Sequence[CallWindow]) -> None:
        """Count who overtook the oldest background call; after enough of them, it is next."""
        waiting = {self._longest_yielding(window.key, number) for window in windows}
        for waiter in waiting:
            if waiter is not None:
                waiter.overtaken += 1
                if not waiter.yields:
                    waiter.wake.set()

    def _longest_yielding(self, key: str, number: int) -> _Waiter | None:
        return next(
            (one for one in self._lines.get(key, ()) if one.yields and one.number < number), None
        )

    def _leave(self, me: _Waiter, windows: Sequence[CallWindow]) -> None:
        for window in windows:
            line = self._lines.get(window.key)
            if line is None or me not in line:
                continue
            line.remove(me)
            if not line:
                del self._lines[window.key]
            elif (first := self._first(window.key)) is not None:
                first.wake.set()

    # --- windows ---

    def _free_in(self, window: CallWindow, spare: int = 0) -> float:
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

    def _count(self, windows: Sequence[CallWindow]) -> None:
        now = self._clock.monotonic()
        for window in windows:
            self._passed.setdefault(window.key, deque()).append(now)
            self._longest_s = max(self._longest_s, window.rate.seconds)
        if len(self._passed) > _SWEEP and now - self._swept >= self._longest_s:
            self._swept = now
            self._passed = {
                key: times
                for key, times in self._passed.items()
                if times and now - times[-1] < self._longest_s
            }
