"""Function declarations of Gemini and others, turned into schemas for tools here."""

import re
from collections.abc import Sequence
from typing import Any, cast

from bot.plugin.imports import Finding, ForeignTool, Severity, schema_problem, shown
from bot.plugin.tools import JsonObject

MOST_TOOLS = 64
_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_NOT_SCHEMA = frozenset({"propertyOrdering", "property_ordering", "nullable", "example", "title"})
_RENAMED = {
    "anyOf": "anyOf",
    "any_of": "anyOf",
    "minItems": "minItems",
    "min_items": "minItems",
    "maxItems": "maxItems",
    "max_items": "maxItems",
    "min_length": "minLength",
    "max_length": "maxLength",
    "min_properties": "minProperties",
    "max_properties": "maxProperties",
}
_COUNTS = frozenset(
    {"minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"}
)


def is_declaration(value: Any) -> bool:
    """Whether an object declares a function and nothing else."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):  # pyright: ignore[reportUnknownMemberType]
        return False
    keys = cast("JsonObject", value).keys()
    return bool(
        {"parameters", "parametersJsonSchema", "parameters_json_schema", "input_schema"} & keys
    ) and not ({"instructions", "content", "prompt", "tools", "functions"} & keys)


def wrapped_declarations(value: Any) -> list[Any] | None:
    """Declarations: bare, a list, or in `functionDeclarations` and `tools`; else None."""
    if is_declaration(value):
        return [value]
    if isinstance(value, dict):
        return _of_object(cast("JsonObject", value))
    if isinstance(value, list) and value:
        items = cast("list[Any]", value)
        if all(is_declaration(item) for item in items):
            return items
        found = [
            inner
            for item in items
            if isinstance(item, dict) and (inner := _of_object(cast("JsonObject", item)))
        ]
        return (
            [declaration for inner in found for declaration in inner]
            if len(found) == len(items)
            else None
        )
    return None


def _of_object(value: JsonObject) -> list[Any] | None:
    for key in ("functionDeclarations", "function_declarations"):
        if isinstance(value.get(key), list):
            return cast("list[Any]", value[key])
    if value.keys() & {"name", "instructions", "content", "prompt"}:
        return None
    return (
        wrapped_declarations(value.get("tools")) if isinstance(value.get("tools"), list) else None
    )


def read_declarations(
    values: Sequence[Any], file: str, text: str = ""
) -> tuple[tuple[ForeignTool, ...], tuple[Finding, ...]]:
    """The functions that can be tools, and why the others can't.

    `text` is the file, for line numbers.
    """
    tools: list[ForeignTool] = []
    findings: list[Finding] = []
    for value in values[:MOST_TOOLS]:
        line = line_of(text, value)
        try:
            tools.append(_tool(value, file, line))
        except ValueError as error:
            findings.append(
                Finding(
                    Severity.WARN, "declaration", file, line, f"a function was left out: {error}"
                )
            )
    if len(values) > MOST_TOOLS:
        more = f"{len(values)} functions are declared, the first {MOST_TOOLS} were taken"
        findings.append(Finding(Severity.WARN, "declaration", file, 1, more))
    return tuple(tools), tuple(findings)


def line_of(text: str, value: Any) -> int:
    """On which line of a JSON text an object with this name begins, as far as that can be told."""
    name = cast("JsonObject", value).get("name") if isinstance(value, dict) else None
    if not isinstance(name, str) or not text:
        return 1
    match = re.search(r'"name"\s*:\s*"' + re.escape(name[:200]), text)
    return text.count("\n", 0, match.start()) + 1 if match else 1


def _tool(value: Any, file: str, line: int) -> ForeignTool:
    if not isinstance(value, dict):
        raise ValueError("it is no object")  # noqa: TRY004 - the caller tells all of them as one finding
    given = cast("JsonObject", value)
    if isinstance(given.get("function"), dict):  # another vendor's wrapping of the same thing
        given = cast("JsonObject", given["function"])
    name = given.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ValueError("it has no name")
    described = given.get("description")
    description = described.strip() if isinstance(described, str) else ""
    ready = next(
        (
            given[k]
            for k in ("parametersJsonSchema", "parameters_json_schema", "input_schema")
            if given.get(k)
        ),
        None,
    )
    parameters = ready if ready is not None else converted(given.get("parameters"))
    parameters = cast("Any", parameters or {"type": "object", "properties": {}})
    if not isinstance(parameters, dict):
        raise ValueError(f"the parameters of {shown(name, 60)} are no schema")  # noqa: TRY004
    schema = cast("JsonObject", parameters)
    if problem := schema_problem(schema):
        raise ValueError(f"the schema of {shown(name, 60)} {problem}")
    return ForeignTool(
        name.strip(),
        description or f"{name.strip()} (no description was given).",
        schema,
        file,
        line,
    )


def converted(schema: Any) -> Any:
    """A Gemini schema as JSON Schema: lower-case types, `nullable` as a union with null."""
    if isinstance(schema, list):
        return [converted(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    given = cast("JsonObject", schema)
    result: JsonObject = {}
    for key, value in given.items():
        if key not in _NOT_SCHEMA:
            name = _RENAMED.get(key, key)
            result[name] = _value(name, value)
    if result.get("format") == "enum":
        del result["format"]
    return _nullable(result) if given.get("nullable") is True else result


def _value(key: str, value: Any) -> Any:
    if key == "type":
        return _type(value)
    if key == "properties" and isinstance(value, dict):
        return {name: converted(item) for name, item in cast("JsonObject", value).items()}
    if key in {"items", "anyOf", "additionalProperties", "allOf", "oneOf"}:
        return converted(value)
    if key in _COUNTS and isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    return value


def _type(value: Any) -> Any:
    if isinstance(value, list):
        return [_type(item) for item in cast("list[Any]", value)]
    return value.lower() if isinstance(value, str) and value.lower() in _TYPES else value


def _nullable(schema: JsonObject) -> JsonObject:
    kind = schema.get("type")
    if isinstance(kind, str) and kind != "null":
        widened: JsonObject = {**schema, "type": [kind, "null"]}
        if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
            widened["enum"] = [*cast("list[Any]", schema["enum"]), None]
        return widened
    if isinstance(schema.get("anyOf"), list):
        return {**schema, "anyOf": [*cast("list[Any]", schema["anyOf"]), {"type": "null"}]}
    return schema
