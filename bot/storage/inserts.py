"""Statements that many tables have: storing a record, looking for an id, deleting what is old."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from bot.clock import format_utc
from bot.domain.database import Database, Write


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


def purge_of(table: str, key: str, moment: str, also: str = "") -> Callable[[datetime], Write]:
    """What deletes some rows whose column `moment` is before a time, and returns their keys.

    `also`: a further condition.
    """
    more = f" AND {also}" if also else ""
    sql = (
        f"DELETE FROM {table} WHERE ({key}) IN"  # noqa: S608 - names in the code
        f" (SELECT {key} FROM {table} WHERE {moment} < ?{more} LIMIT 200) RETURNING {key}"
    )
    return lambda before: Write(sql, (format_utc(before),))


def taken_in(
    database: Database, table: str, column: str = "id"
) -> Callable[[str], Awaitable[bool]]:
    """Whether a row has an id, for `new_id`."""
    sql = f"SELECT 1 AS found FROM {table} WHERE {column} = ?"  # noqa: S608 - names in the code

    async def taken(value: str) -> bool:
        return await database.read_one(sql, (value,)) is not None

    return taken
