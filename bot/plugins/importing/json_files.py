"""JSON files: exports of Hermes skills (docs/rules.md#imports) and function declarations."""

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
    shown,
)
from bot.plugin.tools import JsonObject
from bot.plugins.importing.declarations import line_of, read_declarations, wrapped_declarations
from bot.plugins.importing.formats import Format

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
