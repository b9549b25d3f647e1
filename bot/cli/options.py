"""Options and arguments that several commands take."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.domain.access import Role
from bot.errors import StorageError, raised_as

NO_HOME: Path = Path()
"""Default of `Home`: the current folder, unless an option or BELLHOP_HOME names one."""


def _home(context: typer.Context, value: Path) -> Path:
    """The folder of `--home`, anywhere on the line; else BELLHOP_HOME; else the current one."""
    source = context.get_parameter_source("home")
    here = source is not None and source.name == "COMMANDLINE"
    chosen = value if here else context.find_root().params.get("home", value)
    return Path(chosen).expanduser().resolve()


def _existing_home(context: typer.Context, value: Path) -> Path:
    """As `_home`.

    Raises StorageError for a missing folder, so that a mistyped name makes nothing.
    """
    home = _home(context, value)
    if not home.is_dir():
        raise StorageError(no_folder(home))
    return home


def no_folder(home: Path) -> str:
    return (
        f"there is no folder {home}; check the path of --home, or make it with `bellhop init "
        f"{home}`"
    )


def role_name(value: str | None) -> str | None:
    """A role in its usual spelling. Raises BadParameter that lists the valid ones."""
    if value is None:
        return None
    with raised_as(typer.BadParameter, ValueError):
        return Role.parse(value)


def _option(callback: Callable[[typer.Context, Path], Path], *, eager: bool = False) -> Any:
    return typer.Option(
        "--home",
        envvar="BELLHOP_HOME",
        help="Folder with bellhop.yaml, prompts, memory and data.",
        callback=callback,
        is_eager=eager,
        show_default="current folder",
    )


Home = Annotated[Path, _option(_existing_home)]
AnyHome = Annotated[Path, _option(_home)]
"""A home that may not exist yet."""
EagerHome = Annotated[Path, _option(_home, eager=True)]
"""The same, known before `--help` lists the commands of its plug-ins."""
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
As = Annotated[
    str | None,
    typer.Option(
        "--as", metavar="ID", help="Who you are: a contact's id (`bellhop contacts list`)."
    ),
]
RoleOption = Annotated[
    str | None,
    typer.Option(
        "--role", metavar="ROLE", help="Act with this role, e.g. Guest.", callback=role_name
    ),
]
