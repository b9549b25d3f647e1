"""`bellhop tools new|staged|approve|reject|history`: tools that are made, from the terminal."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.looking import looking, run_async
from bot.cli.new_files import SCRIPT, CannotMake, tool_text, write_new
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import print_found
from bot.cli.skills_import import approve, reject, staged

_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ROWS = 5_000
"""The most lines of the audit log that are searched."""


def history(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A tool or skill that was made or imported.")
    ],
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """Show each step that a tool or skill took: who, when, which content."""
    columns = {"at": "at (UTC)", "person": "by", "step": "step", "detail": "about"}
    found = run_async(_history(home, name))
    print_found(found, columns, as_json=as_json, empty="Nothing has that name.")


async def _history(home: Path, name: str) -> list[dict[str, Any]]:
    """Oldest first."""
    async with looking(home) as house:
        entries = await house.approvals.audit(_ROWS)
    return [
        {
            "at": entry.at.isoformat(sep=" "),
            "person": entry.person,
            "step": entry.kind,
            "detail": entry.detail,
        }
        for entry in reversed(entries)
        if entry.tool in {f"tool:{name}", f"skill:{name}"}
    ]


class NewToolKind(StrEnum):
    """What a new tool runs."""

    SHELL = "shell"
    HTTP = "http"
    MCP = "mcp"


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Letters, digits, _ and -.")],
    kind: Annotated[
        NewToolKind,
        typer.Option("--kind", help="A script here, a request to a web API, or a server's tool."),
    ] = NewToolKind.SHELL,
    home: Home = NO_HOME,
) -> None:
    """Make a commented tool file to fill in, in prompts/tools/shared of the home."""
    if not _TOOL_NAME.fullmatch(name):
        raise CannotMake(
            f"{name[:80]!r} can't be a tool's name: use up to 64 letters (a to z), digits, _ and -"
        )
    folder = home / "prompts" / "tools" / "shared"
    write_new(folder / f"{name}.md", tool_text(name, kind))
    if kind is NewToolKind.SHELL:
        write_new(folder / f"{name}.sh", SCRIPT, program=True)
    typer.echo("Fill it in, then type: bellhop tools check")


def register(app: typer.Typer) -> None:
    """Put the commands of this module below `bellhop tools`."""
    for command in (new, staged, approve, reject, history):
        app.command()(command)
