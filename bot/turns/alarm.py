"""Wakes the engine when the next work is due."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial

from bot.domain.clock import Clock


class Alarm:
    """Holds one moment at a time; at that moment it calls `due` and `rung`.

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
        """Whether due work is being submitted now."""

    def set(self, moment: datetime | None) -> None:
        """Ring at this moment, whatever was set before; None: not at all."""
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
        self._timer = self._moment = None  # from here on nothing cancels it
        self.ringing = True
        try:
            await self._due()
        finally:
            self.ringing = False
        self._rung()
