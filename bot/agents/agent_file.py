"""One agent's file: YAML front matter, then the persona as body (docs/rules.md#live-files)."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from bot.domain.access import Access
from bot.domain.agents import AgentDefinition, RunsIn
from bot.domain.models import ModelSize
from bot.domain.runs import RunShape
from bot.errors import DefinitionError
from bot.yaml_file import TreeLoader

NAME_CHARS = 58
"""So that `agent_<name>` stays within the 64 characters of a tool's name."""
MAX_TURNS = 20
"""The hard ceiling of model calls in one run."""

_SPECIALIST_TURNS, _SPECIALIST_TOKENS = 5, 2048
_TOP_TURNS, _TOP_TOKENS = 10, 4096
_FENCE = "---"

_Name = Annotated[str, StringConstraints(pattern=rf"^[a-z][a-z0-9_-]{{0,{NAME_CHARS - 1}}}$")]


class _FrontMatter(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: _Name | None = None
    description: Annotated[str, StringConstraints(strip_whitespace=True)] = ""
    folders: tuple[str, ...] = ()
    specialists: tuple[_Name, ...] = ()
    turns: int | None = Field(default=None, ge=1, le=MAX_TURNS)
    max_tokens: int | None = Field(default=None, ge=256, le=128_000)
    model: ModelSize = ModelSize.MAIN
    run_shape: RunShape | None = None
    access: str | None = None
    specialist: bool = True
    called_by: tuple[_Name, ...] = ()
    tools: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    keeps_memory: bool = True
    runs_in: RunsIn = RunsIn.AUTO
    email: str | None = None
    disabled: bool = False


@dataclass(frozen=True)
class AgentFile:
    """The content of a file: an agent, or (`disabled: true`) that this agent is switched off."""

    name: str
    definition: AgentDefinition | None


def parse_agent_file(path: Path, text: str) -> AgentFile:
    """Read one agent's file. Raises DefinitionError naming file, line and remedy."""
    front, body, body_line = _split(path, text)
    keys = _key_lines(path, front)
    data = _load(path, front)
    try:
        given = _FrontMatter.model_validate(data)
    except ValidationError as error:
        raise _invalid(path, error, keys) from None
    name = given.name or _name_of_stem(path)
    if given.disabled:
        return AgentFile(name, None)
    if not given.description:
        raise DefinitionError(
            f"{path}:{keys.get('description', 1)}: description is missing; say in one or two "
            f"sentences when to call it"
        )
    if not body:
        raise DefinitionError(
            f"{path}:{body_line}: the persona is missing; write it below the second ---"
        )
    return AgentFile(name, _definition(path, name, given, body, keys))


def agent_access(path: Path, text: str) -> Access:
    """Only who may call the agent, of a file that can't be read as a whole.

    Raises DefinitionError when that is not certain, also for a key that may be a misspelt `access`.
    """
    front, _, _ = _split(path, text)
    keys, data = _key_lines(path, front), _load(path, front)
    given = data.get("access")
    unknown = [key for key in keys if key not in _FrontMatter.model_fields]
    if not isinstance(given, str | None) or (given is None and unknown) or data.get("disabled"):
        raise DefinitionError(
            f"{path}:{keys.get('access', 1)}: who may call the agent can't be read"
        )
    return _access(path, given, keys)


def _definition(
    path: Path, name: str, given: _FrontMatter, body: str, keys: Mapping[str, int]
) -> AgentDefinition:
    turns, tokens = (
        (_SPECIALIST_TURNS, _SPECIALIST_TOKENS) if given.specialist else (_TOP_TURNS, _TOP_TOKENS)
    )
    return AgentDefinition(
        name=name,
        description=given.description,
        prompt=body,
        folders=given.folders,
        specialists=given.specialists,
        turns=given.turns or turns,
        max_tokens=given.max_tokens or tokens,
        model=given.model,
        run_shape=given.run_shape,
        access=_access(path, given.access, keys),
        specialist=given.specialist,
        called_by=given.called_by,
        tools=given.tools,
        skills=given.skills,
        keeps_memory=given.keeps_memory,
        runs_in=given.runs_in,
        email=given.email,
        source=path,
    )


def _split(path: Path, text: str) -> tuple[str, str, int]:
    """Front matter, body, and the line on which the body begins."""
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].rstrip() != _FENCE:
        raise DefinitionError(
            f"{path}:1: the front matter is missing; begin the file with the lines ---, "
            f"description: …, ---"
        )
    end = next(
        (number for number, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None
    )
    if end is None:
        raise DefinitionError(f"{path}:1: the front matter has no end; close it with a line ---")
    return "\n".join(lines[1:end]), "\n".join(lines[end + 1 :]).strip(), end + 2


def _load(path: Path, front: str) -> dict[str, Any]:
    data = yaml.load(front, Loader=TreeLoader)  # noqa: S506 - a SafeLoader
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise DefinitionError(f"{path}:2: the front matter is not a list of `key: value` lines")
    return cast("dict[str, Any]", data)


def _key_lines(path: Path, front: str) -> dict[str, int]:
    """The line of each key in the file.

    Raises DefinitionError for broken YAML and for a key that stands twice.
    """
    try:
        node = yaml.compose(front, Loader=TreeLoader)
        yaml.load(front, Loader=TreeLoader)  # noqa: S506 - a SafeLoader
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 2
        raise DefinitionError(
            f"{path}:{line}: the front matter is not valid YAML: {error.problem}"
        ) from None
    except (yaml.YAMLError, ValueError) as error:
        raise DefinitionError(f"{path}:2: the front matter is not valid YAML: {error}") from None
    lines: dict[str, int] = {}
    if isinstance(node, yaml.MappingNode):
        for key, _ in node.value:
            line = key.start_mark.line + 2
            if key.value in lines:
                raise DefinitionError(
                    f"{path}:{line}: {key.value} is given twice; keep one of the two"
                )
            lines[str(key.value)] = line
    return lines


def _invalid(path: Path, error: ValidationError, keys: Mapping[str, int]) -> DefinitionError:
    """The first problem as a sentence with its line."""
    first = error.errors(include_url=False)[0]
    field = str(first["loc"][0]) if first["loc"] else ""
    place = f"{path}:{keys.get(field, 2)}"
    if first["type"] == "extra_forbidden":
        near = difflib.get_close_matches(field, _FrontMatter.model_fields, 1)
        hint = (
            f"did you mean {near[0]}?"
            if near
            else f"known keys are {', '.join(_FrontMatter.model_fields)}"
        )
        return DefinitionError(f"{place}: unknown key {field}; {hint}")
    if first["type"] == "string_pattern_mismatch":
        return DefinitionError(
            f"{place}: {field} {first['input']!r} is not an agent's name; use lower-case letters, "
            f"digits, - and _"
            f" (at most {NAME_CHARS}), beginning with a letter"
        )
    return DefinitionError(f"{place}: {field} {first['input']!r} is not valid: {first['msg']}")


def _name_of_stem(path: Path) -> str:
    """The file's name is the agent's. Raises DefinitionError when it cannot be one."""
    try:
        return str(_FrontMatter(name=path.stem).name)
    except ValidationError:
        raise DefinitionError(
            f"{path}:1: {path.stem!r} cannot be an agent's name; rename the file to lower-case "
            f"letters, digits, - and _"
        ) from None


def _access(path: Path, text: str | None, keys: Mapping[str, int]) -> Access:
    if text is None:
        return Access()
    try:
        return Access.parse(text)
    except ValueError as error:
        raise DefinitionError(f"{path}:{keys.get('access', 2)}: access {error}") from None
