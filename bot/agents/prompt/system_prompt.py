"""The system prompt of a session epoch or a delegated run: composed once, then frozen.

See docs/rules.md#prefix.
"""

import asyncio
import logging
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.domain.agents import AgentDefinition
from bot.domain.json_types import JsonObject
from bot.domain.models import Unlock
from bot.domain.runs import RunShape
from bot.domain.sessions import text_block
from bot.domain.tool_context import ToolScope
from bot.memory.hydrate import build_memory_context
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.regular_file import not_utf8, plain_lines, read_regular_file, read_text_file
from bot.skills.library import SkillLibrary
from bot.tools.native.connector import Connector
from bot.tools.toolset.toolset import Toolset

log = logging.getLogger(__name__)

SKILLS_CHARS = 1200
CATALOGUE_TOKENS = 600
"""Room for one-liners of tools, in estimated tokens: what is left out is found by searching."""
_RUN_PARTS = {
    RunShape.CHAT: "run_chat.md",
    RunShape.RESEARCH: "run_research.md",
    RunShape.TRIGGERED: "run_autonomous.md",
    RunShape.SCHEDULED: "run_autonomous.md",
    RunShape.TODO: "run_autonomous.md",
}


@dataclass(frozen=True)
class FrozenPrefix:
    """`system` and `tools` of a request, byte-frozen for the epoch."""

    system: tuple[JsonObject, ...]
    tools: tuple[JsonObject, ...]


class PromptParts:
    """The static parts in prompts/system (home first, then shipped), reread for each epoch."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = tuple(roots)

    async def read(self, *names: str) -> list[str]:
        """The texts of some parts; empty for one that no root has."""
        return await asyncio.to_thread(lambda: [self._read(name) for name in names])

    def _read(self, name: str) -> str:
        """One that can't be read ends nobody's turn: the next root's part stands in for it."""
        for root in self._roots:
            path = root / "system" / name
            try:
                data = read_regular_file(path)
            except OSError as error:
                if os.path.lexists(path):
                    log.warning("%s", _unreadable(path, error))
                continue
            return plain_lines(data.decode(errors="replace")).strip()
        return ""

    def problems(self) -> list[str]:
        """What is wrong with each file, with the remedy; blocking."""
        found: list[str] = []
        for path in (one for root in self._roots for one in sorted(root.glob("system/*.md"))):
            try:
                read_text_file(path)
            except UnicodeDecodeError as error:
                found.append(not_utf8(path, error))
            except OSError as error:
                found.append(_unreadable(path, error))
        return found


def _unreadable(path: Path, error: OSError) -> str:
    return f"{path}: cannot be read ({error.strerror}); make it a readable text file"


class PromptBuilder:
    """Composes persona, rules, connectors' orientation, tool one-liners, skills and memory."""

    def __init__(
        self,
        parts: PromptParts,
        memory: MemoryStore,
        memory_settings: MemorySettings,
        skills: SkillLibrary,
        connectors: Sequence[Connector],
        unlock: Unlock = Unlock.INLINE,
    ) -> None:  # composed once, by build_app
        self._parts = parts
        self._memory = memory
        self._memory_settings = memory_settings
        self._skills = skills
        self._connectors = tuple(connectors)
        self._unlock = unlock

    async def part(self, name: str) -> str:
        """One static part of prompts/system, for requests without a session; empty if missing."""
        (text,) = await self._parts.read(name)
        return text

    async def build_system_prompt(
        self, agent: AgentDefinition, scope: ToolScope, toolset: Toolset
    ) -> FrozenPrefix:
        """Two system blocks: what this role and agent share, then this person's memory tiers."""
        shared = [
            agent.prompt.strip(),
            *await self._parts.read("rules.md", *_run_part(scope)),
            self._belongings(scope, toolset),
            self._catalogue(toolset),
            self._skill_listing(agent, scope),
        ]
        system = [text_block("\n\n".join(part for part in shared if part))]
        memory = await build_memory_context(
            self._memory,
            self._memory_settings,
            person=scope.person,
            agent=agent.name,
            location=scope.location,
        )
        for problem in memory.problems:
            log.warning(
                "person=<%s>, agent=<%s>, problem=<%s> | memory left out",
                scope.person.id,
                agent.name,
                problem,
            )
        if rendered := memory.render():
            system.append(text_block(rendered))
        return FrozenPrefix(tuple(system), toolset.declarations(self._unlock))

    def _belongings(self, scope: ToolScope, toolset: Toolset) -> str:
        """The one table of where things belong, with a line from each connector that stores some.

        Leaves out a line that names a tool which this person does not have there.
        """
        lines = [item.prompt_section(scope) for item in self._connectors if item.needs.met(scope)]
        kept = [line for line in lines if line and _can_be_used(line, toolset)]
        return "\n".join(["# Where things belong", *kept]) if kept else ""

    def _catalogue(self, toolset: Toolset) -> str:
        catalogue = toolset.catalogue(CATALOGUE_TOKENS)
        if not catalogue.text:
            return ""
        more = (
            f"\n({catalogue.hidden} more are found with tool_search.)" if catalogue.hidden else ""
        )
        return f"# More tools (call them, too)\n{catalogue.text}{more}"

    def _skill_listing(self, agent: AgentDefinition, scope: ToolScope) -> str:
        skills = self._skills.for_agent(
            agent.name, agent.specialist, scope.person.role, scope.run.shape, scope.integrations
        )
        if agent.skills:
            skills = tuple(skill for skill in skills if skill.name in agent.skills)
        elif agent.specialist:  # called for one task: what serves everybody it finds by search
            own = {agent.name.lower(), "all_specialists"}
            skills = tuple(skill for skill in skills if own.intersection(skill.agents))
        listing = self._skills.listing(skills, SKILLS_CHARS)
        if not listing:
            return ""
        how = (
            "read_skill"
            if scope.run.shape is RunShape.RESEARCH
            else "read_file /skills/<name>/SKILL.md"
        )
        return f"# Skills ({how} before a matching task)\n{listing}"


def _run_part(scope: ToolScope) -> tuple[str, ...]:
    """The kind of run. Nobody listens to a specialist in a chat: its caller is in the chat."""
    quiet = scope.depth and scope.run.shape is RunShape.CHAT
    return () if quiet else (_RUN_PARTS[scope.run.shape],)


def _can_be_used(line: str, toolset: Toolset) -> bool:
    """Whether every tool in a line of the prompt exists."""
    return all(
        toolset.find(name) is not None for name in re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", line)
    )
