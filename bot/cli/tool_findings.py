"""Tools that no agent sees, and names in agents' files and in policy.yaml that name nothing."""

import difflib
from pathlib import Path

from bot.agents.definitions.registry import AgentRegistry
from bot.cli.tool_reasons import STAGED
from bot.domain.places import NameKind
from bot.domain.platforms import KnownPlatforms
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.policy.file import Policy

_SHARED = "shared"
_ELSEWHERE = ("mcp__", "agent_")
"""Begin names of tools without a file: those of MCP servers, and agents that are called."""


def unseen(home: Path, catalog: ToolCatalog, agents: AgentRegistry) -> list[str]:
    """A sentence with the remedy for each file outside a folder, and each folder of no agent.

    Blocking.
    """
    tools = home / "prompts" / "tools"
    known = {_SHARED, STAGED}
    for agent in agents.all():
        known |= {agent.name, *agent.folders}
    try:
        loose = sorted(tools.glob("*.md"))
    except OSError:  # the catalogue names the folder
        loose = []
    told = [
        f"{file}: no agent sees a tool outside a folder; move it into {tools / _SHARED}"
        for file in loose
    ]
    for folder in sorted(set(catalog.snapshot.folders) - known):
        near = difflib.get_close_matches(folder, sorted(known), n=1)
        meant = f"did you mean {near[0]}?" if near else "move them into shared"
        told.append(
            f"{tools / folder}: no agent sees the tools of this folder; {meant} (or name it in"
            " `folders:` of an agent's file)"
        )
    return told


def unknown_names(catalog: ToolCatalog, agents: AgentRegistry) -> list[str]:
    """A sentence for each agent and tool that an agent's file names and that is not there."""
    known = [agent.name for agent in agents.all()]
    tools = _names(catalog)
    told: list[str] = []
    for agent in agents.all():
        callers = [name for name in agent.called_by if name not in known]
        missing = [name for name in agent.tools if _is_missing(name, tools)]
        told += [
            f"{agent.source}: called_by: there is no agent {name!r}{_meant(name, known)}"
            for name in callers
        ]
        told += [
            f"{agent.source}: tools: there is no tool {name!r}{_meant(name, tools)}"
            for name in missing
        ]
    return told


def rules_without_tools(policy: Policy, catalog: ToolCatalog) -> list[str]:
    """A sentence for each tool that a rule names and that is not there."""
    tools = _names(catalog)
    return [
        f"{rule.source}: rule {rule.name!r} names a tool {pattern.glob!r} that is not there"
        f"{_meant(pattern.glob, tools)}"
        for rule in policy.rules
        for pattern in rule.scope.tools
        if pattern.glob is not None
        and _is_missing(pattern.glob, tools)
        and not any(pattern.fits(name) for name in tools)
    ]


def rules_without_platforms(policy: Policy, platforms: KnownPlatforms) -> list[str]:
    """A sentence for each platform that policy.yaml names and that is not there."""
    known = [one.name for one in platforms]
    named = [
        *((f"{one.source}: rule {one.name!r}", one.scope.places) for one in policy.rules),
        *((f"policy.yaml: output {one.name!r}", one.scope.places) for one in policy.outputs),
        *((f"{one.source}: place {one.name!r}", one.where) for one in policy.places),
    ]
    return [
        f"{where} names a platform {place.value!r} that is not there{_meant(place.value, known)}"
        for where, places in named
        for place in places or ()
        if place.kind is NameKind.PLATFORM and place.value not in platforms
    ]


def _names(catalog: ToolCatalog) -> list[str]:
    live = (tool.definition for tool in catalog.snapshot.tools)
    return sorted(
        {name for tool in (*live, *catalog.staged) for name in (tool.name, *tool.aliases)}
    )


def _is_missing(name: str, tools: list[str]) -> bool:
    return "*" not in name and not name.startswith(_ELSEWHERE) and name not in tools


def _meant(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
