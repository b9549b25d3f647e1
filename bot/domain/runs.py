"""The kind of a run, which decides which tools it has (docs/rules.md#kinds-of-run)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class RunShape(StrEnum):
    CHAT = "chat", True
    TRIGGERED = "triggered", False
    SCHEDULED = "scheduled", False
    TODO = "todo", False
    RESEARCH = "research", False

    _value_: str
    person_present: bool
    """Whether somebody can answer a question now."""

    def __new__(cls, name: str, person_present: bool) -> Self:
        shape = str.__new__(cls, name)
        shape._value_, shape.person_present = name, person_present
        return shape


@dataclass(frozen=True)
class RunKind:
    """A shape, with the event for triggered runs (`NEW_PERSON` is one)."""

    shape: RunShape = RunShape.CHAT
    event: str | None = None

    @property
    def researches(self) -> bool:
        """Whether web_search and web_fetch exist by run type (research and NEW_PERSON)."""
        return self.shape is RunShape.RESEARCH or (
            self.shape is RunShape.TRIGGERED and self.event == "NEW_PERSON"
        )
