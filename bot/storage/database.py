"""SQLite behind the `Database` protocol: one writer that groups units, a small pool of readers."""

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import aiosqlite

from bot.domain.characters import whole_characters
from bot.domain.database import Row, Unit, Write, WriteResult
from bot.errors import StorageError, UnitRejected
from bot.storage.damage import is_damage, set_aside

log = logging.getLogger(__name__)

BATCH_WRITES = 200
"""Writes that one transaction joins at most, so that no unit waits long behind others."""
READERS = 3
_LOG_BYTES = 4 * 1024 * 1024
"""So large the write-ahead log grows before it is put into the database."""

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA busy_timeout=5000",
    "PRAGMA temp_store=MEMORY",
    # KB for each of the four connections: what isn't there is in the page cache of the system.
    "PRAGMA cache_size=-256",
)


@dataclass
class _Pending:
    unit: Unit
    future: asyncio.Future[WriteResult]


class SqliteDatabase:
    """The embedded database of one home.

    Open with `open_database` (or `SqliteDatabase.open`), close with `close`. All SQL runs on
    aiosqlite's threads; the event loop never blocks. Raises StorageError when the file cannot be
    used.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._read_only = read_only
        self._writer: aiosqlite.Connection | None = None
        self._readers: asyncio.LifoQueue[aiosqlite.Connection] = asyncio.LifoQueue()
        self._all_readers: list[aiosqlite.Connection] = []
        self._queue: deque[_Pending] = deque()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False

    async def open(self) -> None:
        """Connect the writer (unless read-only) and the readers."""
        try:
            if not self._read_only:
                self._writer = await self._connect()
                self._task = asyncio.create_task(self._write_batches(), name="database-writer")
            for _ in range(READERS):
                reader = await self._connect()
                await reader.execute("PRAGMA query_only=ON")
                self._all_readers.append(reader)
                self._readers.put_nowait(reader)
        except sqlite3.Error as error:
            await self.close()
            raise StorageError(f"cannot open the database {self.path}: {error}") from error

    async def _connect(self) -> aiosqlite.Connection:
        mode = "ro" if self._read_only else "rwc"
        connection = await aiosqlite.connect(
            f"file:{self.path}?mode={mode}", uri=True, isolation_level=None
        )
        connection.row_factory = sqlite3.Row
        for pragma in _PRAGMAS[3:] if self._read_only else _PRAGMAS:
            await (await connection.execute(pragma)).close()
        ((page,),) = await connection.execute_fetchall("PRAGMA page_size")
        await (await connection.execute(f"PRAGMA wal_autocheckpoint={_LOG_BYTES // page}")).close()
        return connection

    async def close(self) -> None:
        """Write what is queued, then close all connections."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
            self._task = None
        for connection in (*self._all_readers, self._writer):
            if connection is not None:
                await connection.close()
        self._all_readers.clear()
        self._writer = None

    # --- writing ---

    async def write(self, unit: Unit) -> WriteResult:
        if not unit:
            return WriteResult(())
        if self._task is None or self._closing:
            raise StorageError("the database is closed or was opened for reading only")
        pending = _Pending(unit, asyncio.get_running_loop().create_future())
        self._queue.append(pending)
        self._wake.set()
        return (
            await pending.future
        )  # a caller that is cancelled leaves its unit in the queue: it is written all the same

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
                        _settle(pending, StorageError(f"the write was not stored: {error}"))
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
            outcomes = await self._in_writer([pending.unit for pending in batch])
        except sqlite3.Error as error:
            if len(batch) == 1:
                _settle(batch[0], StorageError(f"the write was not stored: {error}"))
                return
            log.warning(
                "units=<%d>, error=<%s> | commit failed, trying one by one", len(batch), error
            )
            for pending in batch:
                await self._commit([pending])
            return
        for pending, outcome in zip(batch, outcomes, strict=True):
            _settle(pending, outcome)

    async def _in_writer(self, units: list[Unit]) -> list[WriteResult | StorageError]:
        """Run a whole batch in one hop to the writer's thread."""
        assert self._writer is not None  # noqa: S101 - `write` refuses before this when there is none
        # aiosqlite's public methods hop to the thread once per statement; a batch must be one hop.
        hop = cast(
            "Callable[..., Awaitable[list[WriteResult | StorageError]]]",
            self._writer._execute,  # noqa: SLF001 # pyright: ignore[reportUnknownMemberType]
        )
        return await hop(_apply, self._writer._conn, units)  # noqa: SLF001

    # --- reading ---

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        connection = await self._readers.get()
        try:
            try:
                return [dict(row) for row in await connection.execute_fetchall(sql, tuple(params))]
            except UnicodeEncodeError:
                return [
                    dict(row) for row in await connection.execute_fetchall(sql, _storable(params))
                ]
        except (sqlite3.Error, OverflowError) as error:
            raise StorageError(f"cannot read the database: {error}") from error
        finally:
            self._readers.put_nowait(connection)

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        rows = await self.read(sql, params)
        return rows[0] if rows else None


