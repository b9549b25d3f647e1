"""Skills: instructions that are read on demand, and manifests that unlock tools.

See docs/rules.md#skills.
"""

from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bot.domain.access import Access, Role
from bot.domain.command_words import CommandWords
from bot.domain.confinement import Confinement
from bot.domain.runs import RunShape


@dataclass(frozen=True)
class Skill:
    """A skill with instructions.

    Listed by name and description; the body is read on demand, or comes with the words that ask
    for it, and is never put into the prompt.
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
    """The roles that may see, read and run it (`roles:`)."""
    runs: frozenset[RunShape] | None = None
    """Run shapes in which it is listed; None means all."""
    confinement: Confinement | None = None
    """Its limits (`allowed-tools:`, `hosts:`, `paths:`).

    They hold for a turn that has its text.
    """
    words: tuple[str, ...] = ()
    """Phrases that people use for it (`words:`), for searches alone."""
    family: str = ""
    """The group that it is listed with (`family:`); without one it is listed by itself."""
    example: str = ""
    """A request in a person's words that it is for (`example:`)."""
    connector: str = ""
    """The connector that ships it; only people and runs with this connector have it."""

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
    """The limits of the session while the skill is active (`confine:`)."""
    words: tuple[str, ...] = ()
    """Phrases that people use for it, for searches alone."""


class SkillScope(StrEnum):
    """Who has a slash command."""

    BUILT_IN = "built-in"
    LIBRARY = "library"
    """A skill of the operator: for everybody with the role, on every platform."""
    WORKSPACE = "workspace"
    """A shared skill: for everybody in the workspace."""
    PERSON = "person"
    """A person's own skill."""


@dataclass(frozen=True)
class SlashCommand:
    """`/name` as platforms register and complete it: `[a-z0-9_]{1,32}`, unique in each listing."""

    name: str
    description: str
    usage: str = ""
    """The argument hint, such as `[TASK]`; empty without arguments."""
    scope: SkillScope = SkillScope.BUILT_IN
    completes: bool = False
    """Whether NativeCommands.offers has something for it."""
    words: CommandWords | None = None
    """Its name and what it does in each language; None where there is one language."""
