"""`bellhop export`: a person's own data as files."""

import os
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.looking import looking, run_async
from bot.cli.options import NO_HOME, Home
from bot.cli.unknown_person import UnknownPerson, nobody_known


def export(
    person: Annotated[
        str, typer.Option("--person", metavar="PERSON", help="Id or name of the person.")
    ],
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FILE", help="The archive to write; it must not exist."),
    ] = None,
    home: Home = NO_HOME,
) -> None:
    """Write everything that is kept of one person into a zip archive, for that person alone."""
    id_, packed = run_async(_packed(home, person))
    path = to or Path(f"bellhop-export-{''.join(c if c.isalnum() else '-' for c in id_)}.zip")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(packed)
    except OSError as error:
        typer.echo(f"{path} can't be written: {error.strerror or error}", err=True)
        raise typer.Exit(1) from None
    typer.echo(f"{path} has what is kept of {id_}. It is private: hand it to them alone.")


async def _packed(home: Path, person: str) -> tuple[str, bytes]:
    from bot.assembly.forgetting import build_exports, build_kept  # noqa: PLC0415 - the house

    async with looking(home) as app:
        known = app.contacts.person(person)
        named = [one.id for one in app.contacts.people if one.name.casefold() == person.casefold()]
        if not known and len(named) > 1:
            raise UnknownPerson(f"{person!r} are several; name one: {', '.join(named)}")
        id_ = known.id if known else named[0] if len(named) == 1 else person
        if not (known or named) and not await build_kept(app.house).any_of(id_):
            raise UnknownPerson(nobody_known(person, app.contacts))
        return id_, await build_exports(app.house).of(id_)
