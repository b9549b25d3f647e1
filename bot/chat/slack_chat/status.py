"""The status of a thread's agent session: shown while Bellhop works or waits."""

import logging
from collections import defaultdict
from collections.abc import Callable

from bot.chat.slack_chat.connection import SlackConnection
from bot.chat.slack_chat.places import Spot
from bot.chat.slack_chat.trouble import SlackTrouble

log = logging.getLogger(__name__)


class Statuses:
    """Sets the statuses. `works` tells whether a turn shows its work in a place.

    Best effort: errors are only logged.
    """

    def __init__(self, connection: SlackConnection, works: Callable[[Spot], bool]) -> None:
        self._connection = connection
        self._works = works
        self._waiting: defaultdict[tuple[str, str | None], set[str]] = defaultdict(set)
        """Sends with an open question or approval, by place."""

    async def waits(self, spot: Spot, key: str) -> None:
        """A question in a place waits for an answer. May be called again, as after a restart."""
        waiting = self._waiting[_place(spot)]
        if key not in waiting:
            waiting.add(key)
            await self._rest(spot)

    async def is_over(self, spot: Spot, key: str) -> None:
        """The question was answered, has expired or was stopped."""
        self._waiting[_place(spot)].discard(key)
        await self._rest(spot)
        if not self._waiting[_place(spot)]:
            del self._waiting[_place(spot)]

    async def _rest(self, spot: Spot) -> None:
        """Set the status, unless a turn works there, which sets it at its end."""
        if not self._works(spot):
            await self.idle(spot)

    async def processing(self, spot: Spot, title: str = "") -> None:
        """A turn works there; a session that it opens gets the title."""
        await self._set(spot, "processing", title)

    async def idle(self, spot: Spot, *, asked: bool = False) -> None:
        """No turn works in the place now; one that `asked` continues after the answer."""
        await self._set(spot, "suspended" if asked or self._waiting.get(_place(spot)) else "active")

    async def _set(self, spot: Spot, status: str, title: str = "") -> None:
        if spot.thread is None:
            return
        named = {"title": title} if title else {}
        try:
            await self._connection.call_now(
                "agents.sessions.setStatus",
                channel_id=spot.channel,
                thread_ts=spot.thread,
                status=status,
                **named,
            )
        except SlackTrouble as trouble:
            log.debug("status=<%s>, trouble=<%s> | status not shown", status, trouble)


def _place(spot: Spot) -> tuple[str, str | None]:
    return spot.channel, spot.thread
