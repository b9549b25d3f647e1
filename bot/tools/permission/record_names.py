"""The names of the things that a call gives by their ids, as its session read them before.

They are for reading on a card alone: they vouch for nothing. A name counts if results of the same
service give just one for that id, so another text can't put its own there.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

from bot.domain.card_words import titled
from bot.domain.json_types import JsonObject
from bot.domain.tools import McpImplementation, ToolDefinition
from bot.tools.text.stemming import stem

SHOWN = 10
_TITLES = ("title", "name", "subject", "summary", "displayName", "full_name")
_DATES = ("due", "date", "start", "startTime", "when", "at", "created_at", "received_at")
_ID_CHARS = 200
_DEPTH = 12
_JSON = json.JSONDecoder()


def names_of(
    definition: ToolDefinition,
    arguments: JsonObject,
    results: Iterable[tuple[str, str]],
    find: Callable[[str], ToolDefinition | None],
) -> tuple[str, ...]:
    """A line for each id among the arguments: `number 102: “Login fails”, 2026-11-20`.

    `results`: the tools that answered in the session, each with its text.
    """
    wanted = {field: str(value) for field, value in arguments.items() if _is_id(value)}
    if not wanted:
        return ()
    found: dict[str, dict[str, str]] = {}
    for tool, text in results:
        if not _related(definition, find(tool), tool):
            continue
        for record in _records(text):
            for field, value in wanted.items():
                if _has(record, field, value) and (name := _name(record)):
                    found.setdefault(field, {})[name] = _date(record)
    named = {field: names for field, names in found.items() if len(names) == 1}
    return tuple(
        f"{field} {wanted[field]}: {titled(name)}{f', {date}' if date else ''}"
        for field, names in named.items()
        for name, date in names.items()
    )[:SHOWN]


def _related(definition: ToolDefinition, other: ToolDefinition | None, name: str) -> bool:
    """Whether two tools serve the same things: their file or their server says so."""
    if name == definition.name:
        return True
    mine, theirs = definition.implementation, other.implementation if other else None
    if isinstance(mine, McpImplementation) or isinstance(theirs, McpImplementation):
        return (
            isinstance(mine, McpImplementation)
            and isinstance(theirs, McpImplementation)
            and mine.server == theirs.server
        )
    if other is not None and set(definition.requires) & set(other.requires):
        return True
    return bool(_parts(definition.name) & _parts(name))


def _parts(name: str) -> set[str]:
    return {stem(part) for part in re.split(r"[_-]", name.casefold()) if len(part) > 2} - _VERBS


_VERBS = {
    stem(verb)
    for verb in (
        *("get", "list", "read", "search", "find", "show", "look", "create", "add", "make", "new"),
        *("write", "update", "edit", "change", "set", "close", "open", "delete", "remove", "send"),
        *("manage", "run", "call", "store", "fetch"),
    )
}


def _is_id(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    return 0 < len(str(value)) <= _ID_CHARS and not re.search(r"\s", str(value))


def _records(text: str) -> Iterator[JsonObject]:
    try:
        value, _ = _JSON.raw_decode(text)
    except (ValueError, RecursionError):
        return
    yield from _objects(value, 0)


def _objects(value: Any, depth: int) -> Iterator[JsonObject]:
    if depth > _DEPTH:
        return
    if isinstance(value, dict):
        yield cast("JsonObject", value)
        for child in cast("JsonObject", value).values():
            yield from _objects(child, depth + 1)
    elif isinstance(value, list):
        for child in cast("list[Any]", value):
            yield from _objects(child, depth + 1)


def _has(record: JsonObject, field: str, value: str) -> bool:
    """`pageId` and `page_id` of a call are the `id` of a record."""
    fields: Sequence[str] = (field, "id") if re.search(r"(^i|_i|I)d$", field) else (field,)
    return any(_is_id(record.get(one)) and str(record[one]) == value for one in fields)


def _name(record: JsonObject) -> str:
    texts = (record.get(field) for field in _TITLES)
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def _date(record: JsonObject) -> str:
    texts = (record.get(field) for field in _DATES)
    found = next((text for text in texts if isinstance(text, str) and text.strip()), "")
    return " ".join(found.split())[:40]
