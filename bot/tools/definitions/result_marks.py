"""Marks in `## Result`: the field with a record's id, and the fields with its name."""

import re
from collections.abc import Iterator
from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.domain.targets import ID_MARK, WORDS_MARK

_DEPTH = 64


def has_mark(field: Any, mark: str) -> bool:
    """Whether a field of a schema bears a mark."""
    return isinstance(field, dict) and bool(cast("JsonObject", field).get(mark))


def result_problem(schema: JsonObject) -> str:
    """The problem of the marks in a result's schema; empty without one."""
    return next(_problems(schema, "", 0), "")


def _problems(schema: Any, place: str, depth: int) -> Iterator[str]:
    if not isinstance(schema, dict) or depth > _DEPTH:
        return
    part = cast("JsonObject", schema)
    fields = cast("JsonObject", part.get("properties") or {})
    marked = [name for name, field in fields.items() if has_mark(field, ID_MARK)]
    if len(marked) > 1:
        yield (
            f"marks {' and '.join(marked)}{place} as ids of one record; mark the record's own id "
            "alone"
        )
    if marked and not any(has_mark(field, WORDS_MARK) for field in fields.values()):
        yield (
            f"marks the id {marked[0]}{place} but no field as {WORDS_MARK}; nobody could name that "
            "record"
        )
    for name, field in fields.items():
        if has_mark(field, ID_MARK) and not re.fullmatch(
            r"[a-z][a-z0-9_]{0,39}", str(field[ID_MARK])
        ):
            yield f"{ID_MARK} of {name}{place} must say what kind of record it is, such as event"
        yield from _problems(field, f" of {name}{place}", depth + 1)
    yield from _problems(part.get("items"), place, depth + 1)
