"""For tools of what a place has beside messages, such as a forum: `Parts.place_tools`.

Such a tool asks the platform what the person of the call may do there themself, before it does it
for them. An adapter has what it can do as an optional Protocol, such as `HasForums`.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.domain.chat import ChatAdapter
from bot.domain.forums import MOST_TAGS, ForumPost, HasForums, KnowsForums
from bot.domain.messages import Conversation, Place
from bot.domain.platforms import KnownPlatforms
from bot.domain.server_events import (
    EventLimits,
    HasServerEvents,
    KnowsServerEvents,
    NewServerEvent,
    PlannedEvent,
)
from bot.domain.tool_context import ToolContext
from bot.errors import DeliveryError

__all__ = [
    "MOST_TAGS",
    "ChatAdapter",
    "Conversation",
    "DeliveryError",
    "EventLimits",
    "ForumPost",
    "HasForums",
    "HasServerEvents",
    "KnowsForums",
    "KnowsServerEvents",
    "NewServerEvent",
    "Place",
    "PlaceGround",
    "PlannedEvent",
    "any_may",
]


@dataclass(frozen=True)
class PlaceGround:
    """What tools are made from that work on a place."""

    adapters: Mapping[str, ChatAdapter]
    """Those of connected platforms, by name."""
    platforms: KnownPlatforms
    """What each platform has, also where it is not connected: for `Needs`."""
    standing: Callable[[ToolContext], Conversation]
    """Where the message of a call stands: the channel, if only an answer opens the thread."""
    accounts: Callable[[ToolContext], Sequence[str]]
    """The ids that the person of a call has there."""


async def any_may(
    accounts: Sequence[str],
    may: Callable[[str, Conversation], Awaitable[bool]],
    place: Conversation,
) -> bool:
    """Whether one of a person's accounts may do it there."""
    for account in accounts:
        if await may(account, place):
            return True
    return False
