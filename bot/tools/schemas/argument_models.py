"""Clean JSON schemas of argument models, as tool files and requests carry them."""

from functools import lru_cache
from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.domain.tool_context import Arguments

_DEFS = "#/$defs/"
_NAMED = frozenset({"properties", "patternProperties", "$defs", "dependentSchemas"})
"""Keywords whose keys are chosen names, so that `title` below them is a property."""
_VERBATIM = frozenset({"default", "const", "enum", "examples", "required"})
"""Keywords whose values are data, never schemas."""


_ORDER = (
    *("type", "enum", "items", "properties", "required", "additionalProperties", "pattern"),
    *("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"),
    *("default", "description"),
)
"""The usual order of a schema's keywords; others follow."""


@lru_cache(maxsize=512)
def args_schema(model: type[Arguments]) -> JsonObject:
    """The parameters of a native tool: a self-contained object schema without noise.

    It drops titles, class docstrings, and the ban on unknown arguments, which the model itself
    enforces. It inlines `$ref`s, and writes an optional value as its plain type, because null
    counts as "not given". Raises ValueError for a model that contains itself.
    """
    raw = model.model_json_schema()
    definitions = cast("dict[str, Any]", raw.get("$defs", {}))
    top = {key: value for key, value in raw.items() if key not in {"$defs", "description"}}
    schema = cast("JsonObject", _clean(top, definitions, ()))
    schema.setdefault("properties", {})
    return schema


def _clean(node: Any, definitions: dict[str, Any], inside: tuple[str, ...]) -> Any:
    if isinstance(node, list):
        return [_clean(item, definitions, inside) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    schema = cast("dict[str, Any]", node)
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return _inlined(schema, reference, definitions, inside)
    cleaned = {
        key: _clean_value(key, value, definitions, inside)
        for key, value in schema.items()
        if key != "title" and not (key == "additionalProperties" and value is False)
    }
    return _ordered(_without_null(cleaned))


def _ordered(schema: dict[str, Any]) -> dict[str, Any]:
    return {
        **{key: schema[key] for key in _ORDER if key in schema},
        **{key: value for key, value in schema.items() if key not in _ORDER},
    }


def _clean_value(key: str, value: Any, definitions: dict[str, Any], inside: tuple[str, ...]) -> Any:
    if key in _VERBATIM:
        return value
    if key in _NAMED:
        return {name: _clean(child, definitions, inside) for name, child in value.items()}
    return _clean(value, definitions, inside)


def _inlined(
    schema: dict[str, Any], reference: str, definitions: dict[str, Any], inside: tuple[str, ...]
) -> Any:
    name = reference.removeprefix(_DEFS)
    if name in inside:
        raise ValueError(
            f"the argument model {name} contains itself; a tool's parameters must be finite"
        )
    target = {key: value for key, value in definitions[name].items() if key != "description"}
    beside = {key: value for key, value in schema.items() if key != "$ref"}
    return _clean({**target, **beside}, definitions, (*inside, name))


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    choices = cast("list[Any] | None", schema.get("anyOf"))
    if choices is None or {"type": "null"} not in choices or schema.get("default", ...) is not None:
        return schema
    left = [choice for choice in choices if choice != {"type": "null"}]
    beside = {key: value for key, value in schema.items() if key not in {"anyOf", "default"}}
    return {**left[0], **beside} if len(left) == 1 else {"anyOf": left, **beside}
