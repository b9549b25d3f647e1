"""Copying a home's SQLite file into a PostgreSQL database.

Each table is copied in the order of its key, some rows in a transaction. The table `moving` says
how far each copy is, so an interrupted copy can continue. While this table exists, nothing else
opens the database. At the end both sides are compared, row by row.
"""

import json
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, LiteralString, TypeAlias

import psycopg
from psycopg import sql
from psycopg.errors import DuplicateColumn, DuplicateTable

from bot.plugin.databases import (
    PLUGIN_TEXTS,
    Contents,
    Moved,
    StorageError,
    Told,
    plugin_statements,
    unusable,
)
from bot.plugins.postgresql.connecting import SCHEMA, Server, is_lost, reason, set_up
from bot.plugins.postgresql.fitness import connected
from bot.plugins.postgresql.preparing import MOVING, is_moving, migrated
from bot.plugins.postgresql.processes import lock_alone
from bot.plugins.postgresql.schema import of_plugin, own_migrations
from bot.plugins.postgresql.statements import stored_value
from bot.plugins.postgresql.tables import Table, shared_tables, summed

_ROWS = 1000
"""Rows copied in one transaction."""
_TOLD_ROWS = 100_000
"""Rows of a table between two progress messages."""
_OWN = frozenset({"migrations", "commits", "changes", "word_totals", "word_terms", MOVING})
"""Tables that only PostgreSQL needs; they are not copied."""

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]


def move(
    source: Path,
    server: Server,
    told: Told = lambda _: None,
    last: Callable[[], None] = lambda: None,
) -> Moved:
    """See `domain.database_server.DatabaseServer`."""
    with connected(server) as target, _transaction_of(source) as origin:
        set_up(target)
        try:
            return _Move(origin, server, target, told).run(last)
        except psycopg.Error as error:
            raise StorageError(
                f"cannot copy into the {server.name}: {_primary(error)}; what is copied stays,"
                " and the same command goes on with it"
            ) from error
        except sqlite3.Error as error:
            raise unusable("cannot read the database", source, error) from error


def set_aside(server: Server, name: str) -> bool:
    """Rename Bellhop's schema in a database; see `domain.database_server.DatabaseServer`."""
    with connected(server) as connection:
        set_up(connection)
        lock_alone(connection, server.name)
        there = connection.execute("SELECT to_regnamespace(%s) IS NOT NULL", (SCHEMA,)).fetchone()
        if there != (1,) or is_moving(connection):
            return False
        try:
            connection.execute(
                sql.SQL("ALTER SCHEMA {} RENAME TO {}").format(
                    sql.Identifier(SCHEMA), sql.Identifier(name)
                )
            )
        except psycopg.Error as error:
            raise StorageError(
                f"cannot set aside what the {server.name} holds: {reason(error)}"
            ) from error
    return True


@contextmanager
def _transaction_of(source: Path) -> Generator[sqlite3.Connection]:
    """A connection that reads one state of the file."""
    try:
        connection = sqlite3.connect(f"file:{source}?mode=ro", uri=True, isolation_level=None)
        with closing(connection):
            connection.execute("PRAGMA busy_timeout=5000")
            connection.execute("BEGIN")
            yield connection
    except sqlite3.Error as error:
        raise unusable("cannot read the database", source, error) from error


def _primary(error: psycopg.Error) -> str:
    """The error, without the data of the row."""
    return reason(error) if is_lost(error) else error.diag.message_primary or reason(error)


def columns_there(connection: Connection) -> dict[str, frozenset[str]]:
    """The columns of each table that a home has."""
    rows = connection.execute(
        "SELECT c.table_name, array_agg(c.column_name::text) FROM information_schema.columns AS c "
        "JOIN information_schema.tables AS t USING (table_schema, table_name) WHERE table_schema = "
        "%s AND t.table_type = 'BASE TABLE' GROUP BY 1",
        (SCHEMA,),
    ).fetchall()
    return {name: frozenset(columns) for name, columns in rows if name not in _OWN}


def rows_there(connection: Connection, table: Table) -> Iterator[tuple[Any, ...]]:
    """All rows of a table, some at a time. The connection must be in a transaction."""
    columns = sql.SQL(", ").join(map(sql.Identifier, table.columns))
    with connection.cursor(name="rows") as cursor:
        cursor.itersize = _ROWS
        cursor.execute(sql.SQL("SELECT {} FROM {}").format(columns, sql.Identifier(table.name)))
        yield from cursor


