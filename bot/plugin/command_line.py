"""Commands of the command line: `bellhop NAME …`.

The module of a plug-in is imported for every `bellhop --help`, so a command imports late what it
needs.
"""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["BadParameter", "CommandLine", "Parameter"]


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


@dataclass(frozen=True)
class CommandLine:
    """A command: a function with types.

    A parameter with a default is an option of the line, one without is an argument. `home: Path`
    gets the folder of `--home`. The docstring is what `--help` says. What `bot.plugin` raises on
    purpose, and an OSError, is printed as a sentence, and the exit code is 1.
    """

    name: str
    """Small letters, digits and hyphens."""
    run: Callable[..., None]

    def __post_init__(self) -> None:
        words = self.name.split("-")
        if not (self.name.isascii() and self.name.islower() and all(map(str.isalnum, words))):
            raise ValueError(
                f"a command is called {self.name!r}; use small letters, digits and single hyphens"
            )
