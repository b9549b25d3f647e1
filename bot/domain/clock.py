"""The interface to time: real in production, stepped by hand in tests."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol


class Timer(Protocol):
    """A call that a clock makes later."""

    def cancel(self) -> object: ...


class Clock(Protocol):
    """Tells the time (aware, UTC) and waits.

    Implementations: `bot.clock.SystemClock`, `bot.testing.FakeClock`.
    """

    def now(self) -> datetime: ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, for measuring durations."""
        ...

    async def sleep(self, seconds: float) -> None: ...

    def after(self, seconds: float, call: Callable[[], object]) -> Timer:
        """Call back when some seconds have passed, unless the timer is cancelled before."""
        ...

    async def sleep_until(self, moment: datetime) -> None: ...
