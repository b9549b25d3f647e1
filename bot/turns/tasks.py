"""The running tasks of an engine: its parts, acceptances that must finish, and its alarm."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from bot.domain.clock import Clock

log = logging.getLogger(__name__)
T = TypeVar("T")

LEAVE_S = 5.0
"""Seconds that cancelled tasks get to end."""


class EngineTasks:
    """Runs the parts of an engine; calls `died` with an error that ends one of them."""

    def __init__(self, clock: Clock, died: Callable[[BaseException], None]) -> None:
        self._clock = clock
        self._died = died
        self._running: set[asyncio.Task[None]] = set()
        self._accepting: set[asyncio.Task[Any]] = set()

    def start(self, work: Callable[[], Awaitable[None]], name: str) -> asyncio.Task[None]:
        """Run a part of the engine."""
        task = asyncio.create_task(self._watched(work), name=name)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def _watched(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001 - the engine's `run` raises it
            self._died(error)

    async def certainly(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish the work even if the caller is cancelled: the agenda must know the stored rows."""
        task = asyncio.create_task(work)
        self._accepting.add(task)
        task.add_done_callback(self._accepting.discard)
        return await asyncio.shield(task)

    async def drain(self, patience: float) -> None:
        """Wait for acceptances in progress, and let the parts end by themselves for `patience` s.

        Turns that begin with an acceptance are then running parts.
        """
        if self._accepting:
            await asyncio.wait(self._accepting, timeout=LEAVE_S)
        if not self._running or not patience:
            return
        timer = asyncio.create_task(self._clock.sleep(patience))
        try:
            while self._running and not timer.done():
                await asyncio.wait({timer, *self._running}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()

    async def leave(self) -> None:
        """Wait for parts that were told to end; cancel those that don't."""
        if not self._running:
            return
        _, stuck = await asyncio.wait(self._running, timeout=LEAVE_S)
        for task in stuck:
            log.error("task=<%s> | does not end; the next start goes on with it", task.get_name())
            task.cancel()


@dataclass(eq=False)
class Alarm:
    """Holds one moment at a time; at that moment it calls `due` and `rung`.

    `start` runs work as a part of the engine.
    """

    clock: Clock
    start: Callable[[Callable[[], Awaitable[None]], str], asyncio.Task[None]]
    due: Callable[[], Awaitable[None]]
    rung: Callable[[], None]

    def __post_init__(self) -> None:
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
            self._timer = self.start(partial(self._ring, moment), "turn-alarm")

    def off(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._moment = None

    async def _ring(self, moment: datetime) -> None:
        await self.clock.sleep_until(moment)
        self._timer = self._moment = None  # from here on nothing cancels it
        self.ringing = True
        try:
            await self.due()
        finally:
            self.ringing = False
        self.rung()
