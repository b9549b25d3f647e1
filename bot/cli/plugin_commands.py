"""The commands of plug-ins, as commands of this line."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from bot.app import load_settings
from bot.assembly.plugins import plugins_named, plugins_of, setup_of
from bot.cli.commands import command_of
from bot.cli.options import NO_HOME, Home
from bot.errors import BotError, SettingsError
from bot.plugin.command_line import BadParameter, CommandLine, Parameter
from bot.plugin.plugin import AnyPlugin, Setup
from bot.settings import named_plugins

_HOME, _SETUP = "home", "setup"
"""Parameters of commands that the house gives."""


def own_command(one: CommandLine) -> Any:
    """The command of a plug-in of our own."""
    return command_of(one.name, _function(one))


def commands_at(home: Path) -> Mapping[str, Any]:
    """The commands of the plug-ins that a home names, by name.

    What is wrong with them is told on stderr, and the commands of others stay.
    """
    made: dict[str, Any] = {}
    problems: list[str] = []
    try:
        found = [
            (plugin, one)
            for plugin in plugins_named(named_plugins(home))
            for one in plugin.commands
        ]
    except (BotError, OSError) as error:
        found, problems = [], str(error).splitlines()
    for plugin, one in found:
        try:
            made[one.name] = _command(plugin, one)
        except SettingsError as error:
            problems.append(str(error))
    for problem in problems:
        typer.echo(f"bellhop: commands of plug-ins are missing: {problem}", err=True)
    return made


def _command(plugin: AnyPlugin, one: CommandLine) -> Any:
    """Raises SettingsError for a function that can't be a command."""
    try:
        return command_of(one.name, _function(one, found_by_home=True))
    except Exception as error:
        # Authors may write anything as the type of a parameter.
        raise SettingsError(
            f"the command {one.name!r} of the plug-in {plugin.name!r} can't be made ({error}); "
            f"update its package, or remove {plugin.name} from plugins"
        ) from error


def _function(command: CommandLine, *, found_by_home: bool = False) -> Callable[..., None]:
    """The command with its options in the words of the library, and with the home if it needs it.

    `found_by_home`: `--home` may name the home whose plug-in has the command.
    """
    types = get_type_hints(command.run, include_extras=True)
    takes = inspect.signature(command.run).parameters
    shown = [
        one.replace(annotation=_annotation(types.get(name, str), one))
        for name, one in takes.items()
        if name not in {_HOME, _SETUP}
    ]
    if found_by_home or {_HOME, _SETUP} & takes.keys():
        kind = inspect.Parameter.KEYWORD_ONLY
        shown.append(inspect.Parameter(_HOME, kind, default=NO_HOME, annotation=Home))

    @wraps(command.run)
    def run(home: Path = NO_HOME, **given: Any) -> None:
        if _HOME in takes:
            given[_HOME] = home
        if _SETUP in takes:
            given[_SETUP] = _setup(command, home)
        try:
            command.run(**given)
        except BadParameter as error:
            raise typer.BadParameter(str(error)) from error

    typed: Any = run
    typed.__signature__ = inspect.signature(command.run).replace(parameters=shown)
    typed.__annotations__ = {one.name: one.annotation for one in shown}
    return typed


def _annotation(type_: Any, parameter: inspect.Parameter) -> Any:
    given = get_args(type_)[1:] if get_origin(type_) is Annotated else ()
    bare = get_args(type_)[0] if given else type_
    told = next((one for one in given if isinstance(one, Parameter)), Parameter(""))
    if parameter.default is inspect.Parameter.empty:
        return Annotated[bare, typer.Argument(help=told.help, min=told.least, max=told.most)]
    flags = (told.flag,) if told.flag else ()
    return Annotated[bare, typer.Option(*flags, help=told.help, min=told.least, max=told.most)]


def _setup(command: CommandLine, home: Path) -> Setup[Any]:
    """What the files of the home say about the plug-in with this command. Raises SettingsError."""
    settings = load_settings(home)
    plugin = next(one for one in plugins_of(settings) if command in one.commands)
    return setup_of(settings, plugin)
