"""The shape of a run decides which tools exist in it (docs/rules.md#kinds-of-run)."""

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
        """Only in chat can somebody answer a question now."""
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
