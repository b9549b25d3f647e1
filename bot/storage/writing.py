"""A queue of units, which share transactions; each is settled once."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.domain.database import Unit, WriteResult
from bot.errors import StorageError
from bot.lazy_dataclass import dataclass

log = logging.getLogger(__name__)

BATCH_WRITES = 200
"""The most writes of one transaction, so that no unit waits long behind others."""

Outcome: TypeAlias = WriteResult | StorageError
Apply: TypeAlias = Callable[[list[Unit]], Awaitable[list[Outcome]]]
"""Writes units in one transaction, and returns the outcome of each.

Raises StorageError when nothing was stored and one unit may be the cause; then each is tried alone.
"""


@dataclass
class _Pending:
    unit: Unit
    future: asyncio.Future[WriteResult]


class UnitQueue:
    """The single writer of a database: a task that writes queued units in order.

    `close` writes what is queued first.
    """

    def __init__(self, apply: Apply) -> None:
        self._apply = apply
        self._queue: deque[_Pending] = deque()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False

    def start(self) -> None:
        self._task = asyncio.create_task(self._write_batches(), name="database-writer")

    async def close(self) -> None:
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
            self._task = None

    async def write(self, unit: Unit) -> WriteResult:
        """Raises UnitRejected or StorageError, then nothing of the unit was stored."""
        if not unit.writes:
            return WriteResult(())
        if self._task is None or self._closing:
            raise StorageError("the database is closed or was opened for reading only")
        pending = _Pending(unit, asyncio.get_running_loop().create_future())
        self._queue.append(pending)
        self._wake.set()
        # A caller that is cancelled leaves its unit in the queue: it is written all the same.
        return await pending.future

    async def _write_batches(self) -> None:
        while not (self._closing and not self._queue):
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                batch = self._next_batch()
                try:
                    await self._commit(batch)
                except Exception as error:
                    log.exception("units=<%d> | the database writer failed", len(batch))
                    for pending in batch:
                        _refuse(pending, StorageError(f"the write was not stored: {error}"))
            if self._closing:
                self._wake.set()

    def _next_batch(self) -> list[_Pending]:
        batch = [self._queue.popleft()]
        writes = len(batch[0].unit.writes)
        while self._queue and writes + len(self._queue[0].unit.writes) <= BATCH_WRITES:
            batch.append(self._queue.popleft())
            writes += len(batch[-1].unit.writes)
        return batch

    async def _commit(self, batch: list[_Pending]) -> None:
        try:
            outcomes = await self._apply([pending.unit for pending in batch])
        except StorageError as error:
            if len(batch) == 1:
                _refuse(batch[0], error)
                return
            log.warning(
                "units=<%d>, error=<%s> | commit failed, trying one by one", len(batch), error
            )
            for pending in batch:
                await self._commit([pending])
            return
        for pending, outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, StorageError):
                _refuse(pending, outcome)
            elif not pending.future.done():
                pending.future.set_result(outcome)


def _refuse(pending: _Pending, error: StorageError) -> None:
    if not pending.future.done():
        pending.future.set_exception(error)
        pending.future.exception()  # seen, even if the caller is cancelled before it looks
