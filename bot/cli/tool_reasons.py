"""Why somebody can or can't use a tool, in words for operators; the model is never told."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from bot.app import open_read_only
from bot.cli.home_files import contacts_of, person_at_terminal
from bot.domain.runs import RunKind, RunShape
from bot.domain.tool_context import ToolScope
from bot.domain.tools import McpImplementation, ToolDefinition
from bot.errors import BotError
from bot.tools.catalog.tool_files import LoadedTool
from bot.tools.toolset.toolset import Toolset
from bot.tools.toolset.view import ToolStanding

STAGED = "readytools"


class UnknownTool(BotError):
    """No tool has this name."""


def place_of(tool: ToolDefinition) -> str:
    """Where a tool comes from: its folder, or its MCP server when no file speaks for it."""
    match tool.implementation:
        case McpImplementation(server) if tool.source is None:
            return f"mcp:{server}"
        case _:
            return tool.folder


async def tool_standing(
    home: Path,
    name: str,
    person_name: str | None,
    role: str | None,
    agent_name: str,
    shape: RunShape,
) -> str:
    """One sentence for an operator. Raises UnknownTool for an unknown agent."""
    person = person_at_terminal(await contacts_of(home), person_name, role)
    async with open_read_only(home) as house:
        agent = house.house.written.agents.get(agent_name)
        if agent is None:
            raise UnknownTool(
                unknown_name(
                    agent_name, [one.name for one in house.house.written.agents.all()], "agent"
                )
            )
        scope = ToolScope(
            person, agent.name, RunKind(shape), agent.folders, agent.specialists, agent.tools
        )
        scope = replace(
            scope,
            integrations=house.house.resolver.integrations.usable(scope),
            since=datetime.min.replace(tzinfo=UTC),
        )
        toolset: Toolset = house.house.crew.compose(agent, scope)
        standing = toolset.standing(name)
        staged = any(tool.name == name for tool in house.house.tooling.catalog.staged)
        listed = house.house.tooling.servers.definitions(scope)
        remote = next((tool for tool in listed if tool.name == name), None)
        definition = next(iter(house.house.tooling.catalog.anywhere(name)), remote)
        missing = (
            sorted(set(definition.requires) - scope.integrations) if definition is not None else []
        )
        spoken_for = _spoken_for(remote, house.house.tooling.catalog.snapshot.tools)
        while_up = _while_up(toolset.find(name))
        hindrance = toolset.hindrance(name)
        closed = toolset.closed_by(name)
        broken = [
            str(one)
            for one in house.house.tooling.catalog.problems
            if one.path.stem == name and not one.warning
        ]
    reasons = {
        ToolStanding.CALLABLE: "yes, from the first request on",
        ToolStanding.LOCKED: (
            f"yes, once it has been found with tool_search or get_capabilities{while_up}"
        ),
        ToolStanding.UNKNOWN: f"no: {_absence(name, broken, spoken_for, staged=staged)}",
        ToolStanding.FOLDER: "no: it belongs to another agent"
        + (f" (folder {definition.folder})" if definition is not None else ""),
        ToolStanding.ROLE: "no: its Access is "
        + (definition.access.describe() if definition else "for other roles"),
        ToolStanding.RUN: f"no: it does not exist in {shape} runs",
        ToolStanding.INTEGRATION: "no: it requires "
        + (", ".join(missing) or "a connector")
        + ", which is not available to them",
        ToolStanding.POLICY: (
            f"no: {f'{closed.rule} closes it ({closed.source})' if closed else 'a rule closes it'}"
        ),
        ToolStanding.UNSERVED: f"no: {hindrance or 'nothing in this installation runs it'}",
    }
    return f"{name} for {person.name} ({person.role}) through {agent_name}: {reasons[standing]}."


def _while_up(tool: ToolDefinition | None) -> str:
    match tool.implementation if tool is not None else None:
        case McpImplementation(server):
            return (
                f", while the MCP server {server} is connected (`bellhop doctor` looks; it listed "
                "the tool last time)"
            )
        case _:
            return ""


def _spoken_for(remote: ToolDefinition | None, tools: Sequence[LoadedTool]) -> str:
    """The tool file that runs a server's tool, if any."""
    names = (
        tool.definition.name
        for tool in tools
        if remote and tool.definition.implementation == remote.implementation
    )
    return next(names, "")


def _absence(name: str, broken: list[str], spoken_for: str, *, staged: bool) -> str:
    if staged:
        return f"it waits in {STAGED} for approval, and can be called by nobody until then"
    if broken:
        return f"its file is broken: {'; '.join(broken)}"
    if spoken_for:
        return f"the file of {spoken_for} replaces it"
    server = name.split("__")[1] if name.startswith("mcp__") and name.count("__") > 1 else ""
    return f"the MCP server {server} has never listed it" if server else "there is no such tool"


def unknown_name(name: str, known: list[str], what: str = "tool") -> str:
    """The error for an unknown name, with the nearest known one."""
    near = get_close_matches(name, known, n=1) or [
        one for one in known if name.casefold() in one.casefold()
    ]
    hint = (
        f"did you mean {near[0]!r}?"
        if near
        else f"`bellhop {what}s list` shows them"
        if what == "tool"
        else ""
    )
    return f"there is no {what} {name!r}; {hint or 'there are ' + ', '.join(known)}"
