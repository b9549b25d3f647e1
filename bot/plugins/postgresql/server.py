"""A PostgreSQL database behind the `DatabaseServer` protocol."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from bot.plugin.databases import (
    PLUGIN_TEXTS,
    AppliedMigrations,
    Check,
    Contents,
    HomeValue,
    Moved,
    ServerCondition,
    StorageError,
    Told,
    WorkingProcess,
    newer_than,
    plugin_statements,
)
from bot.plugins.postgresql.advisory_locks import AdvisoryLocks
from bot.plugins.postgresql.connecting import SCHEMA, Server, reason, refusal, set_up
from bot.plugins.postgresql.database import CONNECTIONS, PostgresDatabase
from bot.plugins.postgresql.fitness import connected
from bot.plugins.postgresql.jobs_store import ProcrastinateJobs
from bot.plugins.postgresql.moving import Connection, columns_there, move, rows_there, set_aside
from bot.plugins.postgresql.notices import PostgresNotices
from bot.plugins.postgresql.preparing import look, prepare, require
from bot.plugins.postgresql.processes import working_processes
from bot.plugins.postgresql.tables import Summing, Table, shared_tables, summed

_ASKED = """
SELECT current_setting('synchronous_commit'), current_setting('fsync') = 'on',
    current_setting('full_page_writes') = 'on',
    current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int,
    (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')
"""
_HOME_ID = "SELECT value FROM home_values WHERE name = %s"
_JOBS = """
SELECT
    (SELECT count(*) FROM procrastinate_workers
        WHERE last_heartbeat > now() - interval '20 seconds'),
    (SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo'),
    (SELECT count(*) FROM procrastinate_jobs AS job
        LEFT JOIN procrastinate_workers AS worker ON worker.id = job.worker_id
        WHERE job.status = 'doing'
        AND (worker.id IS NULL OR worker.last_heartbeat < now() - interval '20 seconds'))
"""


_AHEAD_S = 2.0
"""Clocks further apart make schedules come early or late on some machine."""
_STORED = {"on", "remote_apply", "remote_write", "local"}
"""Values of synchronous_commit that put a commit on disk before it is answered."""


def condition(server: Server) -> ServerCondition:
    """Ask a server whose tables are complete. Blocking. Raises StorageError."""
    with connected(server) as connection:
        try:
            row = connection.execute(_ASKED).fetchone() or ("", False, False, 0, 0)
            synchronous, fsync, full_pages, maximum, used = row
            began = time.time()
            there = connection.execute("SELECT extract(epoch FROM clock_timestamp())").fetchone()
            ours = (began + time.time()) / 2
            owner = connection.execute(_HOME_ID, (HomeValue.HOME_ID,)).fetchone()
            processes = tuple(working_processes(connection))
            jobs = connection.execute(_JOBS).fetchone() or (0, 0, 0)
        except psycopg.Error as error:
            raise refusal(server, error) from error
    ahead = float(there[0]) - ours if there else 0.0
    return ServerCondition(
        (
            _settings(synchronous, ahead, writes_through=fsync and full_pages),
            _connections(used - 1, maximum, processes),
        ),
        owner[0] if owner else "",
        processes,
        *jobs,
    )


def _settings(synchronous_commit: str, ahead: float, *, writes_through: bool) -> Check:
    """Whether commits survive; and `ahead`, how far the server's clock is ahead of ours."""
    problems: list[str] = []
    if synchronous_commit not in _STORED:
        problems.append(
            f"synchronous_commit is {synchronous_commit}: a message that was accepted can be"
            " lost when the server stops; set it to on"
        )
    if not writes_through:
        problems.append(
            "fsync or full_page_writes is off: the database can be damaged when the machine loses"
            " power; set both to on"
        )
    if abs(ahead) > _AHEAD_S:
        problems.append(
            f"the clocks of this machine and the server are {abs(ahead):.1f} s apart;"
            " synchronise both (NTP)"
        )
    if problems:
        return Check("server", "warning", "\n".join(problems))
    return Check(
        "server",
        "ok",
        f"synchronous_commit {synchronous_commit}, clocks {abs(ahead) * 1000:.0f} ms apart",
    )


def _connections(used: int, maximum: int, processes: Sequence[WorkingProcess]) -> Check:
    """Whether ordinary users may open as many connections as the processes need."""
    ours = sum(one.connections for one in processes)
    told = (
        f"{used} of {maximum} are open, {ours} of them by Bellhop;"
        f" a process opens up to {CONNECTIONS}"
    )
    if used + CONNECTIONS * max(1, len(processes)) - ours > maximum:
        return Check("connections", "warning", f"{told}. Raise max_connections")
    return Check("connections", "ok", told)


def copy_out(server: Server, path: Path) -> None:
    """See `domain.database_server.DatabaseServer`."""
    _require_same_version(server)
    with (
        connected(server) as origin,
        closing(sqlite3.connect(path, isolation_level=None)) as target,
    ):
        set_up(origin)
        origin.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        origin.read_only = True
        target.execute("PRAGMA journal_mode=DELETE")
        try:
            for statement in plugin_statements(origin.execute(PLUGIN_TEXTS)):
                target.execute(statement)
            tables, _ = shared_tables(target, columns_there(origin))
            target.execute("BEGIN")
            with origin.transaction():
                wanted = _copy(origin, target, tables)
        except psycopg.Error as error:
            raise StorageError(f"cannot read the {server.name}: {reason(error)}") from error
        # The server ends a transaction that is idle for long, so slow work comes after it.
        target.execute("COMMIT")
        _compare(target, tables, wanted)


def _require_same_version(server: Server) -> None:
    found = require(server)
    if newer := newer_than(found.shipped, found.applied):
        raise StorageError(
            f"the {server.name} has migration {newer[-1]:04}, which this version of Bellhop does"
            " not know; run the newer version"
        )


def _copy(
    origin: Connection, target: sqlite3.Connection, tables: list[Table]
) -> dict[str, Contents]:
    """Copy all rows; returns what each table holds."""
    triggers = target.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    made = triggers.fetchall()
    for name, _ in made:  # the copied rows contain their effects
        target.execute(f'DROP TRIGGER "{name}"')
    copied = {table.name: _copy_table(origin, target, table) for table in tables}
    for _, sql in made:
        target.execute(sql)
    _go_on_numbering(origin, target)
    return copied


def _compare(target: sqlite3.Connection, tables: list[Table], wanted: dict[str, Contents]) -> None:
    for table in tables:
        width = len(table.key)
        if summed(row[width:] for row in target.execute(table.selected())) != wanted[table.name]:
            raise StorageError(f"the copy of {table.name} differs from the database; report this")


def _copy_table(origin: Connection, target: sqlite3.Connection, table: Table) -> Contents:
    target.execute(f'DELETE FROM "{table.name}"')  # noqa: S608 - a name of the schema
    summing = Summing()
    rows: Any = map(summing.add, rows_there(origin, table))
    target.executemany(table.inserted(), rows)
    return summing.contents


def _go_on_numbering(origin: Connection, target: sqlite3.Connection) -> None:
    """Continue the numbering, so that new rows get unused numbers where SQLite guarantees that."""
    given = origin.execute(
        "SELECT c.table_name, s.last_value FROM information_schema.columns AS c"
        " JOIN pg_sequences AS s ON format('%%I.%%I', s.schemaname, s.sequencename)"
        " = pg_get_serial_sequence(format('%%I.%%I', c.table_schema, c.table_name), c.column_name)"
        " WHERE c.table_schema = %s AND c.is_identity = 'YES' AND s.last_value IS NOT NULL",
        (SCHEMA,),
    ).fetchall()
    target.execute("DELETE FROM sqlite_sequence")
    target.executemany(
        "INSERT INTO sqlite_sequence (name, seq)"
        " SELECT name, ?2 FROM sqlite_schema WHERE name = ?1 AND sql LIKE '% AUTOINCREMENT%'",
        given,
    )


class PostgresDatabaseServer:
    """Implements `domain.database_server.DatabaseServer`."""

    def __init__(self, url: str) -> None:
        """Raises SettingsError for what is no `postgresql://` URL."""
        self._server = Server.at(url)
        self.jobs = ProcrastinateJobs(self._server)

    @property
    def name(self) -> str:
        return self._server.name

    async def open(self, *, read_only: bool = False) -> PostgresDatabase:
        await asyncio.to_thread(require if read_only else prepare, self._server)
        database = PostgresDatabase(self._server, read_only=read_only)
        await database.open()
        return database

    def notices(self) -> PostgresNotices:
        return PostgresNotices(self._server)

    def locks(self) -> AdvisoryLocks:
        return AdvisoryLocks(self._server)

    def look(self) -> AppliedMigrations:
        return look(self._server)

    def condition(self) -> ServerCondition:
        return condition(self._server)

    def copy_out(self, path: Path) -> None:
        copy_out(self._server, path)

    def move(
        self, source: Path, told: Told = lambda _: None, last: Callable[[], None] = lambda: None
    ) -> Moved:
        return move(source, self._server, told, last)

    def set_aside(self, name: str) -> bool:
        return set_aside(self._server, name)
