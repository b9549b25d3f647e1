"""SQLite behind the `Database` protocol: one writer that groups units, a small pool of readers."""

import logging
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.domain.database import Row, Unit, Write, WriteResult
from bot.errors import StorageError, UnitRejected
from bot.storage.damage import file_of, is_damage, set_aside, unusable
from bot.storage.queues import Outcome, ReadQueue, ThreadedConnection, UnitQueue, storable

log = logging.getLogger(__name__)

LOG_BUSY = "the write-ahead log, because somebody reads the database; it goes at the next start"
READERS = 3
_LOG_BYTES = 4 * 1024 * 1024
"""The size of the write-ahead log at which it is checkpointed."""

_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA busy_timeout=5000",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA secure_delete=FAST",
)
_READER_KB, _WRITER_KB = 256, 1024
"""The pages that a connection keeps; the system's page cache holds the rest.

Many units share a transaction when many people talk. The writer keeps all pages that it changes in
one: otherwise pages are written to the log and read again several times before the commit.
"""


class SqliteDatabase:
    """The embedded database of one home.

    Open with `open_database` (or `SqliteDatabase.open`), close with `close`. All SQL runs on
    threads of its own; the event loop never blocks. Raises StorageError when the file cannot be
    used.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._read_only = read_only
        self._writer: ThreadedConnection | None = None
        self._readers: list[ThreadedConnection] = []
        self._writes = UnitQueue(self._apply)
        self._reads = ReadQueue()
        self.write = self._writes.write
        self.read, self.read_all = self._reads.read, self._reads.read_all

    async def open(self) -> None:
        """Connect the writer (unless read-only) and the readers."""
        try:
            if not self._read_only:
                self._writer = await ThreadedConnection.opened(self._connect_writer)
                self._writes.start()
            for _ in range(READERS):
                self._readers.append(await ThreadedConnection.opened(self._connect_reader))
            self._reads.start(self._readers)
        except sqlite3.Error as error:
            await self.close()
            raise unusable("cannot open the database", self.path, error) from error

    def _connect_writer(self) -> sqlite3.Connection:
        return self._connect(_WRITER_KB)

    def _connect_reader(self) -> sqlite3.Connection:
        connection = self._connect(_READER_KB)
        connection.execute("PRAGMA query_only=ON")
        return connection

    def _connect(self, cache_kb: int) -> sqlite3.Connection:
        mode = "ro" if self._read_only else "rwc"
        connection = sqlite3.connect(
            f"file:{self.path}?mode={mode}", uri=True, isolation_level=None
        )
        try:
            connection.row_factory = sqlite3.Row
            for pragma in _PRAGMAS[3:] if self._read_only else _PRAGMAS:
                connection.execute(pragma)
            connection.execute(f"PRAGMA cache_size=-{cache_kb}")
            page = connection.execute("PRAGMA page_size").fetchone()[0]
            connection.execute(f"PRAGMA wal_autocheckpoint={_LOG_BYTES // page}")
        except BaseException:
            connection.close()
            raise
        return connection

    async def close(self) -> None:
        """Write what is queued and answer what is asked, then close all connections."""
        await self._writes.close()
        await self._reads.close()
        for thread in (*self._readers, self._writer):
            if thread is not None:
                await thread.close()
        self._readers.clear()
        self._writer = None

    # --- writing ---

    async def _apply(self, units: list[Unit]) -> list[Outcome]:
        try:
            return await self._in_writer(units)
        except sqlite3.Error as error:
            raise unusable("the write was not stored in", self.path, error) from error

    async def _in_writer(self, units: list[Unit]) -> list[Outcome]:
        """Run a whole batch in one hop to the writer's thread."""
        writer = self._writer
        assert writer is not None  # noqa: S101 - `write` refuses before this when there is none
        return await writer.run(lambda: _apply(writer.connection, units))

    async def rewrite(self) -> tuple[str, ...]:
        """See `domain.database.RewritableDatabase`."""
        writer = self._writer
        if writer is None:
            raise StorageError(f"{self.path} is open for reading only")
        try:
            return await writer.run(lambda: _rewrite(writer.connection))
        except sqlite3.Error as error:
            raise unusable("could not be written anew", self.path, error) from error

    # --- reading ---

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        rows = await self.read(sql, params)
        return rows[0] if rows else None


_REFUSALS = (sqlite3.Error, UnitRejected, ValueError, TypeError, OverflowError)
"""Errors of a single unit. The last three are for values that SQLite can't store."""


def _rewrite(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Write the file anew, so that deleted rows leave no bytes behind. In the writer's thread.

    Each connection overwrites what it deletes in pages that it writes anyway (`secure_delete=FAST`;
    overwriting freed pages, too, costs a tenth of the time of all writes). Still, freed pages keep
    their bytes, the indexes of full text keep deleted words until their segments are merged, and
    the write-ahead log has all former pages.

    Between transactions. Returns what could not be done. Raises sqlite3.Error.
    """
    for (index,) in connection.execute(
        "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING fts5 (%'"
    ).fetchall():
        # Merges all segments into one: only then deleted terms are dropped.
        connection.execute(f"INSERT INTO {index}({index}) VALUES ('optimize')")  # noqa: S608 - ours
    connection.execute("PRAGMA temp_store=FILE")  # VACUUM makes a whole copy
    connection.execute("PRAGMA secure_delete=ON")
    try:
        connection.execute("VACUUM")
    finally:
        connection.execute("PRAGMA secure_delete=FAST")
        connection.execute("PRAGMA temp_store=MEMORY")
    # It waits for readers as long as busy_timeout says.
    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return (LOG_BUSY,) if busy else ()


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
    """Raises when COMMIT fails, or with a log that is damaged."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        outcomes = _outcomes(connection, units)
        if connection.in_transaction:
            connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return outcomes


def _outcomes(connection: sqlite3.Connection, units: list[Unit]) -> list[Outcome]:
    """Run the units; if one is refused, run all again with a savepoint for each.

    Refusals are rare. A savepoint costs each unit two statements, and with each the thread waits
    several times for the interpreter's lock while the event loop is busy.
    """
    try:
        return [_apply_unit(connection, unit) for unit in units]
    except _REFUSALS as error:
        if not connection.in_transaction:  # e.g. disk full: SQLite rolled everything back by itself
            raise
        connection.execute("ROLLBACK")
        if len(units) == 1:
            return [_refused(connection, error)]
    connection.execute("BEGIN IMMEDIATE")
    return [_try_unit(connection, unit) for unit in units]


def _try_unit(connection: sqlite3.Connection, unit: Unit) -> Outcome:
    connection.execute("SAVEPOINT unit")
    outcome: Outcome
    try:
        outcome = _apply_unit(connection, unit)
    except _REFUSALS as error:
        if not connection.in_transaction:
            raise
        connection.execute("ROLLBACK TO unit")
        outcome = _refused(connection, error)
    connection.execute("RELEASE unit")
    return outcome


def _refused(connection: sqlite3.Connection, error: Exception) -> StorageError:
    if isinstance(error, UnitRejected):
        return error
    if isinstance(error, sqlite3.Error):
        return unusable("the write was not stored in", file_of(connection), error)
    return StorageError(f"not stored: {error}")


def _executed(connection: sqlite3.Connection, write: Write) -> sqlite3.Cursor:
    try:
        return connection.execute(write.sql, write.params)
    except UnicodeEncodeError:
        return connection.execute(write.sql, storable(write.params))


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
