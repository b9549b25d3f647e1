"""INSERT statements of what has the columns of its table as fields."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from bot.domain.database import Write


def row_of(record: Any, *without: str, **written: Any) -> dict[str, Any]:
    """The columns of a record by name, the inverse of `made_of`.

    Its fields are columns, but for those in `without`; `written` says how others are stored.
    """
    kept = {one.name: getattr(record, one.name) for one in fields(record)}
    return {name: value for name, value in kept.items() if name not in without} | written


def insert_into(
    table: str, row: Mapping[str, Any], then: str = "", *, rows: int | None = None
) -> Write:
    """Store a row, by its columns; `then` is an ON CONFLICT clause."""
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    sql = f"INSERT INTO {table} ({names}) VALUES ({marks}) {then}"  # noqa: S608 - names in the code
    return Write(sql.rstrip(), tuple(row.values()), rows=rows)
