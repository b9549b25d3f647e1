"""PostgreSQL behind the `Database` protocol: one connection that writes, a pool that reads.

After a lost connection or a restart of the server, requests are repeated. A transaction whose
COMMIT got no answer may be stored or not, so each writes its number into `commits`. The next
connection looks there before it repeats the work.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext, suppress
from typing import Any, LiteralString, TypeAlias, TypeVar

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from bot.plugin.databases import (
    HomeInUse,
    Outcome,
    Read,
    Row,
    StorageError,
    Unit,
    UnitQueue,
    UnitRejected,
    Write,
    WriteResult,
)
from bot.plugins.postgresql.advisory_locks import AdvisoryLocks
from bot.plugins.postgresql.connecting import (
    JOBS_SCHEMA,
    SCHEMA,
    Server,
    is_lost,
    reason,
    refusal,
    set_up,
)
from bot.plugins.postgresql.processes import LOCKS, RUNS
from bot.plugins.postgresql.statements import translated

log = logging.getLogger(__name__)

WAL = "the server's write-ahead log, until it is recycled; its archive and backups are the server's"
_TABLES = (
    "SELECT n.nspname, c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = "
    "c.relnamespace WHERE c.relkind = 'r' AND n.nspname IN (%s, %s) ORDER BY 1, 2"
)


_SAMPLES = (
    "DELETE FROM pg_catalog.pg_statistic WHERE starelid IN (SELECT c.oid FROM pg_class AS c"
    " JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname IN (%s, %s))"
)


async def rewrite(server: Server) -> tuple[str, ...]:
    """Rewrite each table with its indexes. Returns what remains, in words.

    Others wait for each table while it is copied. Raises psycopg.Error.
    """
    remains = [WAL]
    connection = await psycopg.AsyncConnection.connect(server.conninfo, autocommit=True)

    async def attempt(statement: str, what: str, params: tuple[str, ...] = ()) -> None:
        try:
            await connection.execute(statement.encode(), params or None)
        except psycopg.errors.InsufficientPrivilege as error:
            remains.append(f"{what} ({reason(error)})")

    async with connection:
        # A long transaction of somebody else must not hold up everybody behind this one.
        await connection.execute("SET lock_timeout = '10s'")
        # The list of terms keeps those that no row has any more.
        await connection.execute("DELETE FROM word_terms WHERE doc <= 0")
        # The planner's statistics have samples of texts; ANALYZE keeps those of an empty table.
        schemas = (SCHEMA, JOBS_SCHEMA)
        await attempt(_SAMPLES, "the planner's samples of texts in pg_statistic", schemas)
        cursor = await connection.execute(_TABLES, schemas)
        for schema, table in await cursor.fetchall():
            await connection.execute(
                sql.SQL("VACUUM (FULL, ANALYZE) {}").format(sql.Identifier(schema, table))
            )
        await attempt(
            "VACUUM FULL pg_catalog.pg_statistic", "older samples of texts in pg_statistic"
        )
        await attempt("CHECKPOINT", "files of replaced tables, until the server's next checkpoint")
    return tuple(remains)


READERS = 4
CONNECTIONS = READERS + 8
"""The connections of one process: those that read, one that writes, two for locks, and five for
jobs and notices."""
PATIENCE_S = 300.0
"""Seconds that requests wait for a server that is unreachable."""
LAST_PATIENCE_S = 5.0
"""Seconds that they wait while Bellhop closes."""
OTHERS_PATIENCE_S = 3.0
"""Seconds that a start waits for another process to release the database."""
_AGAIN_S = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Seconds before each new try; the last one for all that follow."""
_LOOK_AGAIN_S = 4.0
"""Seconds after which the pool begins anew, because it waits longer before each new try."""
_WRITES = 2
_RUNNING: LiteralString = "SELECT pg_try_advisory_lock_shared($1::int, $2::int) AS taken"
_THIS_WRITER: LiteralString = "SELECT pg_try_advisory_lock($1::bigint) AS taken"
FROZEN_S = 5.0
"""Seconds that a silent process may block the writers of all processes."""
_END_FROZEN: LiteralString = """
SELECT a.application_name AS name, pg_terminate_backend(a.pid)
FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
WHERE l.locktype = 'advisory' AND l.granted AND l.classid = $1::bigint AND l.objid = $2::bigint
AND l.objsubid = 2 AND a.datname = current_database() AND a.wait_event = 'ClientRead'
AND a.xact_start < clock_timestamp() - make_interval(secs => $3::float8 * 0.8)
"""
_COMMITTED = "SELECT batch FROM commits WHERE writer = $1"
_NOTED = (
    "INSERT INTO commits (writer, batch) VALUES ($1, $2)"
    " ON CONFLICT (writer) DO UPDATE SET batch = excluded.batch, at = now()"
)

