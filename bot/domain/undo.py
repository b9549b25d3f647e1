"""A change that can be taken back for an hour."""

from dataclasses import dataclass

from bot.domain.database import Unit


@dataclass(frozen=True)
class Undoable:
    """One reversible change of a person's own things; the writes beside it make it."""

    noun: str
    """What was changed, in the singular: `todo`."""
    done: str
    """What was done to it: `added`."""
    name: str
    """Which one, for its person."""
    back: Unit
    """The writes that take it back. They are rejected if the thing was changed since."""

    @property
    def kind(self) -> str:
        return f"{self.noun} {self.done}"
