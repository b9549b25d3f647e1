"""Messages that came while nobody listened: those beyond the limits are recorded, not answered.

Telegram keeps updates for a day at most and shows no history, so nothing else is read.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from bot.plugin.catch_up import Recovered, Recovery
from bot.plugin.chat import Clock, Conversation, IncomingMessage, MessageKind, StorageError
from bot.plugins.telegram_chat.places import PLATFORM

log = logging.getLogger(__name__)

_LIVE = timedelta(seconds=30)
"""A younger message was not missed."""
FULL = 100
"""So many updates at once: there are more."""


class MissedUpdates:
    """Sorts the messages of each answer of Telegram until one is not full."""

    def __init__(self, recovery: Recovery | None, clock: Clock) -> None:
        self._recovery = recovery
        self._clock = clock
        self._recovered: Recovered | None = None
        self._is_open = False

    async def begin(self) -> None:
        """Something may have been missed. Raises StorageError."""
        if self._recovery is not None:
            self._recovered = await self._recovery.begin(PLATFORM)
            self._is_open = True

    def sorted(self, messages: Sequence[IncomingMessage]) -> list[IncomingMessage]:
        """The messages, those beyond the limits marked as missed."""
        known = self._recovered
        if not self._is_open or known is None or known.floor is None:
            return list(messages)
        now, newer = self._clock.now(), dict[str, int]()
        found: list[IncomingMessage] = []
        for message in reversed(messages):
            if message.kind in {MessageKind.TEXT, MessageKind.COMMAND}:
                place = message.conversation.key
                newer[place] = newer.get(place, 0) + 1
                late = message.sent_at < known.since or newer[place] > known.messages
                if late and now - message.sent_at > _LIVE:
                    found.append(replace(message, missed=True))
                    continue
            found.append(message)
        return found[::-1]

    async def heard(self, messages: Sequence[IncomingMessage], *, updates: int) -> None:
        """These are recorded: tell places that got no answer, and end with the last of them.

        Raises StorageError.
        """
        if not self._is_open or self._recovery is None:
            return
        late: dict[str, Conversation] = {
            one.conversation.key: one.conversation for one in messages if one.missed
        }
        for place in late.values():
            await self._recovery.tell(place)
        if updates < FULL:
            self._is_open = False
            try:
                await self._recovery.finish(PLATFORM)
            except StorageError:
                self._is_open = True
                raise
            log.info("late=<%d> | caught up", len(late))