def _settle(pending: _Pending, outcome: WriteResult | StorageError) -> None:
    if pending.future.done():
        return
    if isinstance(outcome, WriteResult):
        pending.future.set_result(outcome)
    else:
        pending.future.set_exception(outcome)
        pending.future.exception()  # seen, even if the caller is cancelled before it looks


_REFUSALS = (sqlite3.Error, UnitRejected, ValueError, TypeError, OverflowError)
"""What one unit can fail of by itself; the last three are values that SQLite doesn't take."""


class _LogDamaged(Exception):
    """A write met damage in a log table; SQLite can't commit its transaction any more."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


def _apply(connection: sqlite3.Connection, units: list[Unit]) -> list[WriteResult | StorageError]:
    """In the writer's thread: one transaction, done again after a damaged log was set aside.

    A log that can't be begun anew is left out. Raises only when COMMIT fails.
    """
    met: list[str] = []
    while True:
        try:
            return _transaction(connection, units)
        except _LogDamaged as damaged:
            if damaged.table in met or not _begin_log_anew(connection, damaged.table):
                units = [_without(unit, damaged.table) for unit in units]
            met.append(damaged.table)


def _begin_log_anew(connection: sqlite3.Connection, table: str) -> bool:
    try:
        log.error(
            "table=<%s>, aside=<%s> | damaged, begun anew", table, set_aside(connection, table)
        )
    except sqlite3.Error:
        log.exception(
            "table=<%s> | damaged, and can't be begun anew; what it would keep is lost", table
        )
        return False
    return True


def _without(unit: Unit, table: str) -> Unit:
    """The same unit with its writes to a log replaced by no-ops, so that positions stay."""
    return Unit(
        tuple(
            Write("SELECT 1 WHERE 0") if write.expendable == table else write
            for write in unit.writes
        )
    )


def _transaction(
    connection: sqlite3.Connection, units: list[Unit]
) -> list[WriteResult | StorageError]:
    """One savepoint per unit; raises when COMMIT fails, or with a log that is damaged."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        outcomes = (
            [_try_unit(connection, unit) for unit in units]
            if len(units) > 1
            else [_alone(connection, units[0])]
        )
        if connection.in_transaction:
            connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return outcomes


def _alone(connection: sqlite3.Connection, unit: Unit) -> WriteResult | StorageError:
    """The only unit of a transaction, which is rolled back with it when it fails."""
    try:
        return _apply_unit(connection, unit)
    except _REFUSALS as error:
        if not connection.in_transaction:  # e.g. disk full: SQLite rolled everything back by itself
            raise
        connection.execute("ROLLBACK")
        return _refused(error)


def _try_unit(connection: sqlite3.Connection, unit: Unit) -> WriteResult | StorageError:
    connection.execute("SAVEPOINT unit")
    outcome: WriteResult | StorageError
    try:
        outcome = _apply_unit(connection, unit)
    except _REFUSALS as error:
        if not connection.in_transaction:
            raise
        connection.execute("ROLLBACK TO unit")
        outcome = _refused(error)
    connection.execute("RELEASE unit")
    return outcome


def _refused(error: Exception) -> StorageError:
    return error if isinstance(error, UnitRejected) else StorageError(f"not stored: {error}")


def _executed(connection: sqlite3.Connection, write: Write) -> sqlite3.Cursor:
    try:
        return connection.execute(write.sql, write.params)
    except UnicodeEncodeError:
        return connection.execute(write.sql, _storable(write.params))


def _storable(params: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(whole_characters(param) if isinstance(param, str) else param for param in params)


def _apply_unit(connection: sqlite3.Connection, unit: Unit) -> WriteResult:
    returned: list[tuple[Row, ...]] = []
    for index, write in enumerate(unit.writes):
        try:
            cursor = _executed(connection, write)
        except sqlite3.DatabaseError as error:
            if write.expendable and is_damage(error):
                raise _LogDamaged(write.expendable) from error
            raise
        rows = tuple(dict(row) for row in cursor.fetchall()) if cursor.description else ()
        touched = len(rows) if cursor.description else cursor.rowcount
        cursor.close()
        if write.rows is not None and touched != write.rows:
            raise UnitRejected(
                f"write {index} touched {touched} rows, expected {write.rows}", index
            )
        returned.append(rows)
    return WriteResult(tuple(returned))
