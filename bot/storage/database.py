"""SQLite behind the `Database` protocol: one writer that groups units, a small pool of readers."""

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, cast

import aiosqlite

from bot.domain.characters import whole_characters
from bot.domain.database import Row, Unit, Write, WriteResult
from bot.errors import StorageError, UnitRejected
from bot.storage.damage import is_damage, set_aside
from bot.storage.writing import Outcome, UnitQueue

log = logging.getLogger(__name__)

READERS = 3
_LOG_BYTES = 4 * 1024 * 1024
"""The size of the write-ahead log at which it is checkpointed."""

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA busy_timeout=5000",
    "PRAGMA temp_store=MEMORY",
    # KB for each of the four connections; the system's page cache holds the rest.
    "PRAGMA cache_size=-256",
)


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
        self._writes = UnitQueue(self._apply)
        self.write = self._writes.write

    async def open(self) -> None:
        """Connect the writer (unless read-only) and the readers."""
        try:
            if not self._read_only:
                self._writer = await self._connect()
                self._writes.start()
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
        await self._writes.close()
        for connection in (*self._all_readers, self._writer):
            if connection is not None:
                await connection.close()
        self._all_readers.clear()
        self._writer = None

    # --- writing ---

    async def _apply(self, units: list[Unit]) -> list[Outcome]:
        try:
            return await self._in_writer(units)
        except sqlite3.Error as error:
            raise StorageError(f"the write was not stored: {error}") from error

    async def _in_writer(self, units: list[Unit]) -> list[Outcome]:
        """Run a whole batch in one hop to the writer's thread."""
        assert self._writer is not None  # noqa: S101 - `write` refuses before this when there is none
        # aiosqlite's public methods hop to the thread once per statement; a batch must be one hop.
        hop = cast(
            "Callable[..., Awaitable[list[Outcome]]]",
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


_REFUSALS = (sqlite3.Error, UnitRejected, ValueError, TypeError, OverflowError)
"""Errors of a single unit. The last three are for values that SQLite can't store."""


class _LogDamaged(Exception):
    """A write met damage in a log table; SQLite can't commit its transaction any more."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


def _apply(connection: sqlite3.Connection, units: list[Unit]) -> list[Outcome]:
    """In the writer's thread: one transaction, repeated after a damaged log was set aside.

    A log that can't be replaced is left out. Raises only when COMMIT fails.
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
            "table=<%s>, aside=<%s> | damaged; replaced by an empty table",
            table,
            set_aside(connection, table),
        )
    except sqlite3.Error:
        log.exception("table=<%s> | damaged and can't be replaced; its new entries are lost", table)
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


def _transaction(connection: sqlite3.Connection, units: list[Unit]) -> list[Outcome]:
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


def _alone(connection: sqlite3.Connection, unit: Unit) -> Outcome:
    """The only unit of a transaction, which is rolled back with it when it fails."""
    try:
        return _apply_unit(connection, unit)
    except _REFUSALS as error:
        if not connection.in_transaction:  # e.g. disk full: SQLite rolled everything back by itself
            raise
        connection.execute("ROLLBACK")
        return _refused(error)


def _try_unit(connection: sqlite3.Connection, unit: Unit) -> Outcome:
    connection.execute("SAVEPOINT unit")
    outcome: Outcome
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
