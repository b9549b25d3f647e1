"""`bellhop tools staged|approve|reject|history`: what mrtool made, from the terminal."""

from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.looking import looking, run_async
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import print_json, print_table
from bot.cli.skills_import import approve, reject, staged

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
    found = run_async(_history(home, name))
    if as_json:
        print_json(found)
        return
    rows = [(str(row["at"])[:16], row["person"], row["step"], row["detail"]) for row in found]
    print_table(("at (UTC)", "by", "step", "about"), rows, empty="Nothing has that name.")


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


def register(app: typer.Typer) -> None:
    """Put the commands of this module below `bellhop tools`."""
    for command in (staged, approve, reject, history):
        app.command()(command)
