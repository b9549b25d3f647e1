"""Agents as files: `prompts/agents/*.md`, home first, then shipped; reloaded live.

One has YAML front matter, then the persona as body (docs/rules.md#live-files).
"""

import difflib
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints, ValidationError

from bot.agents.arguments import AgentArguments
from bot.agents.settings import MAX_TURNS, AgentSettings
from bot.domain.access import Access, Role
from bot.domain.agents import AgentDefinition, RunsIn
from bot.domain.models import ModelSize
from bot.domain.runs import RunShape
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.errors import DefinitionError
from bot.skills.front_matter import FrontMatter, read_front_matter
from bot.storage.definition_files import DefinitionFile, DefinitionFiles
from bot.tools.schemas.argument_models import args_schema

log = logging.getLogger(__name__)

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


AGENT_TOOL_PREFIX = "agent_"


class AgentRegistry:
    """The agents of this installation.

    `roots` are the folders with agents' files, the home's before the shipped one.

    A file in an earlier root hides the one of the same name in a later root; with `disabled: true`
    it switches that agent off. An invalid file keeps its last valid version (or the agent that it
    would hide), for the roles that both name, and is listed in `problems`. An agent's `settings`
    win over its file.
    """

    def __init__(self, roots: Sequence[Path], settings: AgentSettings | None = None) -> None:
        self._files = DefinitionFiles(roots, "*.md", parse_agent_file, agent_access)
        self._settings = settings or AgentSettings()
        self._agents: dict[str, AgentDefinition] = {}
        self._problems: tuple[str, ...] = ()
        self._tools: dict[tuple[str, Role], tuple[ToolDefinition, ...]] = {}
        """What `tools_for` answered since the last reload."""

    async def load(self) -> None:
        """Read all files. Never raises for a broken one; see `problems`."""
        await self.reload_changed()

    async def reload_changed(self) -> bool:
        """Read new and changed files; True if the agents or their problems changed."""
        before = (self._agents, self._problems)
        known = {*self._problems, *(self.idle if self._agents else ())}
        found, problems = _merge(await self._files.reload())
        self._agents = {name: _overridden(agent, self._settings) for name, agent in found.items()}
        self._problems = problems
        self._tools.clear()
        for problem in (*self._problems, *self.idle):
            if problem not in known:
                log.warning("%s", problem)
        return (self._agents, self._problems) != before

    def get(self, name: str) -> AgentDefinition | None:
        return self._agents.get(name)

    def missing(self, name: str) -> str | None:
        """A sentence that no agent has this name, with the existing names; None if one has it."""
        if name in self._agents:
            return None
        return f"there is no agent {name!r}; there are {', '.join(sorted(self._agents)) or 'none'}"

    def all(self) -> tuple[AgentDefinition, ...]:
        """Every enabled agent, by name."""
        return tuple(self._agents[name] for name in sorted(self._agents))

    def callable_by(self, role: Role, caller: str | None = None) -> tuple[AgentDefinition, ...]:
        """The agents that `caller` (None: any) may delegate to for a person of this role."""
        return tuple(
            agent
            for agent in self.all()
            if agent.specialist
            and agent.access.allows(role)
            and (caller is None or not agent.called_by or caller in agent.called_by)
        )

    def tools_for(self, caller: str, role: Role) -> tuple[ToolDefinition, ...]:
        """The `agent_<name>` tools that an agent may see for a person of this role."""
        found = self._tools.get((caller, role))
        if found is None:
            others = [one for one in self.callable_by(role, caller) if one.name != caller]
            found = self._tools[caller, role] = tuple(agent_tool(other) for other in others)
        return found

    @property
    def problems(self) -> tuple[str, ...]:
        """Problems of the files, one sentence each, with file, line and remedy."""
        return self._problems

    @property
    def idle(self) -> tuple[str, ...]:
        """What the settings say of agents that are not there, which changes nothing."""
        return tuple(_unknown_overrides(self._agents, self._settings))


EVERY_AGENT = "agent_*"
"""The native tool that serves every `agent_<name>`; no file can have this name."""


@lru_cache(maxsize=256)
def agent_tool(definition: AgentDefinition) -> ToolDefinition:
    """The tool `agent_<name>` through which others reach this agent."""
    name = AGENT_TOOL_PREFIX + definition.name
    return ToolDefinition(
        name=name,
        description=definition.description,
        parameters=args_schema(AgentArguments),
        folder="shared",
        implementation=NativeImplementation(EVERY_AGENT),
        access=definition.access,
        words=definition.words,
        listed=definition.listed,
        source=None if definition.source is None else str(definition.source),
    )


def _overridden(agent: AgentDefinition, settings: AgentSettings) -> AgentDefinition:
    given = settings.override_of(agent.name)
    return replace(
        agent,
        turns=given.turns or agent.turns,
        max_tokens=given.max_tokens or agent.max_tokens,
        email=given.email or agent.email,
    )


def _unknown_overrides(agents: Mapping[str, AgentDefinition], settings: AgentSettings) -> list[str]:
    return [
        (
            f"agents.overrides: there is no agent {name!r}; there are "
            f"{', '.join(sorted(agents)) or 'none'}. Take it out, or add prompts/agents/{name}.md"
        )
        for name in settings.overrides
        if name not in agents
    ]


def _merge(
    roots: Iterable[list[DefinitionFile[AgentFile]]],
) -> tuple[dict[str, AgentDefinition], tuple[str, ...]]:
    files: dict[str, AgentFile] = {}
    still_for: dict[str, Access] = {}
    problems: list[str] = []
    for root in roots:
        here: dict[str, Path] = {}
        for file in root:
            if file.problem:
                problems.append(file.problem)
            if file.good is None:
                still_for[file.path.stem] = still_for.get(file.path.stem, Access()).narrowed(
                    file.access
                )
                continue
            name = file.good.name
            if name in here:
                problems.append(
                    f"{file.path}: {here[name].name} defines the agent {name} too; rename or "
                    "remove one of them"
                )
                continue
            here[name] = file.path
            files.setdefault(
                name, _held_back(file.good, file.access.narrowed(still_for.get(name, Access())))
            )
    agents = {name: file.definition for name, file in files.items() if file.definition is not None}
    return _with_known_specialists(agents), (*problems, *_unknown_specialists(agents, files))


def _held_back(file: AgentFile, access: Access) -> AgentFile:
    """The agent, limited to the people whom `access` names, too."""
    if file.definition is None:
        return file
    return replace(
        file, definition=replace(file.definition, access=file.definition.access.narrowed(access))
    )


def _with_known_specialists(agents: dict[str, AgentDefinition]) -> dict[str, AgentDefinition]:
    known = {name for name, agent in agents.items() if agent.specialist}
    return {
        name: replace(agent, specialists=tuple(one for one in agent.specialists if one in known))
        for name, agent in agents.items()
    }


def _unknown_specialists(
    agents: dict[str, AgentDefinition], files: dict[str, AgentFile]
) -> list[str]:
    """An agent that was disabled on purpose is no problem; it is just not offered."""
    problems: list[str] = []
    for agent in agents.values():
        for other in agent.specialists:
            if other not in files:
                problems.append(
                    f"{agent.source}: specialists names {other}, but there is no such agent; add"
                    f" prompts/agents/{other}.md or take the name out"
                )
            elif other in agents and not agents[other].specialist:
                problems.append(
                    f"{agent.source}: specialists names {other}, which has `specialist: false`; "
                    "take one of the two out"
                )
    return problems