_REFUSALS = (psycopg.Error, UnitRejected, ValueError, TypeError)
"""Errors of a single unit, or of a lost connection."""
_Connection: TypeAlias = psycopg.AsyncConnection[dict[str, Any]]
_Cursor: TypeAlias = psycopg.AsyncRawCursor[dict[str, Any]]
_T = TypeVar("_T")


class PostgresDatabase:
    """The database of one home on a PostgreSQL server.

    Open with `open_database` of the home, or with `open`; close with `close`. Several processes may
    write. Meanwhile nobody can copy a home into the database or set it aside.
    """

    def __init__(self, server: Server, *, read_only: bool = False) -> None:
        # psycopg warns about each try of each connection; `_patiently` logs the outage.
        logging.getLogger("psycopg").setLevel(logging.ERROR)
        self.server = server
        self._read_only = read_only
        self._patience = PATIENCE_S
        self._writes = UnitQueue(self._apply)
        self._writer: _Connection | None = None
        self._identity = secrets.token_hex(8)
        self._number = int.from_bytes(bytes.fromhex(self._identity), signed=True)
        self._batch = 0
        self.locks = AdvisoryLocks(server)
        """The locks of this process."""
        self._readers: AsyncConnectionPool[_Connection] = AsyncConnectionPool(
            server.conninfo,
            connection_class=psycopg.AsyncConnection[dict[str, Any]],
            kwargs={"autocommit": True, "row_factory": dict_row},
            configure=_configure_reader,
            min_size=1,
            max_size=READERS,
            reconnect_timeout=_LOOK_AGAIN_S,
            open=False,
            name="database-readers",
        )

    async def open(self) -> None:
        """Connect the writer (unless read-only) and the readers.

        Raises HomeInUse while a home is copied there or set aside, and StorageError.
        """
        try:
            if not self._read_only:
                self._writer = await self._connected(OTHERS_PATIENCE_S)
                self._writes.start()
            await self._readers.open(wait=True, timeout=30)
        except (psycopg.Error, OSError, PoolTimeout, StorageError) as error:
            await self.close()
            if isinstance(error, psycopg.Error):
                raise refusal(self.server, error) from error
            raise

    async def close(self) -> None:
        """Write what is queued, then close all connections."""
        self._patience = LAST_PATIENCE_S
        await self._writes.close()
        await self._drop_writer()
        await self.locks.close()
        await self._readers.close()

    # --- the connection that writes ------------------------------------------------------------

    async def _connected(self, patience: float) -> _Connection:
        """Return a connection that holds the locks of a process that may write."""
        connection = await psycopg.AsyncConnection[dict[str, Any]].connect(
            self.server.conninfo, autocommit=True, row_factory=dict_row
        )
        set_up(connection)
        try:
            await connection.execute(f"SET lock_timeout = '{FROZEN_S}s'".encode())
            await self._take_over(connection, patience)
        except BaseException:
            await connection.close()
            raise
        return connection

    async def _take_over(self, connection: _Connection, patience: float) -> None:
        """Wait until our earlier connection is gone, together with its transaction.

        Raises HomeInUse when another process has exclusive use of the database.
        """
        until = _now() + patience
        cursor = psycopg.AsyncRawCursor(connection, row_factory=dict_row)
        while not (row := await _one(cursor, _RUNNING, (LOCKS, RUNS))) or not row["taken"]:
            if _now() > until:
                raise HomeInUse(
                    f"the {self.server.name} is being filled or set aside by `bellhop migrate` or"
                    " `bellhop restore`; start again when that has ended"
                )
            await asyncio.sleep(0.1)
        while not (row := await _one(cursor, _THIS_WRITER, (self._number,))) or not row["taken"]:
            if _now() > until:
                raise HomeInUse(f"an earlier connection to the {self.server.name} is still open")
            await asyncio.sleep(0.1)
        await cursor.execute("DELETE FROM commits WHERE at < now() - interval '7 days'")

    async def _drop_writer(self) -> None:
        connection, self._writer = self._writer, None
        if connection is not None:
            with suppress(psycopg.Error, OSError):
                await connection.close()

    # --- writing ------------------------------------------------------------

    async def write(self, unit: Unit) -> WriteResult:
        return await self._writes.write(unit)

    async def _apply(self, units: list[Unit]) -> list[Outcome]:
        """Repeat one transaction until it is stored exactly once."""
        self._batch += 1
        sent: list[Outcome] | None = None

        async def attempt() -> list[Outcome]:
            nonlocal sent
            if self._writer is None:
                self._writer = await self._connected(self._patience)
                if sent is not None and await self._was_stored(self._writer):
                    return sent
            sent = None
            try:
                outcomes = await self._in_transaction(self._writer, units)
            except psycopg.errors.LockNotAvailable:
                await _end_frozen_writer(self._writer)
                raise
            sent = outcomes
            if self._writer.info.transaction_status is not TransactionStatus.IDLE:
                await self._writer.execute("COMMIT")
            return outcomes

        try:
            return await self._patiently("the write", attempt, self._drop_writer)
        except psycopg.Error as error:
            raise StorageError(f"the write was not stored: {reason(error)}") from error

    async def _was_stored(self, connection: _Connection) -> bool:
        """Whether the last transaction was stored.

        It can't still be running, because its connection held the lock that this one holds now.
        """
        cursor = psycopg.AsyncRawCursor(connection, row_factory=dict_row)
        row = await _one(cursor, _COMMITTED, (self._identity,))
        return row is not None and row["batch"] == self._batch

    async def _in_transaction(self, connection: _Connection, units: list[Unit]) -> list[Outcome]:
        """Do everything up to COMMIT; if a unit is refused, again with a savepoint for each.

        Refusals are rare. Without savepoints, all statements reach the server in one round trip.
        """
        try:
            async with connection.pipeline():
                await self._begin(connection)
                begun = [await _begun(connection, unit) for unit in units]
            return [
                await _result(cursors, unit) for cursors, unit in zip(begun, units, strict=True)
            ]
        except _REFUSALS as error:
            if is_lost(error):
                raise
            await connection.execute("ROLLBACK")
            if isinstance(error, psycopg.Error):
                # psycopg takes those for prepared that the server skipped behind the one that
                # failed: each of them would fail from now on.
                await self._drop_writer()
                self._writer = connection = await self._connected(self._patience)
            if len(units) == 1:
                return [_refused(error)]
        async with connection.pipeline():
            await self._begin(connection)
        return [await _try_unit(connection, unit) for unit in units]

    async def _begin(self, connection: _Connection) -> None:
        cursor = psycopg.AsyncRawCursor(connection, row_factory=dict_row)
        await cursor.execute("BEGIN")
        await cursor.execute("SELECT pg_advisory_xact_lock($1::int, $2::int)", (LOCKS, _WRITES))
        await cursor.execute(_NOTED, (self._identity, self._batch))

    async def rewrite(self) -> tuple[str, ...]:
        """See `domain.database.RewritableDatabase`."""
        try:
            return await rewrite(self.server)
        except psycopg.Error as error:
            raise StorageError(
                f"the {self.server.name} could not be written anew: {reason(error)}"
            ) from error

    # --- reading ------------------------------------------------------------

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        return (await self.read_all(Read(sql, tuple(params))))[0]

    async def read_all(self, *reads: Read) -> list[list[Row]]:
        async def attempt() -> list[list[Row]]:
            async with self._readers.connection(timeout=_LOOK_AGAIN_S) as connection:
                return await _rows_of(connection, reads)

        task = asyncio.current_task()
        cancelled = task.cancelling() if task else 0
        try:
            rows = await self._patiently("a read", attempt)
        except (psycopg.Error, PoolTimeout) as error:
            raise StorageError(f"cannot read the database: {reason(error)}") from error
        if task and task.cancelling() > cancelled:
            # The pool waits with `asyncio.wait_for`, which in Python 3.11 loses a cancellation that
            # comes together with the connection. A task that reads in a loop would never end.
            raise asyncio.CancelledError
        return rows

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        rows = await self.read(sql, params)
        return rows[0] if rows else None

    # --- an unreachable server ------------------------------------------------------------

    async def _patiently(
        self,
        what: str,
        attempt: Callable[[], Awaitable[_T]],
        afresh: Callable[[], Awaitable[None]] | None = None,
    ) -> _T:
        """Try until the server is back or the patience ends; then the last error is raised."""
        began, tries = _now(), 0
        while True:
            try:
                done = await attempt()
            except (psycopg.Error, OSError, HomeInUse) as error:
                if afresh is not None:
                    await afresh()
                waited = _now() - began
                if not (is_lost(error) or isinstance(error, HomeInUse)):
                    raise
                if waited > self._patience:
                    raise StorageError(
                        f"{self.server.name} was away for {waited:.0f} seconds: {reason(error)}"
                    ) from error
                if not tries:
                    log.warning(
                        "work=<%s>, error=<%s> | the database is away, trying again",
                        what,
                        reason(error),
                    )
                pause = _AGAIN_S[min(tries, len(_AGAIN_S) - 1)]
                tries += 1
                await asyncio.sleep(pause)
            else:
                if tries:
                    log.warning(
                        "work=<%s>, seconds=<%.1f> | the database is back", what, _now() - began
                    )
                return done


