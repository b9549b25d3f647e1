"""`bellhop examples`: sets of agents, tools and skills that a home can take over."""

from typing import Annotated

import typer

from bot.cli import example_sets as sets
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import print_json, print_table

Name = Annotated[str, typer.Argument(metavar="SET")]


def list_(as_json: AsJson = False, home: Home = NO_HOME) -> None:
    """List the sets, and which this home has."""
    have = sets.installed(home)
    rows = [
        {
            "name": one.name,
            "installed": one.name in have,
            "about": one.about.about,
            "files": sorted(one.files),
        }
        for one in sets.example_sets()
    ]
    if as_json:
        print_json(rows)
        return
    cells = [
        (str(row["name"]), "yes" if row["installed"] else "", str(row["about"])) for row in rows
    ]
    print_table(("set", "added", "for"), cells, empty="No sets ship with this installation.")


def show(name: Name) -> None:
    """Show a set's files, and what it needs."""
    one = sets.example_set(name)
    typer.secho(f"{one.name}: {one.about.title}", bold=True)
    typer.echo(one.about.about)
    typer.echo("\nFiles:\n" + "\n".join(f"  {path}" for path in one.files))
    parts = [
        *((f"the secret {part.name}", part.about) for part in one.about.secrets),
        *((f"the address of {part.name}", part.about) for part in one.about.servers),
        *((part.name, part.about) for part in one.about.settings),
    ]
    if parts:
        typer.echo("\nIt needs:\n" + "\n".join(f"  {what}: {about}" for what, about in parts))
    for note in one.about.notes:
        typer.echo(f"- {note}")


def remove(name: Name, home: Home = NO_HOME) -> None:
    """Remove a set's files from this home. Changed ones stay and are named."""
    for line in sets.take_away(name, home):
        typer.echo(f"  {line}")
