"""Reading what Slack sends: a part that is missing or null is an empty one."""

from collections.abc import Mapping
from typing import Any, cast

from bot.domain.json_types import JsonObject


def object_in(data: Mapping[str, Any], name: str) -> JsonObject:
    """The object of this name, or an empty one."""
    value = data.get(name)
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def objects_in(data: Mapping[str, Any], name: str) -> list[JsonObject]:
    """The objects of the list of this name, or none."""
    value = data.get(name)
    return (
        [cast("JsonObject", item) for item in cast("list[Any]", value) if isinstance(item, dict)]
        if isinstance(value, list)
        else []
    )


def text_in(data: Mapping[str, Any], name: str) -> str:
    """The value of this name as text, or an empty text."""
    value = data.get(name)
    return "" if value is None else str(value)
