"""`bellhop tools`: which tools there are, for whom, and what is wrong with their files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.looking import agents_of, catalog_of, contacts_of, looking, person_at_terminal, run_async
from bot.cli.options import NO_HOME, As, AsJson, Home, RoleOption
from bot.cli.printing import print_json, print_table
from bot.domain.access import Role
from bot.domain.runs import RunKind, RunShape
from bot.errors import BotError

if TYPE_CHECKING:
    from bot.domain.tools import ToolDefinition

app = typer.Typer(help="Which tools there are, and for whom.", no_args_is_help=True)

_SHORT = {
    Role.GUEST: "Guest",
    Role.BUSINESS: "Business",
    Role.FRIEND: "Friend",
    Role.PARTNER: "Partner",
    Role.MASTER_ADMIN: "Admin",
}


class UnknownTool(BotError):
    """No tool has this name."""


class BadToolFiles(BotError):
    """Some tool or agent files have errors."""


@app.command("list")
def list_(
    role: RoleOption = None,
    folder: Annotated[str | None, typer.Option(metavar="NAME", help="Only this folder, e.g. shared.")] = None,
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """List tools with the roles that may use them."""
    found = [
        tool
        for tool in run_async(_definitions(home))
        if (folder is None or tool.folder == folder) and (role is None or tool.access.allows(Role(role)))
    ]
    if as_json:
        print_json([_as_json(tool) for tool in found])
        return
    rows = [
        (tool.name, tool.folder, *("✓" if tool.access.allows(one) else "·" for one in _SHORT), tool.one_liner)
        for tool in found
    ]
    print_table(("tool", "folder", *_SHORT.values(), "for"), rows, empty="No tools fit that.")


async def _definitions(home: Path) -> "list[ToolDefinition]":
    snapshot = (await catalog_of(home)).snapshot
    return sorted((tool.definition for tool in snapshot.tools), key=lambda tool: (tool.folder, tool.name))


def _as_json(tool: "ToolDefinition") -> dict[str, Any]:
    return {
        "name": tool.name,
        "folder": tool.folder,
        "one_liner": tool.one_liner,
        "roles": [str(role) for role in _SHORT if tool.access.allows(role)],
        "aliases": list(tool.aliases),
        "risk": tool.risk,
        "requires": list(tool.requires),
        "runs": sorted(tool.runs) if tool.runs is not None else None,
        "source": tool.source,
    }


@app.command()
def show(name: Annotated[str, typer.Argument(metavar="NAME")], as_json: AsJson = False, home: Home = NO_HOME) -> None:
    """Show everything about a tool: description, parameters, roles, file."""
    every = run_async(_definitions(home))
    found = [tool for tool in every if tool.name == name or name in tool.aliases]
    if not found:
        raise UnknownTool(_unknown(name, [tool.name for tool in every]))
    if as_json:
        print_json([{**_as_json(tool), **tool.declaration()} for tool in found])
        return
    for tool in found:
        typer.secho(f"{tool.name}  ({tool.folder})", bold=True)
        typer.secho(f"{tool.source}", dim=True)
        typer.echo(f"For: {tool.access.describe()}")
        for label, values in (("Aliases", tool.aliases), ("Requires", tool.requires), ("Risk", (tool.risk,))):
            if any(values):
                typer.echo(f"{label}: {', '.join(str(value) for value in values)}")
        typer.echo(f"\n{tool.description}\n\nParameters:")
        print_json(tool.parameters)


@app.command()
def check(as_json: AsJson = False, home: Home = NO_HOME) -> None:
    """Check tool and agent files; exit code 1 when one has an error."""
    problems = run_async(_problems(home))
    if as_json:
        print_json(problems)
    for problem in [] if as_json else problems:
        typer.echo(f"{'warning' if problem['warning'] else 'error'}: {problem['text']}")
    errors = sum(not problem["warning"] for problem in problems)
    if errors:
        raise BadToolFiles(f"{errors} {'error' if errors == 1 else 'errors'} in tool and agent files; the rest works")
    if not problems and not as_json:
        typer.echo("All tool and agent files are in order.")


async def _problems(home: Path) -> list[dict[str, Any]]:
    catalog, agents = await catalog_of(home), await agents_of(home)
    of_tools = [{"text": str(problem), "warning": problem.warning} for problem in catalog.problems]
    return [*of_tools, *({"text": problem, "warning": False} for problem in agents.problems)]


@app.command()
def why(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A tool's name or alias.")],
    person: As = None,
    role: RoleOption = None,
    agent: Annotated[str, typer.Option(metavar="NAME", help="The agent that would call it.")] = "assistant",
    shape: Annotated[RunShape, typer.Option("--run", help="The kind of run.")] = RunShape.CHAT,
    home: Home = NO_HOME,
) -> None:
    """Say whether somebody could use a tool, and if not, why not."""
    typer.echo(run_async(_why(home, name, person, role, agent, shape)))


async def _why(
    home: Path, name: str, person_name: str | None, role: str | None, agent_name: str, shape: RunShape
) -> str:
    from bot.domain.tools import ToolScope  # noqa: PLC0415 - imports the house
    from bot.tools.toolset import Toolset  # noqa: PLC0415
    from bot.tools.view import Standing  # noqa: PLC0415

    person = person_at_terminal(await contacts_of(home), person_name, role)
    async with looking(home) as house:
        agent = house.agents.get(agent_name)
        if agent is None:
            raise UnknownTool(_unknown(agent_name, [one.name for one in house.agents.all()], "agent"))
        scope = ToolScope(person, agent.name, RunKind(shape), folders=agent.folders, specialists=agent.specialists)
        scope = ToolScope(
            person,
            agent.name,
            RunKind(shape),
            folders=agent.folders,
            specialists=agent.specialists,
            integrations=house.house.integrations(scope),
        )
        toolset: Toolset = house.compose(agent, scope)
        standing = toolset.standing(name)
        definition = next(iter(house.catalog.anywhere(name)), None)
        hindrance = toolset.hindrance(name)
        broken = [str(one) for one in house.catalog.problems if one.path.stem == name and not one.warning]
    reasons = {
        Standing.CALLABLE: "yes, from the first request on",
        Standing.LOCKED: "yes, once it has been found with tool_search or get_capabilities",
        Standing.UNKNOWN: "no: " + (f"its file is broken: {'; '.join(broken)}" if broken else "there is no such tool"),
        Standing.FOLDER: "no: it belongs to another agent"
        + (f" (folder {definition.folder})" if definition is not None else ""),
        Standing.ROLE: "no: its Access is " + (definition.access.describe() if definition else "for other roles"),
        Standing.RUN: f"no: it does not exist in {shape} runs",
        Standing.INTEGRATION: "no: it requires " + (", ".join(definition.requires) if definition else "a connector"),
        Standing.UNSERVED: f"no: {hindrance or 'nothing is registered that could run it'}",
    }
    return f"{name} for {person.name} ({person.role}) through {agent_name}: {reasons[standing]}."


def _unknown(name: str, known: list[str], what: str = "tool") -> str:
    from difflib import get_close_matches  # noqa: PLC0415

    near = get_close_matches(name, known, n=1) or [one for one in known if name.casefold() in one.casefold()]
    hint = f"did you mean {near[0]!r}?" if near else f"`bellhop {what}s list` shows them" if what == "tool" else ""
    return f"there is no {what} {name!r}; {hint or 'there are ' + ', '.join(known)}"
