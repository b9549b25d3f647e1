"""Reads messages and blocks from outside; values of another shape count as empty."""

from typing import Any, cast

from bot.domain.json_types import JsonObject


def as_object(value: Any) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def as_values(value: Any) -> list[Any]:
    """The items of a JSON array."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_objects(value: Any) -> list[JsonObject]:
    """The objects of a JSON array; anything else in it is left out."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("JsonObject", item) for item in items if isinstance(item, dict)]


def blocks_of(holder: JsonObject | None) -> list[JsonObject]:
    """The `content` of a message or tool_result as blocks, whichever of its two forms it has."""
    content = (holder or {}).get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else as_objects(content)
