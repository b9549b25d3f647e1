"""Translates the SQLite statements of stores into PostgreSQL.

Stores write each statement once. Only parameters, join order and the bytes of texts differ.
For SQLite's functions (`json_each`, `instr`, full text), functions.sql and schema.py make functions
of the same names.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from bot.plugin.databases import whole_characters
from bot.plugins.postgresql.schema import of_plugin

_PARTS = re.compile(
    r"'(?:[^']|'')*'"  # a string literal, which may contain a question mark
    r"|\?(?P<number>\d*)"
    r"|\b(?P<join>CROSS JOIN)\b"
    r"|\bCAST\((?P<bytes>[\w.]+) AS BLOB\)"
)


_TABLES = re.compile(r"(?:\s*--[^\n]*\n)*\s*(?:CREATE|ALTER|DROP)\s")
"""Statements of plug-ins for their tables. Those of the house are in its schema and migrations."""


def translated(sql: str, params: Sequence[Any] = ()) -> tuple[bytes, tuple[Any, ...]]:
    """A statement in PostgreSQL's dialect, with values for its driver.

    None becomes NULL in the statement itself, so it can't have a wrong type. `CROSS JOIN … ON`
    becomes `JOIN`: SQLite takes it as an order to keep, and PostgreSQL's planner knows the sizes of
    the tables.
    """
    nulls = tuple(index for index, param in enumerate(params) if param is None)
    text, order = _translated(sql, nulls)
    return text, tuple(stored_value(params[index]) for index in order)


@lru_cache(maxsize=4096)
def _translated(sql: str, nulls: tuple[int, ...]) -> tuple[bytes, tuple[int, ...]]:
    if _TABLES.match(sql):
        return of_plugin(sql).encode(), ()
    order: list[int] = []
    marks = 0

    def part(found: re.Match[str]) -> str:
        nonlocal marks
        if found["number"] is not None:
            marks += not found["number"]
            index = int(found["number"] or marks) - 1
            if index in nulls:
                return "NULL"
            if index not in order:
                order.append(index)
            return f"${order.index(index) + 1}"
        if found["join"]:
            return "JOIN"
        return f"convert_to({found['bytes']}, 'UTF8')" if found["bytes"] else found[0]

    return _PARTS.sub(part, sql).encode(), tuple(order)


def stored_value(param: Any) -> Any:
    """Make True and False numbers, and replace NUL and lone surrogates in texts."""
    if isinstance(param, str):
        return whole_characters(param).replace("\0", "\ufffd")
    return int(param) if isinstance(param, int) else param
