"""Automations: runs that an event starts, their owners, and the events."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin
from bot.domain.privacy import Learned


class EventKind(StrEnum):
    """What can start a run."""

    MESSAGE = "message"
    REACTION = "reaction"
    POLL_ENDED = "poll_ended"
    WEBHOOK = "webhook"
    NEW_PERSON = "new_person"
    MEETING_PREP = "meeting_prep"
    TODO_ASSIGNED = "todo_assigned"
    TODO_WOKEN = "todo_woken"
    EMAIL_RECEIVED = "email_received"
    EMAIL_SENT = "email_sent"
    EVENT_ADDED = "event_added"
    PLUGIN = "plugin"
    """An event source of a plug-in, which `filter.source` names."""

    @property
    def of_plugins(self) -> bool:
        """Whether only a plug-in tells of it, which says so (`Plugin.starts`)."""
        return self in {EventKind.MEETING_PREP, EventKind.POLL_ENDED}

    @property
    def in_channel(self) -> bool:
        """Whether a file of this kind watches one channel."""
        return self in {EventKind.MESSAGE, EventKind.REACTION, EventKind.POLL_ENDED}


@dataclass(frozen=True)
class Filter:
    """Which events of a kind match. An empty field matches everything."""

    channel: str = ""
    """Id of the channel that is watched; empty: the one in which the file was written."""
    contains: tuple[str, ...] = ()
    """The text contains one of these words or phrases; case is ignored."""
    matches: str = ""
    """A regular expression (RE2) that matches somewhere in the text."""
    emoji: tuple[str, ...] = ()
    author: str = "members"
    """`members` (rank 2 and above), `anyone`, or one person's id.

    For mail: an address or a domain (`@x.org`) of the sender, or of a recipient of sent mail.
    """
    subject: tuple[str, ...] = ()
    """The subject of a mail contains one of these words or phrases."""
    label: tuple[str, ...] = ()
    """The mail has one of these labels (Gmail) or categories (Outlook)."""
    minutes: int = 15
    """How long before a meeting."""
    source: str = ""
    """The event source of a plug-in."""


@dataclass(frozen=True)
class Trigger:
    """The content of a trigger file."""

    name: str
    event: EventKind
    prompt: str
    filter: Filter = Filter()
    channel: str = ""
    """Id of the channel in which answers are posted; empty: where the file was written."""
    window_s: int | None = None
    enabled: bool = True


@dataclass(frozen=True)
class Automation:
    """A stored trigger file. `text` is parsed each time it is used."""

    ref: str
    owner: str
    slug: str
    text: str
    event: str
    watches: str
    """Key of the channel that is watched; empty for events that happen in none."""
    session: str
    """The reference of its ticks and of its row in `schedules`."""
    envelope: JsonObject
    """The message that created it: says who made it, and where."""
    conversation: str
    learned: Learned
    origin: Origin
    enabled: bool
    paused_why: str
    failures: int
    shown_at: datetime | None
    """When the watched channel was told of it."""
    due: datetime | None
    """When the events since the last run are answered; None: there are none."""
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class Event:
    """Something that happened. A second event with the same `key` changes nothing."""

    key: str
    at: datetime
    text: str
    origin: Origin
