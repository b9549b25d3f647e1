"""Agents as files: `prompts/agents/*.md`, home first, then shipped; reloaded live."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from bot.agents.arguments import AgentArguments
from bot.agents.definitions.agent_file import AgentFile, agent_access, parse_agent_file
from bot.agents.settings import AgentSettings
from bot.domain.access import Access, Role
from bot.domain.agents import AgentDefinition
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.storage.definition_files import DefinitionFile, DefinitionFiles
from bot.tools.schemas.argument_models import args_schema

log = logging.getLogger(__name__)

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