async def _end_frozen_writer(connection: _Connection) -> None:
    """End a silent connection that has held the lock of transactions for too long.

    To the server, a process that is frozen between two statements of a pipeline isn't idle, so the
    server's own limit doesn't end it. When the process continues, it repeats its transaction.
    """
    await connection.execute("ROLLBACK")
    cursor = psycopg.AsyncRawCursor(connection, row_factory=dict_row)
    await cursor.execute(_END_FROZEN, (LOCKS, _WRITES, FROZEN_S))
    for row in await cursor.fetchall():
        log.warning("connection=<%s> | held up all writers, and was ended", row["name"])


async def _rows_of(connection: _Connection, reads: Sequence[Read]) -> list[list[Row]]:
    """Send several reads together, and then fetch their rows."""
    cursors: list[_Cursor] = []
    try:
        async with connection.pipeline() if len(reads) > 1 else nullcontext():
            for read in reads:
                cursor = psycopg.AsyncRawCursor(connection, row_factory=dict_row)
                cursors.append(await cursor.execute(*translated(read.sql, read.params)))
    except psycopg.Error:
        if len(reads) > 1:
            # psycopg takes those for prepared that the server skipped behind the one that failed.
            await connection.close()
        raise
    return [list(await cursor.fetchall()) for cursor in cursors]


