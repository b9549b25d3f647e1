"""A server has the tables of SQLite's words, new and migrated, and packages to reach it."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from importlib import resources
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import psycopg
import pytest

from bot.errors import SettingsError, StorageError
from bot.plugins.postgresql.connecting import Server, set_up
from bot.plugins.postgresql.fitness import connected
from bot.plugins.postgresql.plugin import server_at
from bot.plugins.postgresql.preparing import migrated
from bot.plugins.postgresql.schema import in_postgresql, own_migrations
from bot.plugins.postgresql.statements import translated
from bot.storage.migrate import Migration, make_tables, migrate, schema, shipped_migrations
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


# PostgreSQL's tables are made of SQLite's words, and of no form that is not known.


NUMBERED = "id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
TEXT = 'TEXT COLLATE "C"'
MADE = [
    (
        "-- A table; not\nCREATE TABLE a (\n    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- 1, 2\n"
        "    b TEXT NOT NULL,\n    c BLOB\n);",
        f"CREATE TABLE a ({NUMBERED}, b {TEXT} NOT NULL, c BYTEA);\n",
    ),
    ("CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT;", f"CREATE TABLE a ({NUMBERED});\n"),
    (
        "CREATE TABLE a (b TEXT PRIMARY KEY, c REAL) WITHOUT ROWID;",
        f"CREATE TABLE a (b {TEXT} PRIMARY KEY, c DOUBLE PRECISION);\n",
    ),
    (
        "CREATE TABLE a (b INTEGER NOT NULL UNIQUE REFERENCES c (d), PRIMARY KEY (b, e),\n"
        "UNIQUE (e));",
        "CREATE TABLE a (b BIGINT NOT NULL UNIQUE REFERENCES c (d), PRIMARY KEY (b, e),"
        " UNIQUE (e));\n",
    ),
    (
        "CREATE TABLE a (b TEXT NOT NULL DEFAULT ', -- (' CHECK (b IN ('(',\n ')  )')), c INTEGER"
        " DEFAULT -1);",
        f"CREATE TABLE a (b {TEXT} NOT NULL DEFAULT ', -- (' CHECK (b IN ('(', ')  )')), c BIGINT"
        " DEFAULT -1);\n",
    ),
    (
        "CREATE UNIQUE INDEX a ON b (c, d)\n    WHERE c <> '' AND d IS NULL;",
        "CREATE UNIQUE INDEX a ON b (c, d) WHERE c <> '' AND d IS NULL;\n",
    ),
    (
        "CREATE VIRTUAL TABLE a USING fts5vocab (b, 'row');",
        "CREATE VIEW a AS SELECT term, doc FROM word_terms WHERE source = 'b' AND doc > 0;\n",
    ),
    ("CREATE TRIGGER a AFTER DELETE ON b\nBEGIN\n    DELETE FROM c WHERE d = old.e;\nEND;", ""),
    (
        "ALTER TABLE a ADD COLUMN b TEXT NOT NULL DEFAULT '';\nDROP INDEX c;\nDROP TABLE d;",
        f"ALTER TABLE a ADD COLUMN b {TEXT} NOT NULL DEFAULT '';\nDROP INDEX c;\nDROP TABLE d;\n",
    ),
    (
        "ALTER TABLE a RENAME TO b;\nALTER TABLE b RENAME COLUMN c TO d;\n"
        "UPDATE b SET d = 'x;  y' WHERE d = 1;",
        "ALTER TABLE a RENAME TO b;\nALTER TABLE b RENAME COLUMN c TO d;\n"
        "UPDATE b SET d = 'x;  y' WHERE d = 1;\n",
    ),
]
UNKNOWN = [
    ("PRAGMA user_version = 3;", 1, "PRAGMA user_version"),
    ("\n-- one\nCREATE TABLE a (b TEXT) STRICT, WITHOUT ROWID;", 3, "CREATE TABLE a"),
    ("CREATE TABLE a (\n    b TEXT,\n    c TEXT COLLATE NOCASE\n);", 3, "c TEXT COLLATE NOCASE"),
    ("CREATE TABLE a (\n    b VARCHAR\n);", 2, "b VARCHAR"),
    ("CREATE TABLE a (\n    b TEXT DEFAULT (date())\n);", 2, "b TEXT DEFAULT (date())"),
    ("CREATE TABLE a (b TEXT,\n\n    FOREIGN KEY (b) REFERENCES c (d));", 3, "FOREIGN KEY"),
    ("CREATE TABLE a (b TEXT);\n\nCREATE INDEX c ON a (lower(b));", 3, "CREATE INDEX c"),
    ("CREATE VIRTUAL TABLE a USING fts5 (b, tokenize = 'ascii');", 1, "CREATE VIRTUAL TABLE a"),
    ("INSERT OR IGNORE INTO a VALUES (1);", 1, "INSERT OR IGNORE INTO a"),
    ("ALTER TABLE a ADD COLUMN b;", 1, "b"),
]


@pytest.mark.parametrize(("here", "there"), MADE)
def test_each_known_form_has_its_like(here: str, there: str):
    assert in_postgresql(here, "x.sql") == there


@pytest.mark.parametrize(("script", "line", "form"), UNKNOWN)
def test_a_form_that_is_not_known_is_refused_with_its_line(script: str, line: int, form: str):
    with pytest.raises(StorageError, match=rf"x\.sql, line {line}: .*: {re.escape(form)}"):
        in_postgresql(script, "x.sql")


def test_each_trigger_of_sqlite_is_there_for_the_server_too():
    def names(script: str) -> set[str]:
        return set(re.findall(r"^CREATE TRIGGER (\w+)", script, re.MULTILINE))

    own = (resources.files("bot.plugins.postgresql") / "triggers.sql").read_text("utf-8")
    one_there = {"file_words_deleted", "collected_documents_deleted"}
    """The server's `file_words_changed` also sees deleted rows, and parts go by their key."""
    assert names(schema()) - names(own) == one_there


def test_a_plugin_s_statement_is_made_like_the_house_s_or_left_as_it_is():
    made = "-- Of x.\nCREATE TABLE x_a (b INTEGER PRIMARY KEY);"
    (text, params) = translated(made)
    assert (text.decode(), params) == (
        f"DO $made$ BEGIN\nCREATE TABLE x_a ({NUMBERED.replace('id', 'b', 1)});\nEND $made$",
        (),
    )
    own = "CREATE TABLE x_a (b VARCHAR(3));"
    assert translated(own) == (own.encode(), ())


# What PostgreSQL needs beside SQLite: its packages, and a migration for each of SQLite's.


@pytest.mark.parametrize("missing", ["psycopg_pool", "procrastinate"])
def test_a_missing_package_is_told_with_what_to_install(
    missing: str, monkeypatch: pytest.MonkeyPatch
):
    url = "postgresql://bellhop@localhost/bellhop"
    assert server_at(url).name == "PostgreSQL database bellhop at localhost:5432"

    def found(name: str) -> ModuleSpec | None:
        return None if name == missing else find_spec(name)

    monkeypatch.setattr("bot.plugins.postgresql.plugin.find_spec", found)
    with pytest.raises(SettingsError, match=r"pip install 'bellhop-assistant\[postgresql\]'"):
        server_at(url)


def test_a_server_has_the_migrations_that_a_file_has():
    here, there = (
        [one.number for one in shipped] for shipped in (shipped_migrations(), own_migrations())
    )
    assert here == there, "a migration has one file, or one for each database"
