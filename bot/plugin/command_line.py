"""Commands of the command line: `bellhop NAME …`.

The module of a plug-in is imported for every `bellhop --help`, so a command imports late what it
needs.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.domain.json_types import JsonObject
from bot.errors import BotError, DocumentError, StorageError

Answer: TypeAlias = Callable[[JsonObject], Awaitable[JsonObject]]
"""What a house does for a command. What it raises on purpose reaches the command in its words."""
Ask: TypeAlias = Callable[[str, JsonObject], Awaitable[JsonObject]]
"""Calls one of `Parts.answers` by its name: in this process, or in the one that runs the home."""


class BadParameter(Exception):
    """Raised by a command for what makes no sense there: the text says what would."""


@dataclass(frozen=True)
class Parameter:
    """What a parameter is for: `dice: Annotated[int, Parameter("How many.", least=1)] = 2`."""

    help: str
    flag: str = ""
    """`--open/--no-open`: what an option is called, if not as its parameter."""
    least: int | None = None
    most: int | None = None
    shown: str = ""
    """What `--help` writes for its value, if not the type: `PATH|URL`."""
    argument: bool = False
    """Whether it is an argument in spite of its default."""


@dataclass(frozen=True)
class Listing:
    """What a command lists: a table for people, and with `--json` all of it for programs."""

    rows: Sequence[Mapping[str, Any]]
    columns: Mapping[str, str]
    """The headers of the table, by the keys of a row."""
    empty: str
    """What people read if there are no rows."""


@dataclass(frozen=True)
class CommandLine:
    """A command: a function with types, which may be a coroutine function.

    A parameter with a default is an option of the line, one without is an argument. `home: Path`
    gets the folder of `--home`, `setup` what its files say about the plug-in. `ask: Ask` asks the
    house of that home, and `look: Ask` one that is opened for reading only. The docstring is what
    `--help` says. What `bot.plugin` raises on purpose, and an OSError, is printed as a sentence,
    and the exit code is 1. So it is where the function returns False. A function that is declared
    to return a `Listing` gets the option `--json`.
    """

    name: str
    """Small letters, digits and hyphens."""
    run: Callable[..., object]

    def __post_init__(self) -> None:
        require_name(self.name)

    @property
    def help(self) -> str:
        return self.run.__doc__ or ""


@dataclass(frozen=True)
class CommandGroup:
    """Commands behind one name: `bellhop NAME COMMAND …`."""

    name: str
    help: str
    commands: tuple[CommandLine, ...]

    def __post_init__(self) -> None:
        require_name(self.name)


AnyCommand: TypeAlias = CommandLine | CommandGroup


def require_name(name: str) -> None:
    """Raises ValueError for a name that no command can have."""
    words = name.split("-")
    if not (name.isascii() and name.islower() and all(map(str.isalnum, words))):
        raise ValueError(
            f"a command is called {name!r}; use small letters, digits and single hyphens"
        )
