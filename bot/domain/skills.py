"""Skills: prose that is read just in time, and manifests that unlock tools.

See docs/rules.md#skills.
"""

from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bot.domain.access import Access, Role
from bot.domain.confinement import Confinement
from bot.domain.runs import RunShape


@dataclass(frozen=True)
class Skill:
    """A prose skill.

    Listed by name and description; the body is read on demand, never put into the prompt.
    """

    name: str
    description: str
    path: str
    """Virtual path of its SKILL.md, `/skills/standup/SKILL.md`."""
    command: str | None = None
    auto_invoke: bool = True
    agents: tuple[str, ...] = ()
    source: Path | None = None
    access: Access = Access()
    """The roles that it is there for: others neither see, read nor run it (`roles:`)."""
    runs: frozenset[RunShape] | None = None
    """Run shapes in which it is listed; None means all."""
    confinement: Confinement | None = None
    """What it may use (`allowed-tools:`, `hosts:`, `paths:`).

    A turn that has its text is held to it.
    """
    connector: str = ""
    """The connector that ships it: it is there only for people and runs that have the connector."""

    def is_open(self, role: Role, connected: Container[str]) -> bool:
        """Whether somebody with this role and these connectors may see, read and run it."""
        return self.access.allows(role) and (not self.connector or self.connector in connected)


@dataclass(frozen=True)
class SkillManifest:
    """A file `skills/<skill_id>.json`, with an optional purpose and optional roles."""

    skill_id: str
    name: str
    required_tools: tuple[str, ...]
    default_ants: int | None = None
    max_parallel: int | None = None
    source: Path | None = None
    description: str = ""
    access: Access = Access()
    confinement: Confinement | None = None
    """`confine:` holds the session to it while the skill is active."""


class SkillScope(StrEnum):
    """For whom a slash command is there."""

    BUILT_IN = "built-in"
    LIBRARY = "library"
    """A skill in the operator's files: for everybody with its role, on every platform."""
    WORKSPACE = "workspace"
    """A skill that somebody shared: for everybody of that workspace."""
    PERSON = "person"
    """A person's own skill: for nobody else."""


@dataclass(frozen=True)
class SlashCommand:
    """`/name` as platforms register and complete it: `[a-z0-9_]{1,32}`, unique in each listing."""

    name: str
    description: str
    usage: str = ""
    """What may follow the name, such as `[TASK]`; empty when nothing does."""
    scope: SkillScope = SkillScope.BUILT_IN
