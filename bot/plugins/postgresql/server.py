"""A PostgreSQL database behind the `DatabaseServer` protocol."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from bot.plugin.databases import (
    PLUGIN_TEXTS,
    AppliedMigrations,
    Contents,
    Moved,
    ServerCondition,
    StorageError,
    Told,
    newer_than,
    plugin_statements,
)
from bot.plugins.postgresql.advisory_locks import AdvisoryLocks
from bot.plugins.postgresql.condition import condition
from bot.plugins.postgresql.connecting import SCHEMA, Server, reason, set_up
from bot.plugins.postgresql.database import PostgresDatabase
from bot.plugins.postgresql.fitness import connected
from bot.plugins.postgresql.jobs_store import ProcrastinateJobs
from bot.plugins.postgresql.moving import Connection, columns_there, move, rows_there, set_aside
from bot.plugins.postgresql.notices import PostgresNotices
from bot.plugins.postgresql.preparing import look, prepare, require
from bot.plugins.postgresql.tables import Summing, Table, shared_tables, summed


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
