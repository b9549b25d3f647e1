"""`bellhop examples`: sets of agents, tools and skills that a home can take over."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from bot.app import load_settings
from bot.cli import example_sets as sets
from bot.cli.looking import catalog_of, run_async
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import print_json, print_table
from bot.domain.checks import Check

app = typer.Typer(help="Ready-made sets of agents, tools and skills.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="SET")]


@app.command("list")
def list_(as_json: AsJson = False, home: Home = NO_HOME) -> None:
    """List the sets that ship, and which of them this home has."""
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


@app.command()
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


@app.command()
def add(
    name: Name,
    keep: Annotated[bool, typer.Option("--keep", help="Leave files that are there.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Put files that are there aside, as NAME.before.")
    ] = False,
    home: Home = NO_HOME,
) -> None:
    """Copy a set's files into this home, and say what it still needs."""
    if keep and replace:
        raise sets.ExampleProblem("--keep and --replace exclude each other")
    if not home.is_dir():
        raise sets.ExampleProblem(f"there is no home {home}; make it with `bellhop init {home}`")
    one = sets.example_set(name)
    for line in sets.take_over(one, home, keep=keep, replace=replace):
        typer.echo(f"  {line}")
    for problem in run_async(_problems(home)):
        typer.echo(f"warning: {problem}", err=True)
    _tell_needs(home, name)
    typer.echo(f"\n`bellhop examples remove {name}` takes it away again.")


def _tell_needs(home: Path, name: str) -> None:
    one, settings = sets.example_set(name), load_settings(home)
    lacks = list(sets.missing(one, settings))
    if lacks:
        typer.echo("\nIt still needs, before its tools exist:")
        for line in lacks:
            typer.echo(f"  - {line}")
        typer.echo("\nIn bellhop.yaml, with your own addresses (then start Bellhop again):\n")
        typer.echo(sets.lines_to_set(one, settings))
    for note in one.about.notes:
        typer.echo(f"\n{note}")
    if lacks:
        typer.echo("\n`bellhop doctor` says what is missing.")


async def _problems(home: Path) -> list[str]:
    catalog = await catalog_of(home)
    return [str(problem) for problem in catalog.problems]


@app.command()
def remove(name: Name, home: Home = NO_HOME) -> None:
    """Remove a set's files from this home; changed ones stay and are named."""
    for line in sets.take_away(name, home):
        typer.echo(f"  {line}")


async def examined(home: Path) -> list[Check]:
    """For `bellhop doctor`: what each set of this home lacks."""
    return await asyncio.to_thread(_examined, home)


def _examined(home: Path) -> list[Check]:
    try:
        have = sets.installed(home)
    except sets.ExampleProblem as error:
        return [Check("examples", "warning", str(error))]
    taken = [one for one in sets.example_sets() if one.name in have]
    if not taken:
        return []
    settings = load_settings(home)
    lacks = [f"{one.name}: {line}" for one in taken for line in sets.missing(one, settings)]
    if lacks:
        return [Check("examples", "warning", "\n".join(lacks))]
    return [Check("examples", "ok", ", ".join(one.name for one in taken))]
