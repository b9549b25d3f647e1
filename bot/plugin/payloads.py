"""For chat platforms: reads their JSON; what is missing, null or of another type is empty."""

from collections.abc import Mapping
from typing import Any, cast

from bot.chat.unreadable import Unreadable
from bot.domain.characters import plain_file_name, plain_name
from bot.domain.json_types import JsonObject, as_object, as_objects, as_values


def object_in(data: Mapping[str, Any], name: str) -> JsonObject:
    """The object of this name, or an empty one."""
    return as_object(data.get(name))


def objects_in(data: Mapping[str, Any], name: str) -> list[JsonObject]:
    """The objects of the list of this name, or none."""
    return as_objects(data.get(name))


def texts_in(data: Mapping[str, Any], name: str) -> list[str]:
    """The texts and numbers of the list of this name, or none."""
    return [str(item) for item in as_values(data.get(name)) if isinstance(item, str | int)]


def text_in(data: Mapping[str, Any], name: str) -> str:
    """The value of this name as text, or an empty text."""
    value = data.get(name)
    return "" if value is None or isinstance(value, dict | list) else str(cast("object", value))


def number_in(data: Mapping[str, Any], name: str) -> int:
    """The value of this name as a whole number of at most 63 bits, or 0."""
    try:
        number = int(str(data.get(name)))
    except ValueError:
        return 0
    return number if abs(number) < 2**63 else 0
