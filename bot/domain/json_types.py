"""JSON values for models, platforms and the journal; one of another shape counts as empty."""

from typing import Any, TypeAlias, cast

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object. Treat it as immutable once it is shared."""
JsonValue: TypeAlias = Any
"""Any JSON value: what a journalled step may return."""


def as_object(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def as_values(value: object) -> list[Any]:
    """The items of a JSON array."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_objects(value: object) -> list[JsonObject]:
    """The objects of a JSON array; anything else in it is left out."""
    return [cast("JsonObject", item) for item in as_values(value) if isinstance(item, dict)]
