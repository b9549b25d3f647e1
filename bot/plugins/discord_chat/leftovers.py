"""Posts that could not be deleted at once: stored, and retried until gone."""

import asyncio
import logging
from collections.abc import Callable

from bot.plugin.chat import DeliveryError, OpenDraft, OpenDrafts, StorageError
from bot.plugin.clock import Clock
from bot.plugin.limits import sleep_unless
from bot.plugins.discord_chat.intake import PLATFORM
from bot.plugins.discord_chat.rest import DiscordRest

log = logging.getLogger(__name__)

AGAIN_S = (5.0, 30.0, 120.0, 600.0)
"""Seconds between tries; the last value repeats."""


class Leftovers:
    """Drafts that became no answer, and other posts that are no longer needed."""

    def __init__(self, drafts: OpenDrafts, rest: Callable[[], DiscordRest], clock: Clock) -> None:
        self._drafts = drafts
        self._rest = rest
        self._clock = clock
        self._left: dict[str, OpenDraft] = {}
        """By message."""
        self._loaded = False
        self._lock = asyncio.Lock()
        """Held while a message is deleted, so that no answer is written into it meanwhile."""
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Try to delete leftovers, now and whenever there are more."""
        self.stop()
        self._task = asyncio.create_task(self._run(), name="discord leftovers")

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def remove(self, channel: str, message: str) -> None:
        """Delete a message of ours, later if that is impossible now."""
        try:
            await self._rest().delete(channel, message)
        except DeliveryError as error:
            if error.retryable:
                log.warning(
                    "message=<%s>, error=<%s> | can't be deleted now, tried again later",
                    message,
                    error,
                )
                await self._note(OpenDraft(message, channel, "", "", message))
            else:
                log.info(
                    "message=<%s>, error=<%s> | already gone, or can't be deleted", message, error
                )

    async def keep(self, message: str) -> None:
        """An answer is about to be written into this message.

        If the message is already gone, the write fails and the answer is posted anew.
        """
        async with self._lock:
            try:
                await self._load()
                if self._left.pop(message, None) is not None:
                    await self._drafts.forget(PLATFORM, message)
            except StorageError as error:
                log.warning(
                    "message=<%s>, error=<%s> | may stay on record as to be deleted", message, error
                )

    async def _note(self, draft: OpenDraft) -> None:
        self._left[draft.message] = draft
        self._wake.set()
        try:
            await self._drafts.note(PLATFORM, draft)
        except StorageError as error:
            log.warning(
                "message=<%s>, error=<%s> | not recorded; a crash would leave it there",
                draft.message,
                error,
            )

    async def _load(self) -> None:
        if not self._loaded:
            self._left |= {draft.message: draft for draft in await self._drafts.left(PLATFORM)}
            self._loaded = True

    async def _run(self) -> None:
        tries = 0
        while True:
            self._wake.clear()
            if await self._try():
                tries = 0
                await self._wake.wait()
            else:
                await sleep_unless(self._wake, self._clock, AGAIN_S[min(tries, len(AGAIN_S) - 1)])
                tries += 1

    async def _try(self) -> bool:
        """Delete leftovers. False: some still exist."""
        try:
            async with self._lock:
                await self._load()
            done = [await self._delete(message) for message in tuple(self._left)]
        except StorageError as error:
            log.warning(
                "error=<%s> | the messages to delete can't be read or changed; trying again later",
                error,
            )
            return False
        return all(done)

    async def _delete(self, message: str) -> bool:
        """Raises StorageError."""
        async with self._lock:
            draft = self._left.get(message)
            if draft is None:
                return True
            try:
                await self._rest().delete(draft.channel, message)
            except DeliveryError as error:
                if error.retryable:
                    log.info("message=<%s>, error=<%s> | still can't be deleted", message, error)
                    return False
                log.info(
                    "message=<%s>, error=<%s> | already gone, or can't be deleted", message, error
                )
            del self._left[message]
            await self._drafts.forget(PLATFORM, message)
            return True
