"""Polls of a platform that a gateway is connected to."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from bot.chat.remote.calls import EndPoll, FindPoll, MayEndPoll, MayPostPoll, NewestPolls, PostPoll
from bot.chat.remote.making import AdapterCall
from bot.domain.messages import Conversation, ReplyTarget
from bot.domain.polls import NewPoll, Poll
from bot.errors import DeliveryError

log = logging.getLogger(__name__)

AskGateway: TypeAlias = Callable[[AdapterCall, Conversation], Awaitable[Any]]
"""Lets the gateway of a place make a call. Raises DeliveryError."""


class RemotePolls:
    """Implements `domain.polls.KnowsPolls`. If no gateway answers, nobody may do anything."""

    def __init__(self, ask: AskGateway) -> None:
        self._ask = ask

    async def may_post(self, person: str, place: Conversation) -> bool:
        return await self._allowed(MayPostPoll(person, place), place)

    async def may_end(self, person: str, place: Conversation) -> bool:
        return await self._allowed(MayEndPoll(person, place), place)

    async def post(self, target: ReplyTarget, poll: NewPoll, key: str) -> Poll:
        return await self._ask(PostPoll(target, poll, key), target.conversation)

    async def find(self, place: Conversation, message: str) -> Poll | None:
        return await self._ask(FindPoll(place, message), place)

    async def newest(self, place: Conversation, most: int) -> Sequence[Poll]:
        return await self._ask(NewestPolls(place, most), place)

    async def end(self, poll: Poll) -> Poll:
        return await self._ask(EndPoll(poll), poll.place)

    async def _allowed(self, call: AdapterCall, place: Conversation) -> bool:
        try:
            return await self._ask(call, place)
        except DeliveryError as error:
            log.info("call=<%s>, error=<%s> | counts as no", call.kind, error)
            return False