class _Move:
    def __init__(
        self, origin: sqlite3.Connection, server: Server, target: Connection, told: Told
    ) -> None:
        self._origin = origin
        self._server = server
        self._target = target
        self._told = told
        self._tables: list[Table] = []

    def run(self, last: Callable[[], None]) -> Moved:
        lock_alone(self._target, self._server.name)
        goes_on = is_moving(self._target)
        changed = migrated(self._target, own_migrations())
        self._make_plugin_tables()
        there = columns_there(self._target)
        self._tables, left = shared_tables(self._origin, there)
        if goes_on and not changed:
            self._told("A copy was begun before; it goes on.")
        else:
            if not goes_on:
                self._require_empty()
            self._begin()
        try:
            contents, differing = self._copied()
        except psycopg.IntegrityError:
            if not goes_on:
                raise
            contents, differing = {}, ["the file"]
        if differing and goes_on:
            self._told(f"{differing[0]} has changed since the copy was begun; it begins anew.")
            self._begin()
            contents, differing = self._copied()
        if differing:
            raise StorageError(
                f"the copy of {', '.join(differing)} differs from the file, so the"
                f" {self._server.name} can't be used; report this with the versions of both"
            )
        last()
        self._finish()
        return Moved(contents, tuple(left))

    def _make_plugin_tables(self) -> None:
        """The tables of plug-ins, from the texts that made them here."""
        for statement in plugin_statements(self._origin.execute(PLUGIN_TEXTS)):
            # An interrupted copy has made them already.
            with suppress(DuplicateTable, DuplicateColumn), self._target.transaction():
                self._target.execute(of_plugin(statement).encode())

    def _require_empty(self) -> None:
        for table in self._tables:
            filled = self._target.execute(
                sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(table.name))
            )
            if filled.fetchone() is not None:
                raise StorageError(
                    f"the {self._server.name} holds a home already ({table.name} has rows), and"
                    " nothing there is overwritten; name an empty database (`bellhop restore` has"
                    " --overwrite)"
                )

    def _begin(self) -> None:
        """Empty all tables, and disable triggers whose results SQLite's rows already contain."""
        names = {table.name for table in self._tables}
        emptied = sorted((names | _OWN) - {"migrations", MOVING})
        with self._target.transaction():
            self._target.execute(
                sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(map(sql.Identifier, emptied)))
            )
            self._target.execute(f"DROP TABLE IF EXISTS {MOVING}")
            self._target.execute(f"CREATE TABLE {MOVING} (name TEXT PRIMARY KEY, reached TEXT)")
            self._triggers("DISABLE")

    def _triggers(self, state: LiteralString) -> None:
        for table in self._tables:
            if not table.is_words:
                self._target.execute(
                    sql.SQL("ALTER TABLE {} {} TRIGGER USER").format(
                        sql.Identifier(table.name), sql.SQL(state)
                    )
                )

    def _copied(self) -> tuple[dict[str, Contents], list[str]]:
        """The contents of the file, and the tables whose copies differ."""
        for table in self._tables:
            self._copy(table)
        return self._compare()

    def _copy(self, table: Table) -> None:
        reached = self._target.execute(
            f"SELECT reached FROM {MOVING} WHERE name = %s",  # noqa: S608 - a constant
            (table.name,),
        ).fetchone()
        after: list[Any] = json.loads(reached[0]) if reached else []
        width = len(table.key)
        cursor = self._origin.execute(table.selected(after), after)
        copied = 0
        while rows := cursor.fetchmany(_ROWS):
            with self._target.transaction():
                self._insert(table, [row[width:] for row in rows])
                self._target.execute(
                    f"INSERT INTO {MOVING} VALUES (%s, %s)"  # noqa: S608 - a constant
                    " ON CONFLICT (name) DO UPDATE SET reached = excluded.reached",
                    (table.name, json.dumps(rows[-1][:width])),
                )
            copied += len(rows)
            if copied % _TOLD_ROWS == 0:
                self._told(f"{table.name}: {copied:,} rows are copied.")

    def _insert(self, table: Table, rows: list[tuple[Any, ...]]) -> None:
        statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
            sql.Identifier(table.name), sql.SQL(", ").join(map(sql.Identifier, table.columns))
        )
        with self._target.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row([None if value is None else stored_value(value) for value in row])

    def _compare(self) -> tuple[dict[str, Contents], list[str]]:
        contents: dict[str, Contents] = {}
        differing: list[str] = []
        for table in self._tables:
            width = len(table.key)
            here = summed(row[width:] for row in self._origin.execute(table.selected()))
            with self._target.transaction():
                there = summed(rows_there(self._target, table))
            contents[table.name] = here
            if here != there:
                differing.append(table.name)
        return contents, differing

    def _finish(self) -> None:
        """Make the copy usable as a home's database. Numbering continues after the last row."""
        given = dict(self._origin.execute("SELECT name, seq FROM sqlite_sequence"))
        identities = self._target.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = %s AND is_identity = 'YES'",
            (SCHEMA,),
        ).fetchall()
        with self._target.transaction():
            for name, column in identities:
                self._target.execute(
                    sql.SQL(
                        "SELECT setval(pg_get_serial_sequence(%s, %s), reached) FROM (SELECT "
                        "greatest(max({}), %s) AS reached FROM {}) AS one WHERE reached > 0"
                    ).format(sql.Identifier(column), sql.Identifier(name)),
                    (f"{SCHEMA}.{name}", column, given.get(name, 0)),
                )
            self._triggers("ENABLE")
            self._target.execute(f"DROP TABLE {MOVING}")
