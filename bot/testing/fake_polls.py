"""A platform's polls, kept in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.domain.messages import Conversation, ReplyTarget
from bot.domain.polls import NewPoll, Poll, PollAnswer
from bot.errors import DeliveryError


@dataclass
class FakePolls:
    """Implements `domain.polls.KnowsPolls`."""

    now: datetime
    posted: dict[str, Poll] = field(default_factory=dict[str, Poll])
    """By id of the message."""
    moderators: set[str] = field(default_factory=set[str])
    away: bool = False
    """Whether the platform can't be asked."""
    _keys: dict[str, str] = field(default_factory=dict[str, str])

    async def may_post(self, person: str, place: Conversation) -> bool:
        return not self.away

    async def may_end(self, person: str, place: Conversation) -> bool:
        return person in self.moderators

    async def post(self, target: ReplyTarget, poll: NewPoll, key: str) -> Poll:
        self._reached()
        message = self._keys.setdefault(key, str(len(self._keys) + 1))
        answers = tuple(PollAnswer(text) for text in poll.answers)
        ends_at = self.now + timedelta(hours=poll.hours)
        made = Poll(target.stands_in, message, poll.question, answers, ends_at, own=True)
        return self.posted.setdefault(message, replace(made, several=poll.several))

    async def find(self, place: Conversation, message: str) -> Poll | None:
        self._reached()
        found = self.posted.get(message)
        return found if found is not None and found.place == place else None

    async def newest(self, place: Conversation, most: int) -> Sequence[Poll]:
        self._reached()
        return [one for one in reversed(self.posted.values()) if one.place == place][:most]

    async def end(self, poll: Poll) -> Poll:
        self._reached()
        ended = self.posted[poll.message] = replace(self.posted[poll.message], ended=True)
        return ended

    def count(self, message: str, *votes: int, ended: bool = True) -> None:
        """Let people have voted like this."""
        poll = self.posted[message]
        answers = tuple(replace(one, votes=n) for one, n in zip(poll.answers, votes, strict=True))
        self.posted[message] = replace(poll, answers=answers, ended=ended)

    def _reached(self) -> None:
        if self.away:
            raise DeliveryError("the platform is away", retryable=True)
