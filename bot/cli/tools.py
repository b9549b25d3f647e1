"""`bellhop tools`: tools, their roles, problems of their files, and tools that are made."""

import asyncio
import logging
import re
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.app import open_read_only
from bot.cli.home_files import agents_of
from bot.cli.looking import catalog_of
from bot.cli.new_files import CannotMake, tool_text, write_new
from bot.cli.options import NO_HOME, As, AsJson, Home, RoleOption
from bot.cli.printing import facts, inert, print_found, print_json, print_table
from bot.cli.templates import template
from bot.cli.tool_findings import unknown_names, unseen
from bot.cli.tool_reasons import STAGED, UnknownTool, place_of, tool_standing, unknown_name
from bot.domain.access import Person, Role
from bot.domain.runs import RunShape
from bot.domain.tool_context import ToolScope
from bot.domain.tools import ToolDefinition
from bot.errors import BotError, StorageError

log = logging.getLogger(__name__)

_SHORT = {
    Role.GUEST: "Guest",
    Role.BUSINESS: "Business",
    Role.FRIEND: "Friend",
    Role.PARTNER: "Partner",
    Role.MASTER_ADMIN: "Admin",
}
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ROWS = 5_000
"""The most lines of the audit log that are searched."""


class BadToolFiles(BotError):
    """Some tool or agent files have errors."""


async def list_(
    role: RoleOption = None,
    folder: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only this folder, e.g. shared or mcp:<server>."),
    ] = None,
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """List tools with their roles.

    They are from files, MCP servers (as last listed), and staged ones.
    """
    found = [
        tool
        for tool in await _definitions(home)
        if (folder is None or place_of(tool) == folder)
        and (role is None or tool.access.allows(Role(role)))
    ]
    if as_json:
        print_json([_as_json(tool) for tool in found])
        return
    rows = [
        (tool.name, place_of(tool), *(_mark(tool, one) for one in _SHORT), tool.one_liner)
        for tool in found
    ]
    print_table(("tool", "folder", *_SHORT.values(), "for"), rows, empty="No tools match.")


async def _definitions(home: Path) -> list[ToolDefinition]:
    """By place and name. A home without a database has only files."""
    catalog = await catalog_of(home)
    found = [*(tool.definition for tool in catalog.snapshot.tools), *catalog.staged]
    # Every tool that a server ever listed, connected or not.
    ever = datetime.min.replace(tzinfo=UTC)
    since_ever = ToolScope(Person("", "", Role.MASTER_ADMIN), "", since=ever)
    try:
        async with open_read_only(home) as house:
            files = {tool.name for tool in found}
            spoken_for = {tool.implementation for tool in found}
            found += [
                tool
                for tool in house.house.tooling.servers.definitions(since_ever)
                if tool.name not in files and tool.implementation not in spoken_for
            ]
    except StorageError:
        log.info("home=<%s> | no database, so tools of MCP servers are not known", home)
    return sorted(found, key=lambda tool: (place_of(tool), tool.name))


def _mark(tool: ToolDefinition, role: Role) -> str:
    """A staged tool can be called by nobody; its roles are those it would have."""
    if not tool.access.allows(role):
        return "·"
    return "staged" if tool.folder == STAGED else "✓"


def _as_json(tool: ToolDefinition) -> dict[str, Any]:
    return facts(
        tool,
        *("name", "one_liner", "aliases", "risk", "requires", "source"),
        folder=place_of(tool),
        staged=tool.folder == STAGED,
        roles=[role for role in _SHORT if tool.access.allows(role)],
        runs=sorted(tool.runs) if tool.runs is not None else None,
    )


