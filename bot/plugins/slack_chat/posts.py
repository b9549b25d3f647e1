"""Posts that stand there once: each carries our key, and is looked for before any second try.

See docs/rules.md#sends.
"""

import logging
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from bot.plugin.clock import Clock
from bot.plugin.payloads import JsonObject, number_in, object_in, objects_in, text_in
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.places import Identity, Spot
from bot.plugins.slack_chat.trouble import (
    SlackRefused,
    SlackTrouble,
    SlackUnsure,
)

log = logging.getLogger(__name__)
T = TypeVar("T")

EVENT_TYPE = "bellhop"
PAUSES_S = (0.5, 1.0, 3.0)
LONGEST_LIMIT_S = 30.0
"""A longer rate limit is left to the outbox."""
_PAGE, _PAGES = 200, 5


@dataclass
class FoundPosts:
    """The parts of one send in a thread: timestamps by part, and names of attached files."""

    parts: dict[int, str] = field(default_factory=dict[int, str])
    slices: dict[tuple[int, str], str] = field(default_factory=dict[tuple[int, str], str])
    """For parts too long for Slack: timestamps by part and slice, without the last slice."""
    files: set[str] = field(default_factory=set[str])
    total: int = 0
    wanted_files: frozenset[str] = frozenset()

    @property
    def complete(self) -> bool:
        return (
            bool(self.parts) and len(self.parts) >= self.total and self.wanted_files <= self.files
        )


@dataclass(frozen=True)
class Mark:
    """The mark on each post: its send, its part, and the files of the send."""

    key: str
    part: int = 0
    total: int = 1
    files: tuple[str, ...] = ()
    slice: str = ""
    """The slice of the part, such as `0.` or `0.1.`; empty for a whole part or its last slice."""

    def as_metadata(self) -> JsonObject:
        payload: JsonObject = {
            "key": self.key,
            "part": self.part,
            "parts": self.total,
            "files": [{"name": name} for name in self.files],
        }
        if self.slice:
            payload["slice"] = self.slice
        return {"event_type": EVENT_TYPE, "event_payload": payload}


