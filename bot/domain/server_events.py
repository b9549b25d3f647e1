"""Events of a server: dates that its people see, and can say that they are interested in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from bot.domain.messages import Conversation


@dataclass(frozen=True)
class EventLimits:
    """What a platform takes as an event: those of Discord."""

    name: int = 100
    where: int = 100
    description: int = 1_000


@dataclass(frozen=True)
class NewServerEvent:
    """An event to make."""

    name: str
    starts_at: datetime
    ends_at: datetime
    where: str
    """Words, or the platform's id of a channel in which people talk."""
    description: str = ""


@dataclass(frozen=True)
class PlannedEvent:
    """An event that is ahead or goes on."""

    id: str
    name: str
    starts_at: datetime
    ends_at: datetime | None
    where: str
    description: str = ""
    interested: int = 0
    running: bool = False
    maker: str = ""
    """Platform id of who made it."""


@runtime_checkable
class HasServerEvents(Protocol):
    """An adapter whose platform has events of servers. Its traits say so, too."""

    @property
    def server_events(self) -> "KnowsServerEvents":
        """Reads, makes and cancels them."""
        ...


class KnowsServerEvents(Protocol):
    """Events of the server that a place belongs to. `person` is a platform id."""

    async def may_make(self, person: str, place: Conversation) -> bool:
        """Whether a person may make events there themself. Never raises."""
        ...

    async def may_cancel(self, person: str, place: Conversation) -> bool:
        """Whether a person may cancel events of others there. Never raises."""
        ...

    async def ahead(self, place: Conversation) -> Sequence[PlannedEvent]:
        """The events that are ahead or go on, the next first. Raises DeliveryError."""
        ...

    async def make(self, place: Conversation, event: NewServerEvent) -> PlannedEvent:
        """Make an event; one of ours with this name and time is not made twice.

        Raises DeliveryError.
        """
        ...

    async def cancel(self, place: Conversation, event: PlannedEvent) -> None:
        """Cancel an event that is ahead, or end one that goes on. Raises DeliveryError."""
        ...
