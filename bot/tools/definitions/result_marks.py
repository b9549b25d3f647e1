"""Marks in `## Result`: the fields with a record's id, its name, and what else belongs to it."""

from collections.abc import Iterator
from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.domain.targets import ID_MARK, PART_MARK, WORDS_MARK, has_mark
from bot.tools.definitions.targets import is_kind

_DEPTH = 64


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
        for mark in (ID_MARK, PART_MARK):
            if has_mark(field, mark) and not is_kind(field[mark]):
                yield f"{mark} of {name}{place} must say what kind of record it is, such as event"
        yield from _problems(field, f" of {name}{place}", depth + 1)
    yield from _problems(part.get("items"), place, depth + 1)
