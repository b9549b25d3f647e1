"""`bellhop rights`: a person's rights in a place, with their file and line."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.looking import looking, run_async
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import print_json
from bot.errors import SettingsError

if TYPE_CHECKING:
    from bot.app import App
    from bot.domain.access import Person
    from bot.sessions.reports.rights_report import RightsReport


def rights(
    person: Annotated[
        str,
        typer.Argument(
            metavar="PERSON", help="Id or name of a contact, or a role for anybody who has it."
        ),
    ],
    place: Annotated[
        str,
        typer.Option(
            "--in",
            metavar="PLACE",
            help="A channel's id, or dm, private, public, slack, category:ID …",
        ),
    ] = "dm",
    tool: Annotated[
        str | None, typer.Option("--tool", metavar="NAME", help="Only this tool.")
    ] = None,
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """Print a person's rights in a place, each with the file and line that gives or takes it."""
    report = run_async(_report(home, person, place, tool))
    if as_json:
        print_json({**asdict(report), "tools": [asdict(right) for right in report.tools]})
        return
    typer.echo(report.text())


async def _report(home: Path, person: str, place: str, tool: str | None) -> "RightsReport":
    from bot.sessions.reports.rights_report import place_named  # noqa: PLC0415 - imports the house

    async with looking(home) as app:
        location = await place_named(app.house.channels, place, app.contacts.platforms)
        return await app.rights_reports.of(_person(app, person), location, tool, operator=True)


def _person(app: "App", text: str) -> "Person":
    from bot.domain.access import Person, Role  # noqa: PLC0415

    found = app.contacts.person(text)
    named = [one.id for one in app.contacts.people if one.name.casefold() == text.casefold()]
    if found is None and len(named) == 1:
        found = app.contacts.person(named[0])
    if found is not None:
        return found
    try:
        role = Role.parse(text)
    except ValueError:
        known = ", ".join(one.id for one in app.contacts.people) or "nobody"
        raise SettingsError(
            f"contacts.yaml names no {text!r}; it names {known}. For people whom it doesn't "
            "name, give a role in place of the name, such as Guest"
        ) from None
    return Person(f"any {role}", f"Somebody with the role {role}", role)
