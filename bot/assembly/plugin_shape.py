"""What the code of others gets wrong is told in a sentence that names its plug-in."""

import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from types import UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from bot.errors import BotError, SettingsError
from bot.plugin.plugin import AnyPlugin, Plugin
from bot.settings import Section

T = TypeVar("T")

log = logging.getLogger(__name__)


@contextmanager
def in_code_of(plugin: AnyPlugin, what: str) -> Generator[None]:
    """Run code of a plug-in, which may raise anything at all.

    Raises SettingsError that says `what` of it failed, or the BotError that the code raised.
    """
    try:
        yield
    except BotError:
        raise
    except (Exception, SystemExit) as error:
        log.exception("plugin=<%s> | its code failed", plugin.name)
        raise SettingsError(
            f"the plug-in {plugin.name!r} {what} ({type(error).__name__}: {error}); update its "
            f"package, or remove {plugin.name} from plugins"
        ) from error


def misshapen(plugin: AnyPlugin) -> str:
    """What its class says in another form than Plugin declares; empty if nothing."""
    if not issubclass(plugin.settings, Section):
        return "its settings are no class derived from bot.plugin.plugin.Section"
    hints = get_type_hints(Plugin)
    tuples = [
        name for name, one in vars(Plugin).items() if isinstance(one, tuple) and name in hints
    ]
    return _unfit(plugin, {name: get_args(hints[name])[0] for name in tuples})


def require(made: object, kind: type[T]) -> T:
    """What a plug-in made, if it is of this dataclass and its fields are what that declares.

    Raises TypeError, for its author.
    """
    if not isinstance(made, kind):
        raise TypeError(f"it made {type(made).__name__} in place of {kind.__name__}")
    if problem := _unfit(made, get_type_hints(kind)):
        raise TypeError(problem)
    return made


def _unfit(of: object, declared: Mapping[str, Any]) -> str:
    for name, form in declared.items():
        if not _fits(getattr(of, name), form):
            return f"its {name} must be {form}"
    return ""


def _fits(value: Any, declared: Any) -> bool:
    """Whether a value has this form, as far as can be seen without calling it."""
    kind, inner = get_origin(declared) or declared, get_args(declared)
    if kind in {Union, UnionType}:
        return any(_fits(value, one) for one in inner)
    if kind is Callable:
        return callable(value)
    if kind in {tuple, Sequence}:
        many = isinstance(value, tuple | list)
        return many and all(_fits(one, inner[0]) for one in cast("Sequence[Any]", value))
    if kind is Mapping:
        named = isinstance(value, Mapping)
        return named and all(_fits(one, inner[1]) for one in cast("Any", value).values())
    if getattr(kind, "_is_protocol", False):
        # Not all: what an earlier version of the surface asked for goes on to work.
        return any(hasattr(value, name) for name in dir(kind) if name[0] != "_")
    return kind is Any or isinstance(value, kind)
