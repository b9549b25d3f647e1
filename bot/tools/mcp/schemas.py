"""Adapts a server tool's parameters; the server itself checks the rest."""

from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.domain.targets import KIND_MARK, MARK, NAMED
from bot.tools.schemas.patterns import pattern_of

_DEPTH = 64
_LEFT_OUT = frozenset({"$schema", "unevaluatedItems", MARK, KIND_MARK})
"""A server must not mark arguments as targets: its marks could avoid questions."""
_VERBATIM = frozenset({"default", "const", "enum", "examples", "required"})


def adopted(parameters: JsonObject) -> tuple[JsonObject, int]:
    """An object's schema, and how many patterns were dropped because RE2 lacks look-around."""
    dropped: list[str] = []
    schema = cast("JsonObject", _adopt(parameters, dropped, 0))
    return {"type": "object", **schema}, len(dropped)


def _adopt(node: Any, dropped: list[str], depth: int) -> Any:
    if depth > _DEPTH:
        return node  # the schema's check refuses it
    if isinstance(node, list):
        return [_adopt(item, dropped, depth + 1) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    kept: JsonObject = {}
    for key, value in cast("JsonObject", node).items():
        if key in _LEFT_OUT or (key == "pattern" and not _readable(value, dropped)):
            continue
        if key in NAMED and isinstance(value, dict):
            below = cast("JsonObject", value).items()
            kept[key] = {name: _adopt(child, dropped, depth + 1) for name, child in below}
        else:
            kept[key] = value if key in _VERBATIM else _adopt(value, dropped, depth + 1)
    return kept


def _readable(pattern: Any, dropped: list[str]) -> bool:
    try:
        pattern_of(str(pattern))
    except ValueError:
        dropped.append(str(pattern))
        return False
    return True