async def _configure_reader(connection: _Connection) -> None:
    set_up(connection)
    await connection.execute("SET default_transaction_read_only = on")


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _one(
    cursor: _Cursor, sql: LiteralString, params: tuple[Any, ...]
) -> dict[str, Any] | None:
    await cursor.execute(sql, params)
    return await cursor.fetchone()


async def _try_unit(connection: _Connection, unit: Unit) -> Outcome:
    """One unit under its savepoint. Raises psycopg.Error when the connection is lost."""
    outcome: Outcome
    try:
        async with connection.pipeline():
            await connection.execute("SAVEPOINT unit")
            cursors = await _begun(connection, unit, prepare=False)
        outcome = await _result(cursors, unit)
    except _REFUSALS as error:
        if is_lost(error):
            raise
        await connection.execute("ROLLBACK TO SAVEPOINT unit")
        outcome = _refused(error)
    await connection.execute("RELEASE SAVEPOINT unit")
    return outcome


def _refused(error: Exception) -> StorageError:
    return (
        error if isinstance(error, UnitRejected) else StorageError(f"not stored: {reason(error)}")
    )


async def _begun(
    connection: _Connection, unit: Unit, *, prepare: bool | None = None
) -> list[_Cursor]:
    """A cursor for each write, which has its result when the pipeline ends.

    `prepare`: as in psycopg; by default it prepares what is executed often.
    """
    cursors: list[_Cursor] = []
    for write in unit.writes:
        cursor = psycopg.AsyncRawCursor(connection, row_factory=dict_row)
        sql, params = translated(write.sql, write.params)
        cursors.append(await cursor.execute(sql, params, prepare=prepare))
    return cursors


async def _result(cursors: Sequence[_Cursor], unit: Unit) -> WriteResult:
    returned = [
        await _returned(cursor, write, at)
        for at, (cursor, write) in enumerate(zip(cursors, unit.writes, strict=True))
    ]
    return WriteResult(tuple(returned))


async def _returned(cursor: _Cursor, write: Write, index: int) -> tuple[Row, ...]:
    rows: tuple[Row, ...] = tuple(await cursor.fetchall()) if cursor.description else ()
    touched = len(rows) if cursor.description else cursor.rowcount
    if write.rows is not None and touched != write.rows:
        raise UnitRejected(f"write {index} touched {touched} rows, expected {write.rows}", index)
    return rows
