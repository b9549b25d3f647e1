"""For sources of events: what starts automations."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.domain.database import Unit
from bot.domain.privacy import Learned


@dataclass(frozen=True)
class Happening:
    """Something that happened outside. A second one with the same `key` starts nothing."""

    key: str
    text: str
    """What happened, for the model. It is trusted no more than a web page."""
    person: str = ""
    """The person (id) whose event it is: it starts only their own automations, where they alone
    read the answer. Empty: it starts those of all members of the workspace.
    """


Tell: TypeAlias = Callable[[Happening], Awaitable[None]]
"""Stores an event durably. Raises StorageError."""


@dataclass(frozen=True)
class EventSource:
    """Finds events. A trigger file has `event: plugin`, and `source:` among its filters."""

    name: str
    watch: Callable[[Tell], Awaitable[None]]
    """Runs until cancelled, in one process. An error starts it again after a minute."""


@dataclass(frozen=True)
class Arrival:
    """What news starts: writes for the unit that stores it, and an action after the commit."""

    unit: Unit = Unit()
    then: Callable[[], None] | None = None


@dataclass(frozen=True)
class Upcoming:
    """Something of a person that begins soon, such as a meeting."""

    key: str
    """Names it and its kind: `meeting:1f3k9a`. Its text is trusted no more than that of guests."""
    what: str
    """How a sentence about it begins: `The meeting “Launch”`."""
    title: str
    begins: datetime
    owner: str
    learned: Learned
    """Where it was made: only automations whose readers may know it are started."""
    more: str = ""
    """Further sentences for the model."""


FindUpcoming: TypeAlias = Callable[[datetime, datetime], Awaitable[Sequence[Upcoming]]]
"""What begins between two moments, whoever may see it. Raises StorageError."""
