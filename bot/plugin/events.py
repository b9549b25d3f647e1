"""For sources of events: what starts automations."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias


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
