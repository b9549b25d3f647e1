"""Whether a tool's parameters are a sound schema, in words for the author of the file."""

import json
from collections.abc import Iterator
from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.tools.schemas.arguments import MAX_DEPTH, depth_of, short, shown
from bot.tools.schemas.declared import referred
from bot.tools.text.patterns import pattern_of

MAX_SCHEMA_CHARS = 100_000
MAX_PATTERNS = 200
"""The most patterns of one schema; compiling one takes a millisecond."""
_MOST_GROWTH = 16
"""The most characters that one of the source becomes in JSON of ASCII, with room to spare."""
_FOREIGN = frozenset(
    {"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "unevaluatedItems"}
)
_NAME_LISTS = frozenset({"required", "dependentRequired", "type"})
_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_TEXTS = frozenset({"description", "title", "format", "pattern"})
_COUNTS = frozenset(
    {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}
)
_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})


def schema_problem(schema: JsonObject, source: str | None = None) -> str | None:
    """Why this can't be a tool's parameters, in words for the author of the file; None when it can.

    Checked with the 2020-12 meta-schema. References must stay inside the schema, so that nothing is
    ever fetched. `source` is the schema's JSON, if it is at hand: a short one needs no measuring.
    """
    if schema.get("type") != "object":
        return 'must be the schema of an object; add "type": "object" at its top'
    if source is not None and _is_small(source):
        text = source
    elif depth_of(schema) > MAX_DEPTH:
        return f"is nested more than {MAX_DEPTH} levels deep"
    elif len(text := json.dumps(schema)) > MAX_SCHEMA_CHARS:
        return f"is longer than {MAX_SCHEMA_CHARS:,} characters"
    if is_plain(schema):
        return _foreign_problem(schema) if '"pattern"' in text else None
    return _foreign_problem(schema) or _meta_problem(schema)


def _is_small(source: str) -> bool:
    """Whether JSON is surely within the limits of a schema, and spells its keys without escapes."""
    brackets = source.count("{") + source.count("[")
    short = len(source) * _MOST_GROWTH <= MAX_SCHEMA_CHARS
    return short and brackets < MAX_DEPTH and "\\" not in source


def _foreign_problem(schema: JsonObject) -> str | None:
    if sum(map(len, map(_patterns, _objects(schema)))) > MAX_PATTERNS:
        return f"has more than {MAX_PATTERNS} patterns; use fewer"
    for part in _objects(schema):
        if foreign := _FOREIGN & part.keys() or (
            {"$schema"} & part.keys() if part is not schema else set[str]()
        ):
            return f"uses {min(foreign)}, which tools can't; write the schema out in place"
        reference = part.get("$ref")
        if isinstance(reference, str) and not _resolves(schema, reference):
            return (
                f"refers to {short(reference)!r}, which is not a part of this schema; write that "
                "part out in place"
            )
        if problem := _names_problem(part) or _pattern_problem(part):
            return problem
    return None


def _names_problem(part: JsonObject) -> str | None:
    """Check that lists of names hold only names, because comparing other values is slow."""
    for key in _NAME_LISTS & part.keys():
        said = part[key]
        lists: list[Any] = (
            list(cast("JsonObject", said).values()) if isinstance(said, dict) else [said]
        )
        for one in lists:
            if key != "required" and isinstance(one, str | dict):
                continue
            if isinstance(one, list) and not all(
                isinstance(name, str) for name in cast("list[Any]", one)
            ):
                return f"has something in {key} that is no name: {shown(one)}"
    return None


def _pattern_problem(part: JsonObject) -> str | None:
    for text in _patterns(part):
        try:
            pattern_of(text)
        except ValueError as error:
            return f"is not a valid JSON Schema: its pattern {short(text)!r} {error}"
    return None


def _patterns(part: JsonObject) -> list[str]:
    pattern, keyed = part.get("pattern"), part.get("patternProperties")
    found = [pattern] if isinstance(pattern, str) else []
    return [*found, *(cast("JsonObject", keyed) if isinstance(keyed, dict) else ())]


def _resolves(schema: JsonObject, reference: str) -> bool:
    """Whether a `#/…` reference leads to a part of the schema, and not back to itself."""
    seen: set[str] = set()
    node: Any = {"$ref": reference}
    while isinstance(node, dict) and isinstance(
        target := cast("JsonObject", node).get("$ref"), str
    ):
        if target in seen or len(seen) > MAX_DEPTH or not target.startswith("#/"):
            return False
        seen.add(target)
        node = referred(schema, target)
    return isinstance(node, dict | bool)


def _meta_problem(schema: JsonObject) -> str | None:
    from bot.tools.schemas.metered import meta_problem  # noqa: PLC0415 - loads jsonschema, which few schemas need

    found = meta_problem(schema)
    return found and f"is not a valid JSON Schema at {found[0] or 'its top'}: {short(found[1])}"


def _objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        found = cast("dict[str, Any]", node)
        yield found
        for value in found.values():
            yield from _objects(value)
    elif isinstance(node, list):
        for value in cast("list[Any]", node):
            yield from _objects(value)


def is_plain(schema: Any) -> bool:
    """Whether a schema uses only everyday keywords, each with a sound value.

    Such a schema needs no check against the meta-schema, which takes 1 ms: 10 s for a catalogue of
    10,000 files. A property test verifies that the meta-schema accepts every plain schema.
    """
    if not isinstance(schema, dict):
        return False
    for key, value in cast("dict[str, Any]", schema).items():
        if key in _TEXTS:
            plain = isinstance(value, str)
        elif key == "type":
            plain = isinstance(value, str) and value in _TYPES
        else:
            plain = _plain_keyword(key, value)
        if not plain:
            return False
    return True


def _plain_keyword(key: str, value: Any) -> bool:
    match key:
        case "default" | "x-target" | "x-kind":
            return True  # what a mark may say is checked where the file is read
        case "enum":
            return isinstance(value, list) and bool(cast("list[Any]", value))
        case "required":
            return _unique_names(value)
        case _:
            return _plain_children(key, value) or _plain_number(key, value)


def _plain_children(key: str, value: Any) -> bool:
    if key == "properties":
        return isinstance(value, dict) and all(
            is_plain(child) for child in cast("dict[str, Any]", value).values()
        )
    if key == "additionalProperties" and isinstance(value, bool):
        return True
    return key in {"items", "additionalProperties"} and is_plain(value)


def _plain_number(key: str, value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return key in _BOUNDS or (key in _COUNTS and isinstance(value, int) and value >= 0)


def _unique_names(value: Any) -> bool:
    if not isinstance(value, list):
        return False
    names = cast("list[Any]", value)
    return all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
