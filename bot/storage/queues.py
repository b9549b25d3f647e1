"""What waits for a database: units share transactions, and reads share hops to a thread."""

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeAlias, TypeVar

import aiosqlite

from bot.domain.characters import whole_characters
from bot.domain.database import Read, Row, Unit, WriteResult
from bot.errors import StorageError
from bot.storage.damage import file_of, unusable

log = logging.getLogger(__name__)
T = TypeVar("T")

BATCH_WRITES = 200
"""The most writes of one transaction, so that no unit waits long behind others."""

Outcome: TypeAlias = WriteResult | StorageError
Apply: TypeAlias = Callable[[list[Unit]], Awaitable[list[Outcome]]]
"""Writes units in one transaction, and returns the outcome of each.

Raises StorageError when nothing was stored and one unit may be the cause; then each is tried alone.
"""

READ_PATIENCE_S = 0.005
"""How long reads wait behind another before one more reader is called."""


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


class ThreadedConnection(aiosqlite.Connection):
    """An SQLite connection and the thread that alone uses it, for one job after another.

    aiosqlite hops to the thread and back for each statement. Here one hop runs a job of many.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connect, iter_chunk_size=64)
        # A process that fails before it closes its database ends all the same.
        self._thread.daemon = True

    @classmethod
    async def opened(cls, connect: Callable[[], sqlite3.Connection]) -> Self:
        """Raises what `connect` raises."""
        connection = cls(connect)
        await connection
        return connection

    @property
    def connection(self) -> sqlite3.Connection:
        return self._conn

    def post(self, job: Callable[[], None]) -> None:
        """Run a job that never raises in the thread; nobody waits for it."""
        self._tx.put_nowait((None, job))  # pyright: ignore[reportUnknownMemberType] - typed as Future

    async def run(self, job: Callable[[], T]) -> T:
        """Run a job in the thread, and return or raise what it does.

        The thread outlives an event loop that ends in mid-job, unlike with aiosqlite's futures.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def work() -> None:
            try:
                result = job()
            except BaseException as error:  # noqa: BLE001 - raised again in the caller's task
                call_in(loop, _fail, future, error)
            else:
                call_in(loop, _settle, future, result)

        self.post(work)
        return await future


def _settle(future: asyncio.Future[T], result: T) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)


@dataclass(eq=False)
class _Asked:
    """Reads that are answered together."""

    reads: Sequence[Read]
    future: asyncio.Future[list[list[Row]]]
    found: list[list[Row]] | Exception | None = None


class ReadQueue:
    """Queued reads, answered by a few readers with a thread each.

    A hop to a thread and back costs more than most reads, above all while the event loop is busy.
    So a reader that was called answers every read that it finds queued. As soon as it has begun,
    the next read calls another reader, and so do reads that waited for `READ_PATIENCE_S`: others
    do not wait for a slow read.
    """

    def __init__(self) -> None:
        self._idle: list[ThreadedConnection] = []
        self._queue: deque[_Asked] = deque()
        """Filled by the event loop, emptied by the readers' threads."""
        self._answered: deque[_Asked] = deque()
        """Filled by the readers' threads, emptied by the event loop."""
        self._called = False
        """Whether a reader was called and has not begun yet."""
        self._told = False
        """Whether the event loop will look at `_answered`."""
        self._timer: asyncio.TimerHandle | None = None
        self._open = False

    def start(self, readers: Sequence[ThreadedConnection]) -> None:
        self._idle = list(readers)
        self._open = True

    async def close(self) -> None:
        """Wait until no read is queued; a reader may still run its last one."""
        self._open = False
        if queued := [asked.future for asked in self._queue.copy()]:
            await asyncio.wait(queued)

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        """Run one SELECT on a reader's connection and return all rows. Raises StorageError."""
        return (await self.read_all(Read(sql, tuple(params))))[0]

    async def read_all(self, *reads: Read) -> list[list[Row]]:
        """Run several SELECTs in one hop and return the rows of each. Raises StorageError."""
        if not self._open:
            raise StorageError("the database is closed")
        loop = asyncio.get_running_loop()
        asked = _Asked(reads, loop.create_future())
        self._queue.append(asked)
        if not self._called:
            self._call(loop)
        elif self._timer is None:
            self._timer = loop.call_later(READ_PATIENCE_S, self._look_again, loop)
        return await asked.future

    def _call(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._queue and self._idle and not self._called:
            self._called = True
            reader = self._idle.pop()
            reader.post(partial(self._answer, loop, reader))

    def _look_again(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        self._call(loop)
        if self._queue:
            self._timer = loop.call_later(READ_PATIENCE_S, self._look_again, loop)

    def _answer(self, loop: asyncio.AbstractEventLoop, reader: ThreadedConnection) -> None:
        """Answer all queued reads, in a reader's thread."""
        self._called = False  # before the first look: a read that is queued later calls another
        while self._queue:
            try:
                asked = self._queue.popleft()
            except IndexError:  # another reader was faster
                break
            if asked.future.cancelled():
                continue
            try:
                asked.found = [_read_rows(reader.connection, read) for read in asked.reads]
            except Exception as error:  # noqa: BLE001 - raised again where the read was asked for
                asked.found = error
            self._answered.append(asked)
            if not self._told:
                self._told = True
                call_in(loop, self._deliver)
        self._idle.append(reader)
        if self._queue:  # it came while no reader was idle
            call_in(loop, self._call, loop)

    def _deliver(self) -> None:
        self._told = False  # before the first look, too
        while self._answered:
            asked = self._answered.popleft()
            if asked.future.done():  # its caller was cancelled
                continue
            if isinstance(asked.found, Exception):
                asked.future.set_exception(asked.found)
            else:
                asked.future.set_result(asked.found or [])


def _read_rows(connection: sqlite3.Connection, read: Read) -> list[Row]:
    try:
        try:
            rows = connection.execute(read.sql, read.params).fetchall()
        except UnicodeEncodeError:
            rows = connection.execute(read.sql, storable(read.params)).fetchall()
    except sqlite3.Error as error:
        raise unusable("cannot read the database", file_of(connection), error) from error
    except OverflowError as error:
        raise StorageError(f"cannot read the database: {error}") from error
    return [dict(row) for row in rows]


def call_in(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *args: Any) -> None:
    """Call from a thread in the event loop, unless that has ended: then nobody waits."""
    try:
        loop.call_soon_threadsafe(call, *args)
    except RuntimeError:
        if not loop.is_closed():
            raise


def storable(params: Sequence[Any]) -> tuple[Any, ...]:
    """The same values, with whole characters: SQLite stores no half of a surrogate pair."""
    return tuple(whole_characters(param) if isinstance(param, str) else param for param in params)
