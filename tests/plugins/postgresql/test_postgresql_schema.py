"""A server has the tables of a SQLite file, made new and changed by a migration."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import psycopg
import pytest

from bot.errors import StorageError
from bot.plugins.postgresql.connecting import Server, set_up
from bot.plugins.postgresql.fitness import connected
from bot.plugins.postgresql.preparing import migrated
from bot.plugins.postgresql.schema import own_migrations
from bot.storage.migrate import Migration, make_tables, migrate, shipped_migrations
from bot.testing.postgres_server import PostgresServer

Tables: TypeAlias = dict[str, list[tuple[object, ...]]]
"""The columns and the indexes of each table."""
TYPES = {"TEXT": "text C", "INTEGER": "bigint", "REAL": "double precision", "BLOB": "bytea"}
ROWID = {"outbox", "tool_requests", "file_versions"}
OWN = {"commits", "changes", "word_totals", "word_terms"}
"""Tables that only a server needs."""
COLUMNS = """
SELECT table_name, column_name, concat_ws(' ', data_type, collation_name), is_nullable = 'NO',
    replace(column_default, '::text', '')
FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_schema = 'bellhop' AND table_type = 'BASE TABLE' ORDER BY table_name, ordinal_position
"""
INDEXES = """
SELECT indrelid::regclass::text, indisunique, indpred IS NOT NULL, array(
    SELECT attname::text FROM unnest(indkey) WITH ORDINALITY AS one (number, at)
    JOIN pg_attribute ON attrelid = indrelid AND attnum = number ORDER BY at)
FROM pg_index JOIN pg_class AS c ON c.oid = indrelid
WHERE relnamespace = 'bellhop'::regnamespace AND NOT indisprimary
"""


def tables_here(connection: sqlite3.Connection) -> Tables:
    """The tables of a file, without those of words."""
    found: Tables = {}
    names = connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        " AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    for (name,) in names:
        columns = connection.execute(
            'SELECT name, type, "notnull" OR pk, dflt_value FROM pragma_table_info(?)', (name,)
        ).fetchall()
        made: list[tuple[object, ...]] = [
            (column, TYPES[kind], bool(fixed), default) for column, kind, fixed, default in columns
        ]
        for index, unique, origin, partial in connection.execute(
            'SELECT name, "unique", origin, partial FROM pragma_index_list(?)', (name,)
        ).fetchall():
            if origin != "pk":
                of = connection.execute("SELECT name FROM pragma_index_info(?)", (index,))
                made.append((bool(unique), bool(partial), [column for (column,) in of]))
        found[name] = sorted_indexes(made)
    return found


def tables_there(connection: psycopg.Connection[tuple[Any, ...]]) -> Tables:
    """The tables of a server that a file has, too, without those of words."""
    found: Tables = {}
    for name, *column in connection.execute(COLUMNS).fetchall():
        found.setdefault(name, []).append(tuple(column))
    for name, *index in connection.execute(INDEXES).fetchall():
        found[name].append(tuple(index))
    for name in ROWID:
        assert [one for one in found[name] if one[0] == "rowid"] == [
            ("rowid", "bigint", True, None)
        ]
        found[name] = [one for one in found[name] if one[0] != "rowid"]
    words = {name for name, made in found.items() if ("tokens", "tsvector", True, None) in made}
    return {
        name: sorted_indexes(made) for name, made in found.items() if name not in {*OWN, *words}
    }


def sorted_indexes(made: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """The columns in their order, then the indexes in any."""
    return [one for one in made if isinstance(one[0], str)] + sorted(
        (one for one in made if not isinstance(one[0], str)), key=repr
    )


@pytest.fixture
def both(postgres: PostgresServer, tmp_path: Path):
    """Changes a new home in a file and one on a server, and returns their tables."""
    server = Server.at(postgres.url(postgres.database(prepared=False)))
    here = sqlite3.connect(tmp_path / "home.db", isolation_level=None)
    make_tables(here)
    with closing(here), closing(connected(server)) as there:
        set_up(there)

        def changed(*later: Migration) -> tuple[Tables, Tables]:
            migrate(here, [*shipped_migrations(), *later])
            migrated(there, [*own_migrations(), *later])
            return tables_here(here), tables_there(there)

        yield changed


def test_a_new_home_has_the_same_tables_in_either_database(
    both: Callable[..., tuple[Tables, Tables]],
):
    here, there = both()
    assert len(here) > 40
    assert there == here


def test_a_migration_is_written_once_for_both(both: Callable[..., tuple[Tables, Tables]]):
    before, _ = both()
    new = "CREATE TABLE later (\n    id INTEGER PRIMARY KEY,\n    what TEXT NOT NULL\n);\n"
    later = Migration(
        9000,
        "9000_storage_later.sql",
        f"{new}CREATE INDEX later_what ON later (what) WHERE what <> '';\n"
        "INSERT INTO later (what) VALUES ('x');\n"
        "ALTER TABLE todos ADD COLUMN later INTEGER NOT NULL DEFAULT 0;\n",
    )
    here, there = both(later)
    assert there == here
    assert {name for name in here if here[name] != before.get(name)} == {"later", "todos"}
    changed = Migration(later.number, later.name, later.sql, "DROP TABLE todos;")
    with pytest.raises(StorageError, match=r"9000_storage_later\.sql was changed after"):
        both(changed)
    with pytest.raises(StorageError, match=r"9001_storage_last\.sql, line 2: .*not known"):
        both(
            later,
            Migration(9001, "9001_storage_last.sql", "\nCREATE INDEX b ON later (what, id DESC);"),
        )
