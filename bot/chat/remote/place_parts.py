"""Polls, posts and events of a platform that a gateway is connected to.

If no gateway answers, nobody may do anything.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from bot.chat.remote.calls import (
    CancelEvent,
    ChangeForumPost,
    EndPoll,
    EventsAhead,
    FindForumPost,
    FindPoll,
    MakeEvent,
    MayCancelEvent,
    MayEndPoll,
    MayMakeEvent,
    MayPostPoll,
    ModeratesPosts,
    NewestPolls,
    PostPoll,
)
from bot.chat.remote.making import AdapterCall
from bot.domain.forums import ForumPost
from bot.domain.messages import Conversation, ReplyTarget
from bot.domain.polls import NewPoll, Poll
from bot.domain.server_events import NewServerEvent, PlannedEvent
from bot.errors import DeliveryError

log = logging.getLogger(__name__)

AskGateway: TypeAlias = Callable[[AdapterCall, Conversation], Awaitable[Any]]
"""Lets the gateway of a place make a call. Raises DeliveryError."""


class RemotePolls:
    """Implements `domain.polls.KnowsPolls`."""

    def __init__(self, ask: AskGateway) -> None:
        self._ask = ask

    async def may_post(self, person: str, place: Conversation) -> bool:
        return await _allowed(self._ask, MayPostPoll(person, place), place)

    async def may_end(self, person: str, place: Conversation) -> bool:
        return await _allowed(self._ask, MayEndPoll(person, place), place)

    async def post(self, target: ReplyTarget, poll: NewPoll, key: str) -> Poll:
        return await self._ask(PostPoll(target, poll, key), target.conversation)

    async def find(self, place: Conversation, message: str) -> Poll | None:
        return await self._ask(FindPoll(place, message), place)

    async def newest(self, place: Conversation, most: int) -> Sequence[Poll]:
        return await self._ask(NewestPolls(place, most), place)

    async def end(self, poll: Poll) -> Poll:
        return await self._ask(EndPoll(poll), poll.place)


class RemoteForums:
    """Implements `domain.forums.KnowsForums`."""

    def __init__(self, ask: AskGateway) -> None:
        self._ask = ask

    async def moderates(self, person: str, place: Conversation) -> bool:
        return await _allowed(self._ask, ModeratesPosts(person, place), place)

    async def find(self, place: Conversation) -> ForumPost | None:
        return await self._ask(FindForumPost(place), place)

    async def change(
        self, post: ForumPost, tags: Sequence[str], *, closed: bool, locked: bool
    ) -> None:
        await self._ask(ChangeForumPost(post, tags, closed, locked), post.place)


class RemoteEvents:
    """Implements `domain.server_events.KnowsServerEvents`."""

    def __init__(self, ask: AskGateway) -> None:
        self._ask = ask

    async def may_make(self, person: str, place: Conversation) -> bool:
        return await _allowed(self._ask, MayMakeEvent(person, place), place)

    async def may_cancel(self, person: str, place: Conversation) -> bool:
        return await _allowed(self._ask, MayCancelEvent(person, place), place)

    async def ahead(self, place: Conversation) -> Sequence[PlannedEvent]:
        return await self._ask(EventsAhead(place), place)

    async def make(self, place: Conversation, event: NewServerEvent) -> PlannedEvent:
        return await self._ask(MakeEvent(place, event), place)

    async def cancel(self, place: Conversation, event: PlannedEvent) -> None:
        await self._ask(CancelEvent(place, event), place)


async def _allowed(ask: AskGateway, call: AdapterCall, place: Conversation) -> bool:
    try:
        return await ask(call, place)
    except DeliveryError as error:
        log.info("call=<%s>, error=<%s> | counts as no", call.kind, error)
        return False
