"""The commands of plug-ins, as commands of this line."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, cast, get_args, get_origin, get_type_hints

import typer

from bot.assembly.home_settings import load_settings
from bot.assembly.own_plugins import OWN
from bot.assembly.plugins import OFF, plugins_named, plugins_of, setup_of
from bot.cli.commands import command_of, run_async
from bot.cli.looking import asking, asking_read_only
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import print_found
from bot.errors import BotError, SettingsError, raised_as
from bot.plugin.command_line import (
    AnyCommand,
    Ask,
    BadParameter,
    CommandGroup,
    CommandLine,
    Listing,
    Parameter,
)
from bot.plugin.plugin import AnyPlugin
from bot.settings import Settings, named_plugins

_HOME, _SETUP, _ASK, _LOOK = "home", "setup", "ask", "look"
_GIVEN = frozenset((_HOME, _SETUP, _ASK, _LOOK))
"""Parameters of commands that the house gives."""
_JSON = "as_json"


def own_command(one: AnyCommand) -> Any:
    """The command of a plug-in of our own."""
    return command_of(one.name, _made(one))


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


def _command(plugin: AnyPlugin, one: AnyCommand) -> Any:
    """Raises SettingsError for a function that can't be a command."""
    try:
        return command_of(one.name, _made(one, found_by_home=True))
    except Exception as error:
        # Authors may write anything as the type of a parameter.
        raise SettingsError(
            f"the command {one.name!r} of the plug-in {plugin.name!r} can't be made ({error}); "
            f"update its package, or remove {plugin.name} from plugins"
        ) from error


def _made(one: AnyCommand, *, found_by_home: bool = False) -> Any:
    """The function of a command, or the Typer of a group."""
    if isinstance(one, CommandLine):
        return _function(one, found_by_home=found_by_home)
    group = typer.Typer(help=one.help, no_args_is_help=True, rich_markup_mode=None)
    group.callback()(lambda: None)
    for each in one.commands:
        group.command(each.name)(_function(each, found_by_home=found_by_home))
    return group


def _function(command: CommandLine, *, found_by_home: bool = False) -> Callable[..., None]:
    """The command with its options in the words of the library, and with the home if it needs it.

    `found_by_home`: `--home` may name the home whose plug-in has the command.
    """
    types = get_type_hints(command.run, include_extras=True)
    takes = inspect.signature(command.run).parameters
    shown = [
        one.replace(annotation=_annotation(types.get(name, str), one))
        for name, one in takes.items()
        if name not in _GIVEN
    ]
    option = inspect.Parameter.KEYWORD_ONLY
    if types.get("return") is Listing:
        shown.append(inspect.Parameter(_JSON, option, default=False, annotation=AsJson))
    if found_by_home or _GIVEN & takes.keys():
        shown.append(inspect.Parameter(_HOME, option, default=NO_HOME, annotation=Home))

    @wraps(command.run)
    def run(home: Path = NO_HOME, *, as_json: bool = False, **given: Any) -> None:
        if _HOME in takes:
            given[_HOME] = home
        if _SETUP in takes:
            settings = load_settings(home)
            given[_SETUP] = setup_of(settings, _owner(settings, command))
        with raised_as(typer.BadParameter, BadParameter):
            done = _done(command, home, given)
        if isinstance(done, Listing):
            print_found(done.rows, done.columns, as_json=as_json, empty=done.empty)
        elif done is False:
            raise typer.Exit(1)

    typed: Any = run
    typed.__signature__ = inspect.signature(command.run).replace(parameters=shown)
    typed.__annotations__ = {one.name: one.annotation for one in shown}
    return typed


def _done(command: CommandLine, home: Path, given: Mapping[str, Any]) -> object:
    """What the function returns."""
    takes = inspect.signature(command.run).parameters
    for name, opened in ((_ASK, asking), (_LOOK, asking_read_only)):
        if name in takes:
            plugin = _owner(load_settings(home), command).name
            return run_async(_with_house(command, opened(home, plugin), given, name))
    done = command.run(**given)
    return run_async(done) if inspect.iscoroutine(done) else done


async def _with_house(
    command: CommandLine,
    opened: AbstractAsyncContextManager[Ask],
    given: Mapping[str, Any],
    name: str,
) -> object:
    async with opened as ask:
        return await cast("Awaitable[object]", command.run(**given, **{name: ask}))


def _annotation(type_: Any, parameter: inspect.Parameter) -> Any:
    given = get_args(type_)[1:] if get_origin(type_) is Annotated else ()
    bare = get_args(type_)[0] if given else type_
    told = next((one for one in given if isinstance(one, Parameter)), Parameter(""))
    words: dict[str, Any] = {
        "help": told.help,
        "min": told.least,
        "max": told.most,
        "metavar": told.shown or None,
    }
    if told.argument or parameter.default is inspect.Parameter.empty:
        return Annotated[bare, typer.Argument(**words)]
    flags = (told.flag,) if told.flag else ()
    return Annotated[bare, typer.Option(*flags, **words)]


def _owner(settings: Settings, command: CommandLine) -> AnyPlugin:
    """The plug-in with this command. Raises SettingsError if it is switched off."""

    def has(plugin: AnyPlugin) -> bool:
        groups = (one for one in plugin.commands if isinstance(one, CommandGroup))
        return command in plugin.commands or any(command in one.commands for one in groups)

    found = next(filter(has, plugins_of(settings)), None)
    if found is not None:
        return found
    off = next(filter(has, OWN), None)
    if off is not None:
        where = settings.where(("plugins",))
        raise SettingsError(f"{where}: plugins has {OFF}{off.name}, whose command this is")
    raise SettingsError(f"no plug-in of {settings.home} has the command {command.name!r}")
