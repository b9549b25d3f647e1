"""For tools of what a place has beside messages, such as a forum: `Parts.places`.

Such a tool asks the platform what the person of the call may do there themself, before it does it
for them. An adapter has what it can do as an optional Protocol, such as `HasForums`.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.domain.chat import ChatAdapter
from bot.domain.forums import MOST_TAGS, ForumPost, HasForums, KnowsForums
from bot.domain.messages import Conversation, Place, ReplyTarget, Visibility
from bot.domain.origins import Trust
from bot.domain.platforms import KnownPlatforms
from bot.domain.polls import HasPolls, KnowsPolls, NewPoll, Poll, PollLimits
from bot.domain.server_events import (
    EventLimits,
    HasServerEvents,
    KnowsServerEvents,
    NewServerEvent,
    PlannedEvent,
)
from bot.domain.tool_context import ToolContext
from bot.errors import DeliveryError
from bot.plugin.events import Arrival
from bot.tools.native.registry import ToolRegistration

__all__ = [
    "MOST_TAGS",
    "AnnounceResult",
    "Arrival",
    "ChatAdapter",
    "Conversation",
    "DeliveryError",
    "EventLimits",
    "ForumPost",
    "HasForums",
    "HasPolls",
    "HasServerEvents",
    "KnowsForums",
    "KnowsPolls",
    "KnowsServerEvents",
    "NewPoll",
    "NewServerEvent",
    "Place",
    "PlaceGround",
    "PlaceParts",
    "PlannedEvent",
    "Poll",
    "PollLimits",
    "PollResult",
    "ReplyTarget",
    "Visibility",
    "any_may",
]


@dataclass(frozen=True)
class PollResult:
    """How a poll ended."""

    key: str
    """Its platform and message: the same end twice is told once."""
    text: str
    asked_in: str
    """Key of the conversation that asked for it, which learns of its end."""
    place: Conversation
    """Where it stood: automations that watch this channel start."""
    agent: str
    """Who posted it."""
    trust: Trust
    """Of what its words were written from."""


AnnounceResult: TypeAlias = Callable[[PollResult], Awaitable[Arrival]]
"""What the end of a poll writes and starts. Raises StorageError."""


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
    answering: Callable[[ToolContext], ReplyTarget]
    """Where the answer to the message of a call goes; it may open a thread."""
    may_read: Callable[[ToolContext, Conversation], Awaitable[bool]]
    """Whether the person of a call can read a place now."""
    announce: AnnounceResult


@dataclass(frozen=True)
class PlaceParts:
    """What a plug-in adds for such places."""

    tools: Sequence[ToolRegistration] = ()
    tasks: Sequence[Callable[[], Awaitable[None]]] = ()
    """As `Parts.tasks`."""


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
