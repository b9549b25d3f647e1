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
        self._standing: set[str] = set()
        """Drafts on record that this process shows."""
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
                return
            log.info("message=<%s>, error=<%s> | already gone, or can't be deleted", message, error)
        await self.keep(message)

    async def stands(self, channel: str, message: str) -> None:
        """A draft that no nonce finds after a crash is there: the next process removes it."""
        self._standing.add(message)
        await self._record(OpenDraft(message, channel, "", "", message))

    async def keep(self, message: str) -> None:
        """An answer is about to be written into this message, or it is gone.

        If the message is already gone, the write fails and the answer is posted anew.
        """
        async with self._lock:
            try:
                await self._load()
                known = self._left.pop(message, None) is not None or message in self._standing
                self._standing.discard(message)
                if known:
                    await self._drafts.forget(PLATFORM, message)
            except StorageError as error:
                log.warning(
                    "message=<%s>, error=<%s> | may stay on record as to be deleted", message, error
                )

    async def _note(self, draft: OpenDraft) -> None:
        self._left[draft.message] = draft
        self._wake.set()
        await self._record(draft)

    async def _record(self, draft: OpenDraft) -> None:
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
            self._left |= {
                draft.message: draft
                for draft in await self._drafts.left(PLATFORM)
                if draft.message not in self._standing
            }
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
