"""A database with rows in every table, for code that must handle all of them."""

import json
import re
import sqlite3

from bot.testing.own_tables import own_tables

_CHOICES = re.compile(r"(\w+)\s+TEXT[^,]*?CHECK\s*\(\w+ IN \(([^)]*)\)\)")
_ONE_ROW = re.compile(r"CHECK \(\w+ = 1\)")
_OF_PLUGIN = "CREATE TABLE lunch_places (name TEXT PRIMARY KEY, draws BIGINT NOT NULL)"
_BLOB = bytes(range(256))


def fill_with_plugin(connection: sqlite3.Connection, rows: int) -> None:
    """`fill`, and make the tables of our own plug-ins, and one of another, first."""
    for write in own_tables():
        connection.execute(write.sql, write.params)
    connection.execute(_OF_PLUGIN)
    connection.execute(
        "INSERT INTO plugin_migrations VALUES ('lunch', 1, '0001_places.sql', '', ?, '')",
        (json.dumps([_OF_PLUGIN]),),
    )
    fill(connection, rows)


def fill(connection: sqlite3.Connection, rows: int) -> None:
    """Insert rows into every empty table, with values of each column's type.

    Texts hold characters that are hard to copy. Raises sqlite3.Error.
    """
    tables = connection.execute(
        "SELECT l.name, s.sql FROM pragma_table_list AS l JOIN sqlite_schema AS s USING (name)"
        " WHERE l.schema = 'main' AND l.type IN ('table', 'virtual') AND l.name NOT LIKE 'sqlite_%'"
    ).fetchall()
    for name, sql in tables:
        if "USING fts5vocab" in sql or connection.execute(f'SELECT 1 FROM "{name}"').fetchone():  # noqa: S608 - names of the schema
            continue
        columns = connection.execute("SELECT name, type FROM pragma_table_info(?)", (name,))
        described = columns.fetchall()
        referred = dict[str, str](
            connection.execute(
                'SELECT "from", coalesce("to", "from") FROM pragma_foreign_key_list(?)', (name,)
            ).fetchall()
        )
        choices = {found[0]: found[1].split(",")[0].strip(" '") for found in _CHOICES.findall(sql)}
        marks = ", ".join("?" * len(described))
        for number in range(1, 2 if _ONE_ROW.search(sql) else rows + 1):
            values = [
                choices.get(column) or _value(str(referred.get(column, column)), kind, number)
                for column, kind in described
            ]
            connection.execute(f'INSERT INTO "{name}" VALUES ({marks})', values)  # noqa: S608 - names of the schema


def _value(column: str, kind: str, number: int) -> object:
    match kind:
        case "INTEGER" | "BIGINT":
            return number
        case "REAL":
            return 1 / number
        case "BLOB":
            return _BLOB[number % 256 :]
        case _:
            return f"{column} {number}\t\\N 'é北👍\n\"\0"
