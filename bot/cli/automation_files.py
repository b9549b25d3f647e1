"""`new`, `check` and `add` of `bellhop automations` and `bellhop schedule`: files of people."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.new_files import SCHEDULE, TRIGGER, CannotMake, write_new
from bot.cli.options import NO_HOME, As, Home
from bot.cli.tools_run import call_once
from bot.errors import DefinitionError

if TYPE_CHECKING:
    from bot.domain.automations import Trigger

Name = Annotated[str, typer.Argument(metavar="NAME", help="What it is called.")]
Folder = Annotated[Path, typer.Option("--in", metavar="FOLDER", help="Where the file is made.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A file that `new` made.")]


_IN_CHANNEL = (
    "It watches a channel, which a terminal has none of: post the file in the channel, and ask "
    "Bellhop to keep it there as an automation."
)


class BadFile(DefinitionError):
    """A file of an automation can't be read; the text names line, field and remedy."""


def new_automation(name: Name, folder: Folder = Path()) -> None:
    """Make a commented file of an automation to fill in, in this folder."""
    _new(name, folder, TRIGGER, "automations")


def new_schedule(name: Name, folder: Folder = Path(), home: Home = NO_HOME) -> None:
    """Make a commented file of a schedule to fill in, in this folder, in the home's time zone."""
    _new(name, folder, SCHEDULE, "schedule", _zone(home))


def check_automation(file: File) -> None:
    """Check the file of an automation; exit code 1 when something in it is wrong."""
    trigger = _check_automation(_text(file), file)
    typer.echo(f"{file} is in order.")
    if trigger.event.in_channel:
        typer.echo(_IN_CHANNEL)


def check_schedule(file: File) -> None:
    """Check the file of a schedule; exit code 1 when something in it is wrong."""
    _check_schedule(_text(file), file)
    typer.echo(f"{file} is in order.")


def add_automation(file: File, person: As = None, home: Home = NO_HOME) -> None:
    """Hand a file in as somebody's automation; exit code 3: it waits for their yes."""
    text = _text(file)
    if _check_automation(text, file).event.in_channel:
        raise BadFile(f"{file}: {_IN_CHANNEL}")
    _add(home, f"/automations/triggers/{file.stem}.md", text, person)


def add_schedule(file: File, person: As = None, home: Home = NO_HOME) -> None:
    """Hand a file in as somebody's schedule; exit code 3: it waits for their yes."""
    text = _text(file)
    _check_schedule(text, file)
    _add(home, f"/automations/schedules/{file.stem}.md", text, person)


def _zone(home: Path) -> str:
    """The home's zone, or this machine's where the folder is no home."""
    from bot.app import load_settings  # noqa: PLC0415 - imports the house
    from bot.cli.guide import local_zone  # noqa: PLC0415

    return load_settings(home).timezone if (home / "bellhop.yaml").is_file() else local_zone()


def _new(name: str, folder: Path, text: str, command: str, zone: str = "") -> None:
    from bot.automations.slugs import slug_of  # noqa: PLC0415 - imports the house

    if not (named := " ".join(name.split())) or not (slug := slug_of(named)):
        raise CannotMake("give it a name with some letters or digits in it")
    path = folder / f"{slug}.md"
    quoted = json.dumps(named, ensure_ascii=False)
    write_new(path, text.format(name=quoted, file=path, zone=zone))
    typer.echo(f"Fill it in, then type: bellhop {command} check {path}")


def _check_automation(text: str, file: Path) -> "Trigger":
    from bot.automations.trigger_file import read_trigger  # noqa: PLC0415 - imports the house

    return read_trigger(text, str(file), mail=True, calendar=True, sources=None)


def _check_schedule(text: str, file: Path) -> None:
    from bot.automations.schedule_file import read_schedule  # noqa: PLC0415 - imports the house

    read_schedule(text, str(file))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise BadFile(f"cannot read {file}: {why}") from error


def _add(home: Path, path: str, text: str, person: str | None) -> None:
    call_once(home, "write_file", {"path": path, "content": text}, person, None)
