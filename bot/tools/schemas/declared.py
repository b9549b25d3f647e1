"""Finds arguments of a call that its schema doesn't declare.

Unlike JSON Schema, a schema is closed by default: undeclared arguments are refused unless it has
`additionalProperties`. Nobody has reviewed an undeclared argument. The work that one check may do,
and the words for a place, are those of `metered.py`, too.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import unquote

from bot.domain.json_types import JsonObject
from bot.domain.targets import MARK, has_mark
from bot.tools.text.patterns import matches

_ALTERNATIVES = ("allOf", "anyOf", "oneOf")
_BRANCHES = ("if", "then", "else")
_OPENING = ("additionalProperties", "unevaluatedProperties")
_PARTS_PER_UNIT = 8
MAX_WORK = 20_000
"""Work units of one check, a few tenths of a second at most.

A keyword on a value costs one unit, more if the value is long.
"""


class TooMuchWork(Exception):
    """The check exceeded its work limit."""


@dataclass
class RemainingWork:
    """The remaining work of one check."""

    left: int = MAX_WORK
    nested: int = 0

    def spend(self, units: int) -> None:
        """Raises TooMuchWork."""
        self.left -= units
        if self.left < 0:
            raise TooMuchWork


@dataclass(frozen=True)
class Undeclared:
    """Arguments at one place that the schema doesn't name."""

    place: str
    """The path of the object that holds them; empty for the arguments themselves."""
    given: JsonObject
    known: tuple[str, ...]
    open: bool
    """Whether the schema permits them."""


def undeclared(
    schema: JsonObject, arguments: JsonObject, spend: Callable[[int], None] = lambda _units: None
) -> Iterator[Undeclared]:
    """Objects without `properties` below the top are free maps, declared as a whole.

    `spend` gets the work of each place, and may raise.
    """
    waiting: list[tuple[str, list[Any], Any]] = [("", [schema], arguments)]
    while waiting:
        place, heads, value = waiting.pop()
        if not isinstance(value, dict | list):
            continue
        parts = _in_place(schema, heads)
        spend(1 + len(parts) // _PARTS_PER_UNIT)
        if isinstance(value, list):
            waiting += _items(parts, cast("list[Any]", value), place)
            continue
        strange: JsonObject = {}
        strange_open: JsonObject = {}
        closed = not place or any("properties" in part for part in parts)
        for name, item in cast("JsonObject", value).items():
            below = _declared(parts, name)
            if not below and closed:
                below = _opened(parts)
                if not below:
                    strange[name] = item
                elif not any(has_mark(one, MARK) for one in below):
                    strange_open[name] = item
            waiting.append((f"{place}.{name}" if place else name, below or _opened(parts), item))
        known = tuple(
            dict.fromkeys(name for part in parts for name in part.get("properties") or ())
        )
        for given, is_open in ((strange, False), (strange_open, True)):
            if given:
                yield Undeclared(place, given, known, is_open)


def _in_place(root: JsonObject, heads: list[Any]) -> list[JsonObject]:
    """All schemas for the same value: referenced, combined, or alternatives."""
    found: dict[int, JsonObject] = {}
    waiting = list(heads)
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict) or id(cast("JsonObject", node)) in found:
            continue
        part = cast("JsonObject", node)
        found[id(part)] = part
        if isinstance(reference := part.get("$ref"), str):
            waiting.append(referred(root, reference))
        for key in _ALTERNATIVES:
            waiting += part.get(key) or ()
        waiting += [part[key] for key in _BRANCHES if key in part]
        waiting += (part.get("dependentSchemas") or {}).values()
    return list(found.values())


def referred(root: JsonObject, reference: str) -> Any:
    """The part of a schema that a `#/…` reference names; None when there is none."""
    node: Any = root
    for step in unquote(reference.removeprefix("#").strip("/")).split("/"):
        key = step.replace("~1", "/").replace("~0", "~")
        node = (
            cast("JsonObject", node).get(key)
            if key and isinstance(node, dict)
            else node
            if not key
            else None
        )
    return node


def _declared(parts: list[JsonObject], name: str) -> list[Any]:
    found = [part["properties"][name] for part in parts if name in (part.get("properties") or {})]
    for part in parts:
        patterns: JsonObject = part.get("patternProperties") or {}
        found += [below for pattern, below in patterns.items() if matches(pattern, name)]
    return found


def _opened(parts: list[JsonObject]) -> list[Any]:
    """The schema of additional properties, if they are allowed."""
    said = [part[key] for part in parts for key in _OPENING if key in part]
    return [one for one in said if one is not False]


def _items(
    parts: list[JsonObject], value: list[Any], place: str
) -> Iterator[tuple[str, list[Any], Any]]:
    for index, item in enumerate(value):
        heads: list[Any] = []
        for part in parts:
            first: list[Any] = part.get("prefixItems") or []
            heads.append(first[index] if index < len(first) else part.get("items"))
        yield f"{place}[{index}]", heads, item


# --- words ---


def path_text(parts: Any) -> str:
    """A place in the arguments: `items[1].id`."""
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f"{'.' if text else ''}{part}"
    return text


def unexpected(names: list[str], known: Mapping[str, Any]) -> str:
    """The message about undeclared arguments."""
    shown = ", ".join(repr(name[:64]) for name in names[:5]) + (
        f" and {len(names) - 5} more" if len(names) > 5 else ""
    )
    were = "was" if len(names) == 1 else "were"
    return f"{shown} {were} unexpected (known arguments: {', '.join(known) or 'none'})"
