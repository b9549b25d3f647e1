"""A live view that another process shows."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from uuid import uuid4

from bot.chat.remote.caller import Caller
from bot.chat.remote.calls import CloseLive
from bot.chat.remote.notes import LiveOpened, LiveShown, update_to_json
from bot.domain.chat import LiveUpdate, TextDelta, TextReset, WorkShown
from bot.domain.messages import ReplyTarget
from bot.errors import DeliveryError

log = logging.getLogger(__name__)

SHOWN_EVERY_S = 0.3
"""Seconds between two notes with updates; platforms edit their drafts more slowly."""
KEPT_EVERY_S = 10.0
"""Seconds between two notes that the turn of a view still runs."""

CLOSED_S = 3.0
"""Seconds that the end of a turn waits until its draft is removed."""


class RemoteLive:
    """Implements `domain.chat.LiveReply`. Many pieces of text are sent in few notices."""

    def __init__(self, caller: Caller, line: str, target: ReplyTarget, turn: str, key: str) -> None:
        self.id = uuid4().hex
        self.line = line
        self._caller = caller
        self._opened = LiveOpened(self.id, line, target, turn, key)
        self._all: list[LiveUpdate] = []
        """Everything that was shown, folded, for a gateway that takes over the line."""
        self._new: list[LiveUpdate] = []
        self._is_closed = False
        self._wake = asyncio.Event()
        caller.tell(self._opened)
        self._telling = asyncio.create_task(self._tell(), name=f"live-{turn}")

    def show(self, update: LiveUpdate) -> None:
        if not self._is_closed:
            fold(self._all, update)
            fold(self._new, update)
            self._wake.set()

    def open_again(self) -> None:
        """Open the view again on another gateway, which shows everything from the beginning."""
        if not self._is_closed:
            self._caller.tell(self._opened)
            self._new = list(self._all)
            self._wake.set()

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._telling.cancel()
        self.tell_now()
        try:
            async with asyncio.timeout(CLOSED_S):
                await self._caller.call(self.line, CloseLive(self.id))
        except (DeliveryError, TimeoutError) as error:
            log.debug("live=<%s>, error=<%s> | its draft may stay for a while", self.id, error)

    def tell_now(self) -> None:
        """Send new updates without waiting."""
        if self._new:
            self._tell_new()

    async def _tell(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(KEPT_EVERY_S):
                    await self._wake.wait()
            self._wake.clear()
            self._tell_new()
            await asyncio.sleep(SHOWN_EVERY_S)

    def _tell_new(self) -> None:
        new, self._new = self._new, []
        self._caller.tell(LiveShown(self.id, [update_to_json(update) for update in new]))


def fold(updates: list[LiveUpdate], update: LiveUpdate) -> None:
    """Add an update; new text extends the last text, a reset drops it, a line replaces the last."""
    last = updates[-1] if updates else None
    if isinstance(update, TextDelta) and isinstance(last, TextDelta):
        updates[-1] = replace(last, text=last.text + update.text)
        return
    if isinstance(update, WorkShown):
        updates[:] = [one for one in updates if not isinstance(one, WorkShown)]
    if isinstance(update, TextReset):
        updates[:] = [one for one in updates if not isinstance(one, TextDelta | TextReset)]
    updates.append(update)
