"""The kind of a run, which decides which tools it has (docs/rules.md#kinds-of-run)."""

from dataclasses import dataclass
from enum import StrEnum


class RunShape(StrEnum):
    CHAT = "chat"
    TRIGGERED = "triggered"
    SCHEDULED = "scheduled"
    TODO = "todo"
    RESEARCH = "research"

    @property
    def person_present(self) -> bool:
        """Whether somebody can answer a question now: only in chat."""
        return self is RunShape.CHAT


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
