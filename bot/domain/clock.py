"""The interface to time: real in production, stepped by hand in tests."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time (aware, UTC) and waits.

    Implementations: `bot.clock.SystemClock`, `bot.testing.FakeClock`.
    """

    def now(self) -> datetime: ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, for measuring durations."""
        ...

    async def sleep(self, seconds: float) -> None: ...

    async def sleep_until(self, moment: datetime) -> None: ...
