"""Wakes the engine when the next thing comes due, and not before."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial

from bot.domain.clock import Clock


class Alarm:
    """One moment at a time: then `due` and `rung` are called.

    `start` runs work as a part of the engine.
    """

    def __init__(
        self,
        clock: Clock,
        start: Callable[[Callable[[], Awaitable[None]], str], asyncio.Task[None]],
        due: Callable[[], Awaitable[None]],
        rung: Callable[[], None],
    ) -> None:
        self._clock = clock
        self._start = start
        self._due = due
        self._rung = rung
        self._timer: asyncio.Task[None] | None = None
        self._moment: datetime | None = None
        self.ringing = False
        """What comes due now is being submitted."""

    def set(self, moment: datetime | None) -> None:
        """Ring at this moment instead of the one before; None: not at all."""
        if moment == self._moment:
            return
        self.off()
        self._moment = moment
        if moment is not None:
            self._timer = self._start(partial(self._ring, moment), "turn-alarm")

    def off(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._moment = None

    async def _ring(self, moment: datetime) -> None:
        await self._clock.sleep_until(moment)
        self._timer = self._moment = None  # from here on nobody cancels it
        self.ringing = True
        try:
            await self._due()
        finally:
            self.ringing = False
        self._rung()
