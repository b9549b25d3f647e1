"""One agent's file: YAML front matter, then the persona as body (docs/rules.md#live-files)."""

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints, ValidationError

from bot.agents.settings import MAX_TURNS
from bot.domain.access import Access
from bot.domain.agents import AgentDefinition, RunsIn
from bot.domain.models import ModelSize
from bot.domain.runs import RunShape
from bot.errors import DefinitionError
from bot.skills.front_matter import FrontMatter, read_front_matter

NAME_CHARS = 58
"""The limit keeps `agent_<name>` within the 64 characters of a tool's name."""

_SPECIALIST_TURNS, _SPECIALIST_TOKENS = 5, 2048
_TOP_TURNS, _TOP_TOKENS = 10, 4096

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
    specialist: StrictBool = True
    called_by: tuple[_Name, ...] = ()
    listed: StrictBool = True
    tools: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    keeps_memory: StrictBool = True
    runs_in: RunsIn = RunsIn.AUTO
    email: str | None = None
    disabled: StrictBool = False
    words: str = ""
    """Phrases, separated by commas."""


@dataclass(frozen=True)
class AgentFile:
    """The content of a file: an agent, or that this agent is disabled (`disabled: true`)."""

    name: str
    definition: AgentDefinition | None


def parse_agent_file(path: Path, text: str) -> AgentFile:
    """Read one agent's file. Raises DefinitionError naming file, line and remedy."""
    front = read_front_matter(text, str(path))
    try:
        given = _FrontMatter.model_validate(front.values)
    except ValidationError as error:
        raise _invalid(front, error) from None
    name = given.name or _name_of_stem(path)
    if given.disabled:
        return AgentFile(name, None)
    if not given.description:
        raise front.bad("", "description is missing; say in one or two sentences when to call it")
    if not front.body:
        raise front.bad_at(front.body_line, "the persona is missing; write it below the second ---")
    return AgentFile(name, _definition(path, name, given, front))


def agent_access(path: Path, text: str) -> Access:
    """The agent's access alone, from a file that is otherwise invalid.

    Raises DefinitionError when that is not certain, also for a key that may be a misspelt `access`.
    """
    front = read_front_matter(text, str(path))
    given = front.values.get("access")
    unknown = [key for key in front.values if key not in _FrontMatter.model_fields]
    disabled = front.values.get("disabled")
    if not isinstance(given, str | None) or (given is None and unknown) or disabled:
        raise front.bad("access", "who may call the agent can't be read")
    return _access(front, given)


def _definition(path: Path, name: str, given: _FrontMatter, front: FrontMatter) -> AgentDefinition:
    turns, tokens = (
        (_SPECIALIST_TURNS, _SPECIALIST_TOKENS) if given.specialist else (_TOP_TURNS, _TOP_TOKENS)
    )
    return AgentDefinition(
        name=name,
        description=given.description,
        prompt=front.body,
        folders=given.folders,
        specialists=given.specialists,
        turns=given.turns or turns,
        max_tokens=given.max_tokens or tokens,
        model=given.model,
        run_shape=given.run_shape,
        access=_access(front, given.access),
        specialist=given.specialist,
        called_by=given.called_by,
        listed=given.listed,
        tools=given.tools,
        skills=given.skills,
        keeps_memory=given.keeps_memory,
        runs_in=given.runs_in,
        email=given.email,
        source=path,
        words=front.words(),
    )


def _invalid(front: FrontMatter, error: ValidationError) -> DefinitionError:
    """The first problem as a sentence with its line."""
    first = error.errors(include_url=False)[0]
    field = str(first["loc"][0]) if first["loc"] else ""
    if first["type"] == "extra_forbidden":
        near = difflib.get_close_matches(field, _FrontMatter.model_fields, 1)
        hint = (
            f"did you mean {near[0]}?"
            if near
            else f"known keys are {', '.join(_FrontMatter.model_fields)}"
        )
        return front.bad(field, f"unknown key {field}; {hint}")
    if first["type"] == "bool_type":
        return front.bad(field, f"{field} {first['input']!r} is not valid: write true or false")
    if first["type"] == "string_pattern_mismatch":
        return front.bad(
            field,
            f"{field} {first['input']!r} is not an agent's name; use lower-case letters, digits, "
            f"- and _ (at most {NAME_CHARS}), beginning with a letter",
        )
    wanted, _, _ = first["msg"].partition(", unable to ")
    return front.bad(field, f"{field} {first['input']!r} is not valid: {wanted}")


def _name_of_stem(path: Path) -> str:
    """The agent's name, from the file's name. Raises DefinitionError for an invalid name."""
    try:
        return str(_FrontMatter(name=path.stem).name)
    except ValidationError:
        raise DefinitionError(
            f"{path}, line 1: {path.stem!r} cannot be an agent's name; rename the file to "
            "lower-case letters, digits, - and _"
        ) from None


def _access(front: FrontMatter, text: str | None) -> Access:
    if text is None:
        return Access()
    try:
        return Access.parse(text)
    except ValueError as error:
        raise front.bad("access", f"access {error}") from None
