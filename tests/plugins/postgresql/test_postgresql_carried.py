"""A database of the version before is carried over, with all its rows."""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.errors import StorageError
from bot.plugins.postgresql.connecting import SEARCHED, Server, set_up
from bot.plugins.postgresql.fitness import connected
from bot.plugins.postgresql.moving import columns_there
from bot.plugins.postgresql.preparing import ensure_jobs, look, prepare, require
from bot.plugins.postgresql.schema import of_plugin
from bot.plugins.postgresql.statements import stored_value
from bot.plugins.postgresql.tables import shared_tables
from bot.storage.plugin_tables import PLUGIN_TEXTS, plugin_statements
from bot.testing.filled_database import fill
from bot.testing.postgres_server import PostgresServer
from tests.storage.carried_rows import LISTED, Rows, carried

Connection = psycopg.Connection[tuple[Any, ...]]
ON_SERVER = Path(__file__).with_name("0089.postgresql.sql")
IN_FILE = Path(__file__).parents[2] / "storage" / "before" / "0089.sqlite.sql"

DESCRIBED = """
SELECT 'column', table_name, row_number() OVER (PARTITION BY table_name ORDER BY ordinal_position),
    concat_ws(' ', column_name, data_type, collation_name, is_nullable, column_default, is_identity)
FROM information_schema.columns WHERE table_schema = 'bellhop'
UNION ALL SELECT 'constraint', conrelid::regclass::text, 0, conname || pg_get_constraintdef(oid)
FROM pg_constraint WHERE connamespace = 'bellhop'::regnamespace
UNION ALL SELECT 'index', tablename, 0, indexdef FROM pg_indexes WHERE schemaname = 'bellhop'
UNION ALL SELECT 'trigger', tgrelid::regclass::text, 0, pg_get_triggerdef(t.oid)
FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = tgrelid
WHERE relnamespace = 'bellhop'::regnamespace AND NOT tgisinternal
UNION ALL SELECT 'function', proname, 0, pg_get_functiondef(oid)
FROM pg_proc WHERE pronamespace = 'bellhop'::regnamespace AND prokind = 'f'
UNION ALL SELECT 'view', viewname, 0, definition FROM pg_views WHERE schemaname = 'bellhop'
UNION ALL SELECT 'migration', name, number, digest FROM bellhop.migrations
ORDER BY 1, 2, 3, 4
"""


@contextmanager
def connection_to(server: Server) -> Generator[Connection]:
    with closing(connected(server)) as connection:
        set_up(connection)
        connection.execute(f"SET search_path TO {SEARCHED}")
        yield connection


def earlier_database(postgres: PostgresServer, tmp_path: Path) -> tuple[Server, Rows]:
    """A database as the version before left it, and the rows in it."""
    server = Server.at(postgres.url(postgres.database(prepared=False)))
    path = tmp_path / "old.db"
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as origin,
        connection_to(server) as there,
    ):
        origin.executescript(IN_FILE.read_text())
        fill(origin, 3)
        origin.execute(LISTED)
        ensure_jobs(there)
        there.execute(ON_SERVER.read_bytes())
        there.execute(f"SET search_path TO {SEARCHED}")
        there.execute("DELETE FROM plugin_migrations")
        tables, others = shared_tables(origin, columns_there(there))
        assert others == []
        for table in tables:
            width = len(table.key)
            listed = ", ".join(f'"{column}"' for column in table.columns)
            marks = ", ".join(["%s"] * len(table.columns))
            for row in origin.execute(table.selected()):
                values = [None if value is None else stored_value(value) for value in row[width:]]
                there.execute(
                    f'INSERT INTO "{table.name}" ({listed}) VALUES ({marks})'.encode(),  # noqa: S608 - names of the schema
                    values,
                )
    return server, rows_in(server)


def rows_in(server: Server) -> Rows:
    with connection_to(server) as there:
        return {
            name: sorted(there.execute(f'SELECT * FROM "{name}"'.encode()).fetchall(), key=repr)  # noqa: S608 - names of the schema
            for name in columns_there(there)
        }


def described(server: Server) -> list[tuple[object, ...]]:
    with connection_to(server) as there:
        return there.execute(DESCRIBED).fetchall()


def test_a_carried_database_has_the_tables_of_a_new_one_and_all_its_rows(
    postgres: PostgresServer, tmp_path: Path
):
    old, rows = earlier_database(postgres, tmp_path)
    assert all(rows.values()), "each table has rows"
    new = Server.at(postgres.url(postgres.database(prepared=False)))
    assert prepare(old) == prepare(new)
    with connection_to(old) as here, connection_to(new) as there:
        for statement in plugin_statements(here.execute(PLUGIN_TEXTS)):
            there.execute(of_plugin(statement).encode())
    assert described(old) == described(new)
    assert rows_in(old) == carried(rows)
    require(old)


def test_a_database_whose_plugins_made_no_tables_is_carried_over(
    postgres: PostgresServer, tmp_path: Path
):
    """A copy that nobody started has only what the house makes."""
    server, _ = earlier_database(postgres, tmp_path)
    with connection_to(server) as there:
        there.execute("DELETE FROM plugin_migrations")
        for table in ("mail_received", "mail_sent", "console_links", "console_sessions"):
            there.execute(f"DROP TABLE {table}".encode())
    prepare(server)
    require(server)


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("DELETE FROM migrations WHERE number > 88", "too old for this one .*0088_sessions_reply"),
        ("UPDATE migrations SET digest = 'x' WHERE number = 89", "start it once .*b3821a70"),
    ],
)
def test_a_database_that_cannot_be_carried_stays_as_it_is(
    postgres: PostgresServer, tmp_path: Path, sql: str, sentence: str
):
    server, rows = earlier_database(postgres, tmp_path)
    with connection_to(server) as there:
        there.execute(sql.encode())
    was = described(server)
    with pytest.raises(StorageError, match=sentence):
        prepare(server)
    with pytest.raises(StorageError, match="too old for this one"):
        require(server)
    assert look(server).applied
    assert (described(server), rows_in(server)) == (was, rows)
