"""Homes of the version before are carried over, with all that they keep."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.assembly.own_plugins import OWN
from bot.errors import StorageError
from bot.storage.home import make_database, open_database, require_current
from bot.storage.migrate import CARRIED_FROM, shipped_migrations
from bot.storage.plugin_tables import PLUGIN_TEXTS, plugin_statements
from bot.testing.filled_database import fill
from bot.testing.own_tables import open_with_own_tables
from tests.storage.carried_rows import LISTED, Rows, carried

LANDED = {
    90: "94ea379ada4a0adda898e3ef492d741a4cc46c646074a0b085651e37ebafb376",
    91: "bf59dd1d54ff239ac16ac39af1711bc3276f46dcc1d32531d22f57577c8baf93",
}
"""The digests of the migrations that homes have. A row that was on `main` never changes."""


def plain(sql: str) -> str:
    """A statement without comments and layout."""
    text = re.sub(r"\s+", " ", re.sub(r"--[^\n]*", "", sql)).strip()
    text = re.sub(r'^(CREATE TABLE )"(\w+)"', r"\1\2", text)
    return re.sub(r"(?<=\() | (?=[,)])", "", text)


def earlier_home(path: Path, before: Path) -> None:
    """Make the file of a home as the version before left it, with rows in each table."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript((before / "0089.sqlite.sql").read_text())
        fill(connection, 3)
        connection.execute(LISTED)


def rows_of(path: Path) -> Rows:
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute(
            "SELECT name FROM pragma_table_list WHERE schema = 'main'"
            " AND type IN ('table', 'virtual')"
            " AND name NOT IN ('migrations', 'sqlite_schema', 'sqlite_sequence')"
        ).fetchall()
        return {
            name: sorted(connection.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr)  # noqa: S608 - names of the schema
            for (name,) in tables
        }


def described(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        made = connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
        ).fetchall()
        applied = connection.execute("SELECT number, name, digest FROM migrations").fetchall()
    return sorted([*((*one[:3], plain(one[3])) for one in made), *applied], key=repr)


async def test_whose_rows_those_of_our_plugins_are_is_found_by_an_index(tmp_path: Path):
    file, lacking = tmp_path / "bellhop.db", list[str]()
    await (await open_with_own_tables(file)).close()
    with closing(sqlite3.connect(file)) as connection:
        for table in (table for plugin in OWN for table in plugin.tables):
            first = connection.execute(
                "SELECT i.name FROM pragma_index_list(?) AS l, pragma_index_info(l.name) AS i"
                " WHERE l.partial = 0 AND i.seqno = 0",
                (table.name,),
            ).fetchall()
            lacking += [] if (table.owner,) in first else [table.name]
    assert lacking == []


def make_plugin_tables(old: Path, new: Path) -> None:
    """Make in a new home the tables of plug-ins that a carried one has, as their plug-ins do."""
    with closing(sqlite3.connect(old)) as here, closing(sqlite3.connect(new)) as there:
        for statement in plugin_statements(here.execute(PLUGIN_TEXTS)):
            there.execute(statement)


def test_a_carried_home_has_the_tables_of_a_new_one_and_all_its_rows(tmp_path: Path, before: Path):
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    earlier_home(old, before)
    rows = rows_of(old)
    assert all(rows.values()), "each table has rows"
    make_database(old)
    make_database(new)
    make_plugin_tables(old, new)
    assert described(old) == described(new)
    assert rows_of(old) == carried(rows)
    require_current(old)


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("DELETE FROM migrations WHERE number > 88", "too old for this one .*0088_sessions_reply"),
        ("UPDATE migrations SET digest = 'x' WHERE number = 89", "start it once .*b3821a70"),
        ("DELETE FROM migrations", "its last migration is none"),
        ("INSERT INTO migrations VALUES (9000, '9000_new', '', '')", "9000_new, which this"),
    ],
)
async def test_a_home_that_cannot_be_carried_stays_as_it_is(
    tmp_path: Path, before: Path, sql: str, sentence: str
):
    path = tmp_path / "old.db"
    earlier_home(path, before)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(sql)
    was = described(path), rows_of(path)
    with pytest.raises(StorageError, match=sentence):
        await open_database(path)
    assert (described(path), rows_of(path)) == was


def test_the_first_migration_carries_over_the_version_before():
    first = shipped_migrations()[0]
    assert first.number == CARRIED_FROM + 1


def test_a_migration_that_has_landed_is_never_changed():
    assert {one.number: one.digest for one in shipped_migrations()} == LANDED
