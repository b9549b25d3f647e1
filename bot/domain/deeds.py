"""What a call changed for its person, in words that can be said in each language."""

from dataclasses import dataclass
from enum import StrEnum


class Noun(StrEnum):
    """What was changed."""

    TODO = "todo"
    NOTE = "note"
    ENTRY = "entry"
    FILE = "file"
    MESSAGE = "message"
    MAIL = "mail"
    EVENT = "event"
    REMINDER = "reminder"
    SCHEDULE = "schedule"
    ISSUE = "issue"
    PAGE = "page"
    MEETING = "meeting"
    TASK = "task"
    OUTSIDE = "outside"
    """Something in another service, of which nothing more is known."""


class Done(StrEnum):
    """What was done to it."""

    ADDED = "added"
    CHANGED = "changed"
    COMPLETED = "completed"
    DISMISSED = "dismissed"
    DELETED = "deleted"
    SENT = "sent"


@dataclass(frozen=True)
class ToolDeed:
    """What a call of a tool does that writes, or that somebody said yes to."""

    noun: Noun
    named_by: str
    """The argument that says which one; empty: the title that the result shows."""
    done: Done | None = None
    """None: as the argument `action` says (`create`, `delete` ...), else it is a change."""


@dataclass(frozen=True)
class Deed:
    """One change: `todo`, `added`, and which one, as its person calls it."""

    noun: Noun
    done: Done
    name: str = ""