async def show(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """Show everything about a tool. That is its description, parameters, roles and file."""
    every = await _definitions(home)
    found = [tool for tool in every if tool.name == name or name in tool.aliases]
    if not found:
        raise UnknownTool(unknown_name(name, [tool.name for tool in every]))
    if as_json:
        print_json([{**_as_json(tool), **tool.declaration()} for tool in found])
        return
    for tool in found:
        typer.secho(f"{tool.name}  ({place_of(tool)})", bold=True)
        typer.secho(f"{tool.source or 'as its server listed it last'}", dim=True)
        typer.echo(f"For: {tool.access.describe()}")
        for label, values in (
            ("Aliases", tool.aliases),
            ("Requires", tool.requires),
            ("Risk", (tool.risk,)),
        ):
            if any(values):
                typer.echo(f"{label}: {', '.join(str(value) for value in values)}")
        typer.echo(f"\n{inert(tool.description)}\n\nParameters:")
        print_json(tool.parameters)


async def check(as_json: AsJson = False, home: Home = NO_HOME) -> None:
    """Check tool and agent files. The exit code is 1 when one has an error."""
    problems = await _problems(home)
    if as_json:
        print_json(problems)
    for problem in [] if as_json else problems:
        typer.echo(f"{'warning' if problem['warning'] else 'error'}: {problem['text']}")
    errors = sum(not problem["warning"] for problem in problems)
    if errors:
        raise BadToolFiles(
            f"{errors} {'error' if errors == 1 else 'errors'} in tool and agent files; the rest "
            "works"
        )
    if not problems and not as_json:
        typer.echo("All tool and agent files are in order.")


async def _problems(home: Path) -> list[dict[str, Any]]:
    catalog, agents = await catalog_of(home), await agents_of(home)
    of_tools = [{"text": str(problem), "warning": problem.warning} for problem in catalog.problems]
    lost = await asyncio.to_thread(unseen, home, catalog, agents)
    lost += unknown_names(catalog, agents)
    return [
        *of_tools,
        *({"text": text, "warning": True} for text in lost),
        *({"text": problem, "warning": False} for problem in agents.problems),
    ]


async def why(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A tool's name or alias.")],
    person: As = None,
    role: RoleOption = None,
    agent: Annotated[
        str, typer.Option(metavar="NAME", help="The agent that would call it.")
    ] = "assistant",
    shape: Annotated[RunShape, typer.Option("--run", help="The kind of run.")] = RunShape.CHAT,
    home: Home = NO_HOME,
) -> None:
    """Say whether somebody could use a tool, and why not."""
    typer.echo(await tool_standing(home, name, person, role, agent, shape))


class _NewToolKind(StrEnum):
    """What a new tool runs."""

    SHELL = "shell"
    HTTP = "http"
    MCP = "mcp"


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Letters, digits, _ and -.")],
    kind: Annotated[
        _NewToolKind,
        typer.Option("--kind", help="A script here, a request to a web API, or a server's tool."),
    ] = _NewToolKind.SHELL,
    home: Home = NO_HOME,
) -> None:
    """Make a commented tool file to fill in. It lies in prompts/tools/shared of the home."""
    if not _TOOL_NAME.fullmatch(name):
        raise CannotMake(
            f"{name[:80]!r} can't be a tool's name: use up to 64 letters (a to z), digits, _ and -"
        )
    folder = home / "prompts" / "tools" / "shared"
    write_new(folder / f"{name}.md", tool_text(name, kind))
    if kind is _NewToolKind.SHELL:
        write_new(folder / f"{name}.sh", template("tool.sh"), program=True)
    typer.echo("Fill it in, then type: bellhop tools check")


async def history(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A tool or skill that was made or imported.")
    ],
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """Show each step that a tool or skill took. A step says who, when, and which content."""
    columns = {"at": "at (UTC)", "person": "by", "step": "step", "detail": "about"}
    async with open_read_only(home) as house:
        newest_first = await house.approvals.audit(_ROWS)
    found = [
        facts(entry, "at", "person", "detail", step=entry.kind)
        for entry in reversed(newest_first)
        if entry.tool in {f"tool:{name}", f"skill:{name}"}
    ]
    print_found(found, columns, as_json=as_json, empty="Nothing has that name.")
