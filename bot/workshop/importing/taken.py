"""The names of a home's skills, slash commands and tools."""

from bot.skills.library import SkillLibrary
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


def taken_names(catalog: ToolCatalog, library: SkillLibrary) -> TakenNames:
    """The names of this moment; staged tools are among them."""
    skills = library.all()
    definitions = [*(tool.definition for tool in catalog.snapshot.tools), *catalog.staged]
    return TakenNames(
        skills=frozenset(skill.name for skill in skills),
        commands=BUILT_IN_COMMANDS | {skill.command for skill in skills if skill.command},
        tools=frozenset(name for one in definitions for name in (one.name, *one.aliases)),
    )
