"""`bellhop plugins`: the installed plug-ins."""

import asyncio
from dataclasses import asdict, dataclass
from pathlib import Path

import typer

from bot.assembly import plugins as of_house
from bot.assembly.own_plugins import OWN
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import print_json, print_table
from bot.errors import SettingsError
from bot.settings import named_plugins


@dataclass(frozen=True)
class _Line:
    name: str
    package: str
    on: bool
    title: str = ""
    """What it is; of one of others only if it is on, because nothing else of them is imported."""
    problem: str = ""


async def plugins(as_json: AsJson = False, home: Home = NO_HOME) -> None:
    """List all plug-ins, and which are on.

    `plugins:` in bellhop.yaml switches installed ones on, and with -NAME those of Bellhop off.
    """
    found = await _installed(home)
    if as_json:
        print_json([asdict(one) for one in found])
    else:
        print_table(
            ("plug-in", "package", "is", ""),
            [
                (one.name, one.package, "on" if one.on else "off", one.problem or one.title)
                for one in found
            ],
            empty="",
        )
    if any(one.problem for one in found):
        raise typer.Exit(1)


async def _installed(home: Path) -> list[_Line]:
    """Of others only those that are on are imported, which tells whether they work."""
    named = await asyncio.to_thread(named_plugins, home)
    titles: dict[str, str] = {}
    problems: dict[str, str] = {}
    for name in named:
        try:
            found = await asyncio.to_thread(of_house.plugins_named, (name,))
            titles |= {one.name: one.title for one in found}
        except SettingsError as error:
            problems[name] = str(error)
    there = await asyncio.to_thread(of_house.installed_plugins)
    lines = [
        _Line(
            one.name,
            one.package,
            one.name in named,
            titles.get(one.name, ""),
            problems.get(one.name, ""),
        )
        for one in there
    ]
    names = {one.name for one in there}
    lines += [_Line(one, "?", True, problem=problems[one]) for one in problems if one not in names]
    on = of_house.own_plugins(named)
    return lines + [_Line(one.name, "Bellhop", one in on, one.title) for one in OWN]
