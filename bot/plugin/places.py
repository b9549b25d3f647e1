"""For tools of what a place has beside messages, such as a forum or a file: `Parts.places`.

Such a tool asks the platform what the person of the call may do there themself, before it does it
for them. An adapter has what it can do as an optional Protocol, such as `HasForums`.

A tool that posts files is `reserved` and `in_turn`, and its needs are `TALKING`. If an argument is
the path of a file that it reads, it names it in `reads`.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

from bot.domain.chat import ChatAdapter
from bot.domain.files import FileText
from bot.domain.forums import MOST_TAGS, ForumPost, HasForums, KnowsForums
from bot.domain.messages import Conversation, Place, ReplyTarget, Visibility
from bot.domain.origins import Trust
from bot.domain.platforms import KnownPlatforms, PlatformTraits
from bot.domain.polls import HasPolls, KnowsPolls, NewPoll, Poll, PollLimits
from bot.domain.server_events import (
    EventLimits,
    HasServerEvents,
    KnowsServerEvents,
    NewServerEvent,
    PlannedEvent,
)
from bot.domain.tool_context import NativeTool, ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.errors import DeliveryError
from bot.plugin.events import Arrival
from bot.tools.native.registry import Needs, ToolRegistration


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


def _is_top_level(scope: ToolScope) -> bool:
    return scope.depth == 0


TALKING = Needs(also=_is_top_level)
"""Where the agent is the one that talks with the person: a specialist posts nothing."""


@dataclass(frozen=True)
class NewFile:
    """A file that is not made yet."""

    said: str
    """All words in it: it is not made if a policy hides them, or others would read a secret."""
    make: Callable[[], Awaitable[tuple[bytes, str]]]
    """Its bytes, and what could not be done, for the model. Raises ToolError."""
    trust: Trust = Trust.OPERATOR
    """Of the text of others that it is made of; the words of the call count without it."""


class PostFile(Protocol):
    """Makes a file once, whatever ends the process, and posts it where the answer is.

    `order` is asked once, too. `text` is posted with it. Raises ToolError.
    """

    async def __call__(
        self,
        context: ToolContext,
        name: str,
        order: Callable[[], Awaitable[NewFile]],
        text: str = "",
    ) -> ToolResult: ...


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
    read_file: Callable[[ToolContext, str], Awaitable[FileText]]
    """The text at a path, such as /documents/plan.md. Raises ToolError."""
    post_file: PostFile

    def offered(
        self, tool: NativeTool[Any], where: Callable[[PlatformTraits], bool]
    ) -> ToolRegistration:
        """A tool that acts on platforms with a trait, for the agent that talks with the person."""

        def there(scope: ToolScope) -> bool:
            return scope.depth == 0 and where(self.platforms[scope.location.platform])

        acting = replace(tool, acts=True, repeatable=True, listed=False)
        return ToolRegistration((acting,), Needs(also=there))


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
