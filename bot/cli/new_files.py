"""Commented files that a person fills in, and that pass their own `check` as they are.

Also `new`, `check` and `add` of `bellhop automations` and `bellhop schedule`.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from bot.agents.control_tools.scheduling import first_time
from bot.assembly.home_settings import load_settings
from bot.automations.schedule_file import read_schedule, slug_of
from bot.automations.schedule_files import arguments_of
from bot.automations.trigger_file import read_trigger
from bot.cli.guide import local_zone
from bot.cli.options import NO_HOME, As, Home
from bot.cli.templates import template
from bot.cli.tools_run import call_once
from bot.clock import SystemClock
from bot.dates.reading import Moment
from bot.domain.automations import Trigger
from bot.errors import BotError, DefinitionError, StorageError, ToolError, raised_as
from bot.regular_file import not_utf8, read_text_file
from bot.storage.confined import make_file

_Name = Annotated[str, typer.Argument(metavar="NAME", help="What it is called.")]
_Folder = Annotated[Path, typer.Option("--in", metavar="FOLDER", help="Where the file is made.")]
_File = Annotated[Path, typer.Argument(metavar="FILE", help="A file that `new` made.")]
_IN_CHANNEL = (
    "It watches a channel, which a terminal has none of: post the file in the channel, and ask "
    "Bellhop to keep it there as an automation."
)


class CannotMake(BotError):
    """A new file could not be made; the text says why."""


def write_new(path: Path, text: str, *, program: bool = False) -> None:
    """Write a file that isn't there yet, and say so. Raises CannotMake, StorageError.

    A line that was cut off and is typed again finds what it wrote.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        make_file(path, text.encode(), 0o700 if program else 0o666)
    except FileExistsError:
        with suppress(OSError, UnicodeDecodeError):
            if read_text_file(path) == text:
                typer.echo(f"  has    {path}")
                return
        raise CannotMake(f"{path} is there already; it stays as it is") from None
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from error
    typer.echo(f"  wrote  {path}")


IMPLEMENTATIONS = {
    "shell": "shell: {name}.sh",
    "http": "http: GET https://api.example.org/v1/{{name}}",
    "mcp": "mcp: server.tool",
}


def tool_text(name: str, kind: str) -> str:
    """The file of a new tool. One that may change something starts with a risk."""
    implementation = IMPLEMENTATIONS[kind].format(name=name)
    risk = "## Risk\nexternal-write\n\n" if kind == "mcp" else ""
    return template("tool.md").format(
        name=name, call='{"name": "Ann"}', more=risk, implementation=implementation
    )


class _BadFile(DefinitionError):
    """A file of an automation can't be read; the text names line, field and remedy."""


def new_automation(name: _Name, folder: _Folder = Path()) -> None:
    """Make a file to fill in. It is a commented automation, in this folder."""
    _new(name, folder, template("automation.md"), "automations")


def new_schedule(name: _Name, folder: _Folder = Path(), home: Home = NO_HOME) -> None:
    """Make a file to fill in.

    It is a commented schedule, in this folder and in the home's time zone.
    """
    _new(name, folder, template("schedule.md"), "schedule", _zone(home))


def check_automation(file: _File) -> None:
    """Check the file of an automation. The exit code is 1 when something in it is wrong."""
    trigger = _check_automation(_text(file), file)
    typer.echo(f"{file} is in order.")
    if trigger.event.in_channel:
        typer.echo(_IN_CHANNEL)


async def check_schedule(file: _File) -> None:
    """Check the file of a schedule. The exit code is 1 when something in it is wrong."""
    said = arguments_of(read_schedule(_text(file), str(file)))
    with raised_as(_BadFile, ToolError, about=f"{file}"):
        _, zone, due = await first_time(said, local_zone(), SystemClock().now())
    typer.echo(f"{file} is in order. Its first time is {Moment(due, zone.key).spoken()}.")


async def add_automation(file: _File, person: As = None, home: Home = NO_HOME) -> None:
    """Hand a file in as an automation.

    It is somebody's. With exit code 3 it waits for their yes.
    """
    text = _text(file)
    if _check_automation(text, file).event.in_channel:
        raise _BadFile(f"{file}: {_IN_CHANNEL}")
    await _add(home, f"/automations/triggers/{file.stem}.md", text, person)


async def add_schedule(file: _File, person: As = None, home: Home = NO_HOME) -> None:
    """Hand a file in as a schedule. It is somebody's. With exit code 3 it waits for their yes."""
    text = _text(file)
    read_schedule(text, str(file))
    await _add(home, f"/automations/schedules/{file.stem}.md", text, person)


def _zone(home: Path) -> str:
    """The home's zone, or this machine's where the folder is no home."""
    return load_settings(home).timezone if (home / "bellhop.yaml").is_file() else local_zone()


def _new(name: str, folder: Path, text: str, command: str, zone: str = "") -> None:
    if not (named := " ".join(name.split())) or not (slug := slug_of(named)):
        raise CannotMake("give it a name with some letters or digits in it")
    path = folder / f"{slug}.md"
    quoted = json.dumps(named, ensure_ascii=False)
    write_new(path, text.format(name=quoted, file=path, zone=zone))
    typer.echo(f"Fill it in, then type: bellhop {command} check {path}")


def _check_automation(text: str, file: Path) -> Trigger:
    return read_trigger(text, str(file), mail=True, calendar=True, sources=None)


def _text(file: Path) -> str:
    try:
        return read_text_file(file)
    except UnicodeDecodeError as error:
        raise _BadFile(not_utf8(file, error)) from error
    except OSError as error:
        raise _BadFile(f"cannot read {file}: {error.strerror}") from error


async def _add(home: Path, path: str, text: str, person: str | None) -> None:
    await call_once(home, "write_file", {"path": path, "content": text}, person, None)
