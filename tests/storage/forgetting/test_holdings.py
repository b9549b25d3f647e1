"""Every table is either searched for forgotten words, or known to hold none."""

import sqlite3

import pytest

from bot.domain.database import OpenDatabase, Unit, Write
from bot.storage.forgetting.holdings import HOLDINGS
from bot.storage.forgetting.rows import ForgettingRows, Whose
from bot.storage.forgetting.sought import Sought
from bot.storage.migrate import make_tables
from tests.storage.forgetting.wordless import INDEXES, KEPT_ABOUT_OTHERS, WORDLESS

_SHADOWS = ("", "_config", "_content", "_data", "_docsize", "_idx")


def _columns() -> dict[str, dict[str, str]]:
    """The types of the columns of each table."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    make_tables(connection)
    tables = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    described = {
        name: dict(
            connection.execute("SELECT name, type FROM pragma_table_info(?)", (name,)).fetchall()
        )
        for (name,) in tables
    }
    connection.close()
    return described


COLUMNS = _columns()
_NUMBERS = {"INTEGER", "REAL"}


def test_every_text_column_is_classified() -> None:
    indexes = {f"{index}{shadow}" for index in INDEXES for shadow in _SHADOWS} | {"message_terms"}
    classified: dict[str, set[str]] = {}
    for holding in HOLDINGS:
        classified.setdefault(holding.table, set()).update(holding.texts)
    for known in (WORDLESS, KEPT_ABOUT_OTHERS):
        for table, columns in known.items():
            classified.setdefault(table, set()).update(columns.split())
    schema = {
        table: {column for column, kind in columns.items() if kind not in _NUMBERS}
        for table, columns in COLUMNS.items()
        if table not in indexes
    }
    missing = {
        f"{table}.{column}"
        for table, columns in schema.items()
        for column in columns - classified.get(table, set())
    }
    assert missing == set(), (
        "HOLDINGS says what holds people's words, and wordless.py what holds none"
    )
    gone = {
        f"{table}.{column}"
        for table, columns in classified.items()
        for column in columns - schema.get(table, set())
    }
    assert gone == set()


@pytest.mark.parametrize("number", range(len(HOLDINGS)))
async def test_the_statements_of_each_holding_run(database: OpenDatabase, number: int) -> None:
    holding = HOLDINGS[number]
    kinds = COLUMNS[holding.table]
    values = tuple(1 if kinds[name] in _NUMBERS else "x" for name in holding.by)
    await database.write(Unit(tuple(Write(sql, values) for sql in holding.does)))
    rows = ForgettingRows(database, Whose("ann", ("s1",)), Sought.of("word"))
    assert (await rows.count()).counts == {}
