"""The names of a home's skills, slash commands and tools."""

from collections.abc import Iterable
from typing import Protocol

from bot.domain.skills import Skill
from bot.tools.catalog.catalog import ToolCatalog
from bot.workshop.importing.names import TakenNames

BUILT_IN_COMMANDS = frozenset(
    {
        "help",
        "new",
        "end",
        "compact",
        "stop",
        "status",
        "why",
        "approve",
        "reject",
        "skill",
        "skills",
        "tools",
        "memory",
    }
)
"""Built-in slash commands, whatever a platform registers."""


class Library(Protocol):
    """As much of the library of skills as its names need."""

    def all(self) -> Iterable[Skill]: ...


def taken_names(catalog: ToolCatalog, library: Library) -> TakenNames:
    """The names of this moment; staged tools are among them."""
    skills = tuple(library.all())
    definitions = [*(tool.definition for tool in catalog.snapshot.tools), *catalog.staged]
    return TakenNames(
        skills=frozenset(skill.name for skill in skills),
        commands=BUILT_IN_COMMANDS | {skill.command for skill in skills if skill.command},
        tools=frozenset(name for one in definitions for name in (one.name, *one.aliases)),
    )
