"""What the code of others gets wrong is told in a sentence that names its plug-in."""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from bot.errors import BotError, SettingsError
from bot.plugin.plugin import AnyPlugin, Plugin
from bot.settings import Section

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
    for name in _tuples():
        value: Any = getattr(plugin, name)
        kinds = _kinds(get_args(get_args(hints[name])[0])[0])
        if not isinstance(value, tuple | list) or not all(isinstance(one, kinds) for one in value):  # pyright: ignore[reportUnknownVariableType]  # of others
            expected = " or ".join(one.__name__ for one in kinds)
            return f"its {name} must be a tuple, each of {expected}"
    return ""


def _tuples() -> list[str]:
    return [name for name, one in vars(Plugin).items() if name[0] != "_" and isinstance(one, tuple)]


def _kinds(declared: Any) -> tuple[type, ...]:
    """The classes that a declared element may have; a Protocol can't be asked for."""
    alternatives = get_args(declared) if isinstance(declared, UnionType) else (declared,)
    kinds = [get_origin(one) or one for one in alternatives]
    return (object,) if any(getattr(one, "_is_protocol", False) for one in kinds) else tuple(kinds)
