"""The status of a thread's agent session: shown while Bellhop works or waits."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from bot.plugin.chat import OpenDraft, OpenDrafts, StorageError
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.places import PLATFORM, Spot
from bot.plugins.slack_chat.trouble import SlackRefused, SlackTrouble

log = logging.getLogger(__name__)
Place: TypeAlias = tuple[str, str | None]
Spawn: TypeAlias = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]
"""Runs something beside the conversation. A failure is logged there."""
_METHOD = "agents.sessions.setStatus"
_END = "status:"
"""Begins the id of an end on record."""


class Statuses:
    """Sets the statuses. `works` tells whether a turn shows its work in a place.

    Best effort: errors are only logged. Slack takes so many statuses a minute and no more. While
    many people write, one that says that work is over waits in a task of `spawn`, and one that
    says that it begins is left out: the answer comes soon. One that waits is on record in
    `drafts`, so the next connection says it if this one ends before.
    """

    def __init__(
        self,
        connection: SlackConnection,
        works: Callable[[Spot], bool],
        spawn: Spawn,
        drafts: OpenDrafts,
    ) -> None:
        self._connection = connection
        self._works = works
        self._spawn = spawn
        self._drafts = drafts
        self._waiting: defaultdict[Place, set[str]] = defaultdict(set)
        """Sends with an open question or approval, by place."""
        self._unsaid: set[Place] = set()
        """Where a turn works and no status says so."""
        self._ends: dict[Place, asyncio.Task[None]] = {}
        """Where work is over, and the status waits to say so."""

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
        place = _place(spot)
        still_said = self._cancel_end(place)
        if still_said:
            self._spawn(self._forget(place))
        if not await self._set(spot, "processing", title) and not still_said:
            self._unsaid.add(place)

    async def idle(self, spot: Spot, *, asked: bool = False) -> None:
        """No turn works in the place now; one that `asked` continues after the answer."""
        place = _place(spot)
        status = "suspended" if asked else self._idle_status(place)
        said = place not in self._unsaid
        self._unsaid.discard(place)
        waited = self._cancel_end(place)
        if (said or status != "active") and not await self._set(spot, status):
            self._end_later(spot, status)
        elif waited:
            await self._forget(place)

    async def resume(self) -> None:
        """Say the ends that an earlier connection, of any process, left unsaid.

        Raises StorageError.
        """
        for left in await self._drafts.left(PLATFORM):
            spot = Spot(left.channel, left.thread, None)
            place = _place(spot)
            if is_end(left) and place not in self._ends:
                if self._works(spot):  # it says so itself when it is over
                    await self._forget(place)
                else:
                    self._end_later(spot, self._idle_status(place))

    def _idle_status(self, place: Place) -> str:
        return "suspended" if self._waiting.get(place) else "active"

    def _end_later(self, spot: Spot, status: str) -> None:
        place = _place(spot)
        end = self._ends[place] = self._spawn(self._say_late(spot, status))
        end.add_done_callback(lambda done: self._drop(place, done))

    def _cancel_end(self, place: Place) -> bool:
        """Whether a status there waited to say that work is over."""
        end = self._ends.pop(place, None)
        return end is not None and end.cancel()

    def _drop(self, place: Place, end: asyncio.Task[None]) -> None:
        if self._ends.get(place) is end:
            del self._ends[place]

    async def _say_late(self, spot: Spot, status: str) -> None:
        place = _place(spot)
        end = OpenDraft(_end_id(place), spot.channel, spot.thread or "", spot.since or "")
        try:
            await self._drafts.note(PLATFORM, end)
        except StorageError as error:
            log.info("error=<%s> | a status that waits is not on record", error)
        try:
            await self._connection.call(_METHOD, background=True, **_arguments(spot, status))
        except SlackRefused as refused:
            log.debug("status=<%s>, trouble=<%s> | status not shown", status, refused)
        await self._forget(place)

    async def _forget(self, place: Place) -> None:
        try:
            await self._drafts.forget(PLATFORM, _end_id(place))
        except StorageError as error:
            log.info("error=<%s> | a status that was said is still on record", error)

    async def _set(self, spot: Spot, status: str, title: str = "") -> bool:
        """False: Slack takes no more of them now."""
        if spot.thread is None:
            return True
        named = {"title": title} if title else {}
        try:
            await self._connection.call_now(_METHOD, **_arguments(spot, status), **named)
        except SlackTrouble as trouble:
            log.debug("status=<%s>, trouble=<%s> | status not shown", status, trouble)
            return not (isinstance(trouble, SlackRefused) and trouble.error == "ratelimited")
        return True


def is_end(draft: OpenDraft) -> bool:
    """Whether an entry on record is a status that waits to say that work is over."""
    return draft.id.startswith(_END)


def _end_id(place: Place) -> str:
    return f"{_END}{place[0]}:{place[1]}"


def _place(spot: Spot) -> Place:
    return spot.channel, spot.thread


def _arguments(spot: Spot, status: str) -> dict[str, str | None]:
    return {"channel_id": spot.channel, "thread_ts": spot.thread, "status": status}
