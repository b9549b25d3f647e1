"""What a call makes that outlasts its conversation (docs/rules.md#trust).

A tool file declares it (`## Lasting`), or a native tool works it out for each call. The gate asks
about it while text from outside is there and the person's own words do not say it.
"""

from dataclasses import dataclass
from enum import StrEnum

from bot.domain.json_types import JsonObject


class Lasting(StrEnum):
    INSTRUCTIONS = "instructions"
    """Text that later requests follow: preferences, skills."""
    REPLACES = "replaces"
    """Something kept goes, or its text is lost."""
    ACTS_LATER = "acts-later"
    """Something that runs, rings or posts when nobody asks."""


@dataclass(frozen=True)
class Kept:
    """Something that is kept, with its names: a todo's title, a file's path."""

    id: str
    names: tuple[str, ...]
    exact: bool = False
    """Whether only a whole name means it, as of a file."""


@dataclass(frozen=True)
class Makes:
    """One lasting thing that a call would make."""

    kind: Lasting
    texts: tuple[str, ...] = ()
    """What would be followed or done later. The person's own only if they typed all of it."""
    replaced: Kept | None = None
    """For REPLACES: what goes. None: nobody can tell, so it is always asked."""
    others: tuple[Kept, ...] = ()
    """What else of its kind is kept, so that words that fit several name none."""


@dataclass(frozen=True)
class LastingRule:
    """A line of `## Lasting`: all calls, or those whose `argument` has one of the values."""

    kind: Lasting
    argument: str = ""
    values: frozenset[str] = frozenset()

    def covers(self, arguments: JsonObject) -> bool:
        """A call that leaves the argument out is covered: its default may be any of them."""
        value = arguments.get(self.argument)
        return not self.argument or not isinstance(value, str) or value in self.values
