"""`bellhop examples add`: takes a set over, and says what its files still need."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from bot.assembly.home_settings import load_settings
from bot.cli import example_sets as sets
from bot.cli.examples import Name
from bot.cli.looking import catalog_of
from bot.cli.options import NO_HOME, Home
from bot.domain.health import Check
from bot.settings import Settings
from bot.tools.settings import ToolSettings


async def add(
    name: Name,
    keep: Annotated[bool, typer.Option("--keep", help="Leave files that are there.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Put files that are there aside, as NAME.before.")
    ] = False,
    home: Home = NO_HOME,
) -> None:
    """Copy a set's files into this home. Then say what it still needs."""
    if keep and replace:
        raise sets.ExampleProblem("--keep and --replace exclude each other")
    if not home.is_dir():
        raise sets.ExampleProblem(f"there is no home {home}; make it with `bellhop init {home}`")
    one = sets.example_set(name)
    for line in sets.take_over(one, home, keep=keep, replace=replace):
        typer.echo(f"  {line}")
    for problem in (await catalog_of(home)).problems:
        typer.echo(f"warning: {problem}", err=True)
    _tell_needs(home, name)
    typer.echo(f"\n`bellhop examples remove {name}` takes it away again.")


def _tell_needs(home: Path, name: str) -> None:
    one, settings = sets.example_set(name), load_settings(home)
    lacks = list(missing(one, settings))
    if lacks:
        typer.echo("\nIt still needs, before its tools exist:")
        for line in lacks:
            typer.echo(f"  - {line}")
        typer.echo("\nIn bellhop.yaml, with your own addresses (then start Bellhop again):\n")
        typer.echo(lines_to_set(one, settings))
    for note in one.about.notes:
        typer.echo(f"\n{note}")
    if lacks:
        typer.echo("\n`bellhop doctor` says what is missing.")


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
    lacks = [f"{one.name}: {line}" for one in taken for line in missing(one, settings)]
    return [Check.of("examples", lacks, ", ".join(one.name for one in taken))]


def missing(one: sets.ExampleSet, settings: Settings) -> Iterator[str]:
    """What the set's files in a home still need from its operator, a sentence each.

    Blocking. What only removed files needed is not missing.
    """
    http = settings.get(ToolSettings).http
    there = {path: (settings.home / path).is_file() for path in one.files}
    used = "\n".join(
        one.files[path].decode("utf-8", "replace") for path, is_there in there.items() if is_there
    )
    for secret in one.about.secrets:
        if f"{{secret:{secret.name}}}" not in used:
            continue
        lacks = [] if settings.secret(secret.name) else [".env"]
        lacks += [] if secret.name in http.secrets else ["tools.http.secrets"]
        if lacks:
            yield f"{secret.name} is missing in {' and '.join(lacks)}: {secret.about}"
    for server in one.about.servers:
        if f"{{server:{server.name}}}" in used and server.name not in http.servers:
            yield f"{server.name} is missing in tools.http.servers: {server.about}"
    for part in one.about.settings:
        if there.get(part.file, True) and not _value(settings, part.name):
            yield f"{part.name} is not set: {part.about}"


def _value(settings: Settings, name: str) -> object:
    section, _, field = name.partition(".")
    return getattr(settings.sections[section], field)


def lines_to_set(one: sets.ExampleSet, settings: Settings) -> str:
    """The lines of bellhop.yaml that a set needs, with what stands there already."""
    http = settings.get(ToolSettings).http
    names = dict.fromkeys([*http.secrets, *(secret.name for secret in one.about.secrets)])
    servers = {server.name: server.example for server in one.about.servers} | http.servers
    lines = ["tools:", "  http:", f"    secrets: [{', '.join(names)}]"]
    if servers:
        lines += ["    servers:", *(f'      {name}: "{url}"' for name, url in servers.items())]
    for part in one.about.settings:
        if not _value(settings, part.name):
            section, _, field = part.name.partition(".")
            lines += [f"{section}:", f"  {field}: {part.example}"]
    return "\n".join(lines)
