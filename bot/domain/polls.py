"""Polls of a platform: people vote on it with its own buttons, and it counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from bot.domain.messages import Conversation, ReplyTarget


@dataclass(frozen=True)
class PollLimits:
    """What a platform takes as a poll. The defaults are those of Discord."""

    question: int = 300
    answer: int = 55
    answers: int = 10
    hours: int = 768


@dataclass(frozen=True)
class NewPoll:
    """A poll to post."""

    question: str
    answers: tuple[str, ...]
    hours: int
    several: bool = False
    """Whether one person may vote for several answers."""


@dataclass(frozen=True)
class PollAnswer:
    text: str
    votes: int = 0


@dataclass(frozen=True)
class Poll:
    """A poll as it stands now."""

    place: Conversation
    message: str
    """The platform's id of the message that it is."""
    question: str
    answers: tuple[PollAnswer, ...]
    ends_at: datetime | None
    ended: bool = False
    """Whether nobody can vote any more and the votes are counted."""
    several: bool = False
    own: bool = False
    """Whether Bellhop posted it; a platform lets it end no other."""
    author: str = ""
    """Who posted it, by name."""


@runtime_checkable
class HasPolls(Protocol):
    """An adapter whose platform has polls. Its traits say so, too."""

    @property
    def polls(self) -> "KnowsPolls":
        """Posts, reads and ends them."""
        ...


class KnowsPolls(Protocol):
    """Posts, reads and ends polls. `person` is a platform id."""

    async def may_post(self, person: str, place: Conversation) -> bool:
        """Whether a person may post polls there themself. Never raises."""
        ...

    async def may_end(self, person: str, place: Conversation) -> bool:
        """Whether a person may take away what others post there. Never raises."""
        ...

    async def post(self, target: ReplyTarget, poll: NewPoll, key: str) -> Poll:
        """Post a poll where the target's message stands; once for each key.

        Raises DeliveryError.
        """
        ...

    async def find(self, place: Conversation, message: str) -> Poll | None:
        """The poll in a message; None if it isn't there, or is no poll. Raises DeliveryError."""
        ...

    async def newest(self, place: Conversation, most: int) -> Sequence[Poll]:
        """The newest polls of a place, of anybody, newest first. Raises DeliveryError."""
        ...

    async def end(self, poll: Poll) -> Poll:
        """End a poll of Bellhop's now. Raises DeliveryError."""
        ...
