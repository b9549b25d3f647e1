"""The work that one check of a value against a schema may do."""

from dataclasses import dataclass

MAX_WORK = 20_000
"""Work units of one check, a few tenths of a second at most.

A keyword on a value costs one unit, more if the value is long.
"""


class TooMuchWork(Exception):
    """The check exceeded its work limit."""


@dataclass
class RemainingWork:
    """The remaining work of one check."""

    left: int = MAX_WORK
    nested: int = 0

    def spend(self, units: int) -> None:
        """Raises TooMuchWork."""
        self.left -= units
        if self.left < 0:
            raise TooMuchWork
