"""A message's real place: threads made on the first send, fallbacks, and their owners."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from bot.plugin.chat import Place, ReplyTarget
from bot.plugin.payloads import JsonObject
from bot.plugin.recent import Recent
from bot.plugins.discord_chat.names import Root
from bot.plugins.discord_chat.rest import DiscordRest
from bot.plugins.discord_chat.seen import CallRefused

log = logging.getLogger(__name__)

THREAD_EXISTS = 160004
REMEMBERED = 10_000
_LONGEST_CHAIN = 10


@dataclass(frozen=True)
class Destination:
    """A channel, and the message there to reply to."""

    channel: str
    reply_to: str | None = None


class Places:
    """Makes threads, remembers failures, and maps our replies to their conversation."""

    def __init__(self, rest: Callable[[], DiscordRest]) -> None:
        self._rest = rest
        self._threads: Recent[str, bool] = Recent(REMEMBERED)
        """By root message: True if there is a thread, False if none can be made."""
        self._making: dict[str, asyncio.Lock] = {}
        self._roots: Recent[str, str] = Recent(REMEMBERED)

    async def destination(self, target: ReplyTarget) -> Destination:
        """Make the thread if it is wanted and missing. Raises CallRefused or CallFailed."""
        if target.start_thread_from is None:
            reply_to = target.message if target.conversation.place is not Place.DM else None
            return Destination(target.conversation.id, reply_to)
        root = Root.parse(target.start_thread_from)
        if await self._has_thread(root, target.conversation.title):
            return Destination(root.message)
        return Destination(root.channel, target.message or root.message)

    def thread_is_gone(self, target: ReplyTarget) -> bool:
        """Somebody deleted the thread: reply from now on.

        False when there is nothing to reply to.
        """
        if target.start_thread_from is None:
            return False
        self._threads[Root.parse(target.start_thread_from).message] = False
        return True

    async def _has_thread(self, root: Root, title: str) -> bool:
        lock = self._making.setdefault(root.message, asyncio.Lock())
        try:
            async with lock:
                known = self._threads.get(root.message)
                if known is None:
                    known = await self._make(root, title)
                    self._threads[root.message] = known
                return known
        finally:
            self._making.pop(root.message, None)

    async def _make(self, root: Root, title: str) -> bool:
        try:
            await self._rest().start_thread(root.channel, root.message, title or "Conversation")
        except CallRefused as error:
            if error.code == THREAD_EXISTS:
                return True
            if error.status in {400, 403, 404}:
                log.info(
                    "message=<%s>, reason=<%s> | no thread can be made, replying instead",
                    root.message,
                    error,
                )
                return False
            raise
        return True

    # --- replies without a thread ---

    def belongs(self, message: str, root: str) -> None:
        """A message in a channel is part of the conversation that began with `root`."""
        self._roots[message] = root

    async def root_of(self, channel: str, message: str) -> str | None:
        """The first message of the conversation that our `message` belongs to; None if none."""
        root: str | None = None
        for _ in range(_LONGEST_CHAIN):
            known = self._roots.get(message)
            if known is not None:
                return known
            answered = await self._replies_to(channel, message)
            if answered is None:
                return root
            root = self._roots.get(answered) or answered
            before = await self._replies_to(channel, answered, theirs=True)
            if before is None:
                return root
            message = before
        return root

    async def _replies_to(self, channel: str, message: str, *, theirs: bool = False) -> str | None:
        """The message that this one replies to; with `theirs` only when that is one of ours."""
        rest = self._rest()
        try:
            found = await rest.message(channel, message)
        except CallRefused as error:
            log.debug("message=<%s>, error=<%s> | cannot be read", message, error)
            return None
        reference: JsonObject = found.get("message_reference") or {}
        replied: JsonObject = found.get("referenced_message") or {}
        author: JsonObject = replied.get("author") or {}
        if theirs and author.get("id") != rest.line.bot:
            return None
        return str(reference["message_id"]) if reference.get("message_id") else None
