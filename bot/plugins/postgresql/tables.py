"""The tables that a SQLite file and a PostgreSQL database both have, and how copies are compared.

Full text is a table like any other here: SQLite keeps the words of each row, and PostgreSQL's
triggers make its index from them.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

from bot.plugin.databases import Contents
from bot.plugins.postgresql.statements import stored_value


@dataclass(frozen=True)
class Table:
    """The columns of a table to copy, and the order of its rows."""

    name: str
    columns: tuple[str, ...]
    """Columns of both databases, including `rowid` if PostgreSQL has it as a column."""
    key: tuple[str, ...]
    """The columns that order the rows in SQLite."""
    is_words: bool
    """Whether the table is full text, whose triggers must run."""

    def selected(self, after: Sequence[Any] = ()) -> str:
        """The SQLite statement for key and columns of all rows, or of those after a key."""
        key, columns = _listed(self.key), _listed(self.columns)
        marks = ", ".join("?" * len(after))
        where = f" WHERE ({key}) > ({marks})" if after else ""
        return f'SELECT {key}, {columns} FROM "{self.name}"{where} ORDER BY {key}'  # noqa: S608 - names of the schema

    def inserted(self) -> str:
        """The SQLite statement that inserts one row."""
        marks = ", ".join("?" * len(self.columns))
        return f'INSERT INTO "{self.name}" ({_listed(self.columns)}) VALUES ({marks})'  # noqa: S608 - names of the schema


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def shared_tables(
    connection: sqlite3.Connection, there: Mapping[str, frozenset[str]]
) -> tuple[list[Table], list[str]]:
    """The tables to copy, those that others refer to first; and the names of all others.

    `there` are the columns of PostgreSQL's tables. The others are logs that were damaged and set
    aside. Raises sqlite3.Error.
    """
    found: dict[str, Table] = {}
    others: list[str] = []
    parents: dict[str, list[str]] = {}
    for name, kind, without_rowid, sql in connection.execute(
        "SELECT l.name, l.type, l.wr, s.sql FROM pragma_table_list AS l JOIN sqlite_schema AS s ON "
        "s.name = l.name WHERE l.schema = 'main' AND l.type IN ('table', 'virtual') AND l.name <> "
        "'migrations' AND substr(l.name, 1, 7) <> 'sqlite_' ORDER BY l.name"
    ).fetchall():
        if "USING fts5vocab" in sql:
            continue
        if name not in there:
            others.append(name)
            continue
        described = connection.execute("SELECT name, pk FROM pragma_table_info(?)", (name,))
        primary = dict(described.fetchall())
        keyed = sorted((place, column) for column, place in primary.items() if place)
        rowid = ["rowid"] if "rowid" in there[name] else []
        found[name] = Table(
            name,
            (*rowid, *primary),
            tuple(column for _, column in keyed) if without_rowid else ("rowid",),
            is_words=kind == "virtual",
        )
        parents[name] = [
            row[0]
            for row in connection.execute('SELECT "table" FROM pragma_foreign_key_list(?)', (name,))
        ]
    order = TopologicalSorter(parents).static_order()
    return [found[name] for name in order], others


class Summing:
    """Sums the rows of a table while they are copied."""

    def __init__(self) -> None:
        self._rows, self._sum = 0, 0

    def add(self, row: Sequence[Any]) -> tuple[Any, ...]:
        """Add a row; returns it in PostgreSQL's form."""
        values = tuple(None if value is None else stored_value(value) for value in row)
        text = json.dumps(values, separators=(",", ":"), default=bytes.hex)
        self._sum += int.from_bytes(hashlib.sha256(text.encode()).digest())
        self._rows += 1
        return values

    @property
    def contents(self) -> Contents:
        return Contents(self._rows, f"{self._sum % 2**256:064x}")


def summed(rows: Iterable[Sequence[Any]]) -> Contents:
    """Count and hash of rows."""
    summing = Summing()
    for row in rows:
        summing.add(row)
    return summing.contents
