"""JSON files: exports of Hermes skills (docs/rules.md#imports) and function declarations."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any, cast

from bot.plugin.imports import (
    AuditedText,
    BadJson,
    Finding,
    ForeignSkill,
    ForeignTool,
    Severity,
    decode,
    read_json,
    schema_problem,
    shown,
)
from bot.plugin.tools import JsonObject
from bot.plugins.importing.formats import Format

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


_BODY = ("instructions", "content", "prompt")
_TOOLS = ("tools", "functions")
_TAKEN = frozenset({"name", "description", *_BODY, *_TOOLS})
MOST_SKILLS = 128


def read_json_file(
    path: str, data: bytes, wanted: Format
) -> tuple[tuple[ForeignSkill, ...], tuple[Finding, ...]]:
    """The skills and tools of a JSON file; what is no such thing is a finding.

    Never raises for what is in it.
    """
    text, findings = decode(data, path)
    try:
        value = read_json(text)
    except BadJson as error:
        broken = Finding(
            Severity.WARN, "json", path, error.line, f"the file {error}; it was left out"
        )
        return (), (*findings, broken)
    declared = wrapped_declarations(value) if wanted in {Format.AUTO, Format.GEMINI} else None
    if declared is not None:
        skill, trouble = _declared(declared, path, text)
        return ((skill,) if skill else ()), (*findings, *trouble)
    items = _skills(value) if wanted in {Format.AUTO, Format.HERMES} else []
    skills = [_skill(item, path, text) for item in items[:MOST_SKILLS]]
    found = tuple(skill for skill in skills if skill is not None)
    if not found:
        nothing = Finding(
            Severity.INFO,
            "json",
            path,
            1,
            "holds no skills and no function declarations; it was left out",
        )
        findings = (*findings, nothing)
    if len(items) > MOST_SKILLS:
        more = f"holds {len(items)} skills, the first {MOST_SKILLS} were taken"
        findings = (*findings, Finding(Severity.WARN, "json", path, 1, more))
    return found, findings


def _declared(
    values: list[Any], path: str, text: str
) -> tuple[ForeignSkill | None, tuple[Finding, ...]]:
    tools, findings = read_declarations(values, path, text)
    if not tools:
        return None, (
            *findings,
            Finding(Severity.WARN, "json", path, 1, "declares no function that can be a tool"),
        )
    name = tools[0].name if len(tools) == 1 else PurePosixPath(path).stem
    skill = ForeignSkill(
        name=name,
        description=f"{len(tools)} declared {'function' if len(tools) == 1 else 'functions'}.",
        body="",
        format=Format.GEMINI,
        file=path,
        tools=tools,
        auto_invoke=False,
        findings=findings,
        texts=_texts(tools),
    )
    return skill, ()


def _skills(value: Any) -> list[JsonObject]:
    if isinstance(value, dict):
        given = cast("JsonObject", value)
        inner = given.get("skills")
        return _skills(inner) if isinstance(inner, list) else [given]
    if isinstance(value, list):
        return [
            cast("JsonObject", item) for item in cast("list[Any]", value) if isinstance(item, dict)
        ]
    return []


def _skill(given: JsonObject, path: str, text: str) -> ForeignSkill | None:
    body = next((given[key].strip() for key in _BODY if isinstance(given.get(key), str)), "")
    declared = cast(
        "list[Any]",
        next((given[key] for key in _TOOLS if isinstance(given.get(key), list)), None) or [],
    )
    line = line_of(text, given)
    tools, findings = read_declarations(
        [cast("JsonObject", item) for item in declared if isinstance(item, dict)], path, text
    )
    if not body and not tools:
        return None
    named = [item for item in declared if isinstance(item, str)]
    if named:
        names = shown(", ".join(named), 300)
        note = Finding(
            Severity.INFO, "grant", path, line, f"names tools, which it is not given: {names}"
        )
        findings = (*findings, note)
    given_name = given.get("name")
    name = (
        given_name.strip()
        if isinstance(given_name, str) and given_name.strip()
        else PurePosixPath(path).stem
    )
    if name != given_name:
        findings = (
            *findings,
            Finding(
                Severity.INFO, "name", path, line, f"name is missing; {shown(name)!r} was taken"
            ),
        )
    described = given.get("description")
    description = " ".join(described.split()) if isinstance(described, str) else ""
    if not description:
        description = " ".join(body.split())[:200] or f"Tools of {name}."
        missing = "description is missing; the beginning of the instructions was taken"
        findings = (*findings, Finding(Severity.INFO, "description", path, line, missing))
    return ForeignSkill(
        name=name,
        description=description,
        body=body,
        format=Format.HERMES,
        file=path,
        line=line,
        tools=tools,
        command=name,
        x_source={
            **{key: value for key, value in given.items() if key not in _TAKEN},
            **({"tools": named} if named else {}),
        },
        findings=findings,
        texts=(_audited(path, line, f"{name}\n{description}\n{body}"), *_texts(tools)),
    )


def _texts(tools: tuple[ForeignTool, ...]) -> tuple[AuditedText, ...]:
    return tuple(
        _audited(
            tool.file, tool.line, f"{tool.name} {tool.description} {_strings(tool.parameters)}"
        )
        for tool in tools
    )


def _audited(file: str, line: int, text: str) -> AuditedText:
    return AuditedText(file, line, text, on_one_line=True)


def _strings(value: Any) -> str:
    """Every text of a schema, names included: a model reads all of them."""
    if isinstance(value, dict):
        return " ".join(
            f"{key} {_strings(item)}" for key, item in cast("JsonObject", value).items()
        )
    if isinstance(value, list):
        return " ".join(_strings(item) for item in cast("list[Any]", value))
    return str(value)
