"""`bellhop`: finds the command of a line, and says what is wrong in a sentence."""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from bot import __version__
from bot.assembly.own_commands import OWN_COMMANDS
from bot.cli.commands import COMMANDS, LazyGroup
from bot.cli.options import NO_HOME, EagerHome
from bot.cli.printing import inert
from bot.errors import BotError
from bot.regular_file import read_regular_file

_OF_PLUGINS = "bellhop.commands_of_plugins"


class _Bellhop(LazyGroup):
    """Imports a command when it is used, and prints an error as one sentence on stderr.

    The exit code is 1 then, or 2 for a wrong command line. Behind the commands of the house and of
    our own plug-ins stand those of the plug-ins that the home names.
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(COMMANDS, **given)
        for one in OWN_COMMANDS:
            self.commands[one.name] = TyperCommand(one.name, help=one.help)

    def list_commands(self, ctx: Any) -> list[str]:
        return [*self.commands, *self._of_plugins(ctx)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if (house := super().get_command(ctx, cmd_name)) is not None:
            return house
        for own in OWN_COMMANDS:
            if own.name == cmd_name:
                from bot.cli.plugin_commands import own_command  # noqa: PLC0415 - imports the house

                return own_command(own)
        return self._of_plugins(ctx).get(cmd_name)

    def listed(self, ctx: Any) -> Mapping[str, Any]:
        return {**self.commands, **self._of_plugins(ctx)}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            self._of_plugins(ctx, args)  # `--home` may stand behind the name
        return super().resolve_command(ctx, args)

    def _of_plugins(self, ctx: Any, line: Sequence[str] = ()) -> Mapping[str, Any]:
        """They are looked for once."""
        if _OF_PLUGINS not in ctx.meta:
            ctx.meta[_OF_PLUGINS] = _commands_at(_home_of(ctx.params.get("home"), line))
        return ctx.meta[_OF_PLUGINS]

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # The reader of our output has closed it (`bellhop cycles export | head`).
            with contextlib.suppress(OSError):
                sys.stdout.close()
            raise typer.Exit(1) from None
        except (BotError, OSError, ExceptionGroup) as error:
            lines = list(dict.fromkeys(_sentences(error)))
            for line in lines:  # several things are wrong
                typer.echo(f"bellhop: {inert(line)}", err=True)
            raise typer.Exit(1) from None


def _commands_at(home: Path) -> Mapping[str, Any]:
    """The commands of the plug-ins that a home names. Most name none, and need not wait."""
    try:
        lines = read_regular_file(home / "bellhop.yaml").splitlines()
    except OSError:
        return {}
    if not any(b"plugins" in line for line in lines if not line.lstrip().startswith(b"#")):
        return {}
    from bot.cli.plugin_commands import commands_at  # noqa: PLC0415 - imports the house

    return commands_at(home)


def _home_of(given: object, line: Sequence[str]) -> Path:
    """The folder of `--home`: as `given` before a command, else on the rest of the line."""
    for at, word in enumerate(line):
        if word == "--home" and line[at + 1 :]:
            return Path(line[at + 1]).expanduser()
        if word.startswith("--home="):
            return Path(word.partition("=")[2]).expanduser()
    return given if isinstance(given, Path) else Path(os.environ.get("BELLHOP_HOME") or Path())


def _sentences(error: Exception) -> Iterator[str]:
    """The error in words for people.

    Reraises an unknown error, which is a bug.
    """
    match error:
        case ExceptionGroup(exceptions=several):
            for one in several:
                yield from _sentences(one)
        case BotError():
            yield from str(error).splitlines()
        case OSError(strerror=str(reason), filename=name):
            where = f"{name}: " if name else ""
            yield f"{where}{reason}; check the rights, the free space and the limits of this system"
        case _:
            raise error


app = typer.Typer(
    name="bellhop",
    cls=_Bellhop,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"bellhop {__version__}")
        raise typer.Exit


@app.callback()
def root(
    home: EagerHome = NO_HOME,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = (False),
) -> None:
    """A self-hosted assistant for a team's chat channels and terminals."""


def run() -> None:
    """The entry point of the `bellhop` script. Only the user who runs it can read its files."""
    os.umask(0o077)
    app()