@dataclass(frozen=True)
class Posts:
    """Makes posts and finds them again."""

    connection: SlackConnection
    clock: Clock
    who: Callable[[], Awaitable[Identity]]

    async def put(
        self, spot: Spot, mark: Mark, attempt: Callable[[], Awaitable[str]], done: FoundPosts
    ) -> str:
        """Run `attempt` until it succeeds, looking for the mark before each retry.

        Returns the timestamp, and adds the slices it sees to `done`. Raises DeliveryError.
        """

        async def look() -> str | None:
            found = await self.look(spot, mark.key)
            done.slices.update(found.slices)
            return found.parts.get(mark.part)

        return await self.insist(attempt, look)

    async def insist(
        self, attempt: Callable[[], Awaitable[T]], look: Callable[[], Awaitable[T | None]]
    ) -> T:
        """Like `put`, with its own way of looking whether an unanswered attempt was done."""
        for pause in (*PAUSES_S, None):
            try:
                return await attempt()
            except SlackTrouble as trouble:
                wait = _pause(trouble, pause)
                if wait is None:
                    raise
                log.info("pause=<%.1f>, trouble=<%s> | trying again", wait, trouble)
                await self.clock.sleep(wait)
                if isinstance(trouble, SlackUnsure) and (done := await look()) is not None:
                    return done
        raise AssertionError("the last pause is None")  # the loop returns or raises

    async def look(self, spot: Spot, key: str) -> FoundPosts:
        """Everything of this send that the thread (or the channel) holds. Raises DeliveryError."""
        found = FoundPosts()
        who = await self.who()
        for message in await self.read(spot):
            if not is_own(message, who):
                continue
            payload = object_in(object_in(message, "metadata"), "event_payload")
            if payload.get("key") == key and (ts := text_in(message, "ts")):
                part, slice_ = number_in(payload, "part"), text_in(payload, "slice")
                if slice_:
                    found.slices[part, slice_] = ts
                else:
                    found.parts[part] = ts
                found.total = number_in(payload, "parts") or 1
                named = objects_in(payload, "files")
                found.wanted_files = frozenset(text_in(file, "name") for file in named)
            found.files |= {
                str(file.get("title") or file.get("name")) for file in objects_in(message, "files")
            }
        return found

    async def drafts(self, spot: Spot) -> list[JsonObject]:
        """Our messages there that were never finished: they carry neither mark nor file.

        Raises DeliveryError.
        """
        who = await self.who()
        return [
            message
            for message in await self.read(spot)
            if is_own(message, who)
            and text_in(message, "ts")
            and not message.get("metadata")
            and not message.get("files")
        ]

    async def is_there(self, spot: Spot, ts: str) -> bool:
        """Whether a message stands there, asked beside what people wait for.

        Raises SlackTrouble.
        """
        arguments = {
            "channel": spot.channel,
            "oldest": ts,
            "latest": ts,
            "inclusive": True,
            "limit": 10,
        }
        for thread in dict.fromkeys(
            (spot.thread, None)
        ):  # what answers a deleted thread stands in the channel
            method, where = (
                ("conversations.replies", {"ts": thread})
                if thread
                else ("conversations.history", {})
            )
            try:
                page = await self.call(method, background=True, **arguments, **where)
            except SlackRefused as refused:
                if refused.error != "thread_not_found":
                    raise
                continue
            if any(message.get("ts") == ts for message in objects_in(page, "messages")):
                return True
        return False

    async def read(self, spot: Spot) -> list[JsonObject]:
        """The messages of a thread since the one that is answered; of a channel, the newest.

        Raises DeliveryError.
        """
        arguments: JsonObject = {"channel": spot.channel, "include_all_metadata": True}
        if spot.since:
            arguments |= {"oldest": spot.since, "inclusive": True}
        method, most = ("conversations.history", 1)
        if spot.thread:
            method, most, arguments["ts"] = "conversations.replies", _PAGES, spot.thread
        try:
            pages = [page async for page in self.pages(method, most, **arguments)]
        except SlackRefused as refused:
            if refused.error != "thread_not_found":
                raise
            # deleted: what answers it stands in the channel
            return await self.read(Spot(spot.channel, None, spot.since))
        return [message for page in pages for message in objects_in(page, "messages")]

    async def conversations(self, kinds: str, **more: Any) -> list[JsonObject]:
        """The channels that the app is in; with `user`, those of a person that it can see.

        Raises SlackTrouble.
        """
        pages = self.pages("users.conversations", types=kinds, **more)
        return [channel async for page in pages for channel in objects_in(page, "channels")]

    async def pages(
        self, method: str, most: int = sys.maxsize, **arguments: Any
    ) -> AsyncGenerator[JsonObject]:
        """The pages of a listing, at most so many. Raises SlackTrouble."""
        for _ in range(most):
            page = await self.call(method, limit=_PAGE, **arguments)
            yield page
            cursor = next_cursor(page)
            if not cursor:
                return
            arguments["cursor"] = cursor

    async def call(self, method: str, *, background: bool = False, **arguments: Any) -> JsonObject:
        """A call that may be repeated without harm: unanswered and limited ones are.

        Raises SlackTrouble.
        """
        attempt = partial(self.connection.call, method, background=background, **arguments)
        return await self.insist(attempt, not_known)


async def not_known() -> None:
    """For calls that may be repeated and need no check first."""


def _pause(trouble: SlackTrouble, pause: float | None) -> float | None:
    """Seconds until the next try; None when there is none."""
    if pause is None:
        return None
    if not isinstance(trouble, SlackRefused):
        return pause
    limit = trouble.retry_after
    return limit if limit is not None and limit <= LONGEST_LIMIT_S else None


def next_cursor(page: JsonObject) -> str:
    """Where a listing goes on; empty after its last page."""
    return text_in(object_in(page, "response_metadata"), "next_cursor")


def is_own(message: Mapping[str, Any], who: Identity) -> bool:
    return message.get("bot_id") == who.bot or message.get("user") == who.user
