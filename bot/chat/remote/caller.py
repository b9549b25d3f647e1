"""The caller's side: sends calls as notices, and waits for their answers."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from bot.chat.remote.calls import ONCE, AdapterCall, result_from_json
from bot.chat.remote.notes import (
    EVERYBODY,
    GATEWAYS,
    CallAnswered,
    CallDeclined,
    Go,
    Note,
    Offer,
    Serving,
    Taken,
    note_from_text,
    note_to_text,
)
from bot.domain.processes import Notices
from bot.errors import DeliveryError

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Patience:
    """How long a caller waits."""

    again: float = 1.0
    """Seconds between two notes about the same call, because each may be lost."""
    unserved: float = 15.0
    """Seconds that gateways have to accept a call."""
    gone: float = 10.0
    """Seconds that a gateway has for its next note about an accepted call."""


@dataclass
class _Open:
    """A call without an answer yet."""

    offer: Offer
    heard: float
    """The time of the last note about the call from a gateway."""
    by: str = ""
    """The gateway that took the call."""
    end: CallAnswered | CallDeclined | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the call was taken, and when it ended."""


class Caller:
    """Calls that gateways make for this process, and their answers."""

    def __init__(self, notices: Notices, process: str, patience: Patience | None = None) -> None:
        """`process` names this process; no other process has or had this name."""
        self.process = process
        self._notices = notices
        self._patience = patience or Patience()
        self._open: dict[str, _Open] = {}
        self._on_served: list[Callable[[str], None]] = []
        notices.listen(process, self._heard)
        notices.listen(EVERYBODY, self._heard)

    def on_served(self, then: Callable[[str], None]) -> None:
        """Have `then` called with each line that another gateway begins to serve."""
        self._on_served.append(then)

    def tell(self, note: Note) -> None:
        """Send a note to all gateways, without waiting for an answer."""
        self._notices.post(GATEWAYS, note_to_text(note))

    async def call(self, line: str, call: AdapterCall) -> Any:
        """Let the gateway that serves a line make a call.

        Raises DeliveryError: what the platform said, or retryable when no gateway took the call, or
        the gateway was lost before it answered. Then a call of `ONCE` may have been made.
        """
        offer = Offer(uuid4().hex, self.process, line, call, call.method not in ONCE)
        waiting = _Open(offer, asyncio.get_running_loop().time())
        self._open[offer.id] = waiting
        try:
            end = await self._end_of(waiting)
        finally:
            del self._open[offer.id]
        if isinstance(end, CallDeclined):
            raise DeliveryError(end.error, retryable=end.retryable)
        try:
            return result_from_json(call, end.value)
        except ValueError as error:
            raise DeliveryError(f"the gateway gave no answer to {call.method}") from error

    async def _end_of(self, waiting: _Open) -> CallAnswered | CallDeclined:
        """Repeat the note of a call until the call ends."""
        while waiting.end is None:
            waiting.news.clear()
            self._say(waiting)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._patience.again):
                    await waiting.news.wait()
                continue
            silent = asyncio.get_running_loop().time() - waiting.heard
            if waiting.by and silent >= self._patience.gone:
                return _lost(waiting.offer)
            if not waiting.by and silent >= self._patience.unserved:
                platform = waiting.offer.line.partition("/")[0]
                return CallDeclined(waiting.offer.id, f"no gateway serves {platform} now", True)
        return waiting.end

    def _say(self, waiting: _Open) -> None:
        if waiting.by:
            self._notices.post(waiting.by, note_to_text(Go(waiting.offer.id, self.process)))
        else:
            self.tell(waiting.offer)

    # --- notes of gateways ---

    def _heard(self, text: str) -> None:
        match note_from_text(text):
            case Taken(id_, by):
                self._taken(id_, by)
            case CallAnswered(id_) | CallDeclined(id_) as end:
                self._ended(id_, end)
            case Serving(line, by):
                self._served(line, by)
            case other:
                log.debug("note=<%s> | is not for a caller", other.note)

    def _taken(self, id_: str, by: str) -> None:
        waiting = self._open.get(id_)
        if waiting is None or waiting.by not in {"", by}:
            return
        waiting.heard = asyncio.get_running_loop().time()
        if not waiting.by:
            waiting.by = by
            waiting.news.set()

    def _ended(self, id_: str, end: CallAnswered | CallDeclined) -> None:
        """An answer is dropped if its caller has gone."""
        waiting = self._open.get(id_)
        if waiting is not None and waiting.end is None:
            waiting.end = end
            waiting.news.set()

    def _served(self, line: str, by: str) -> None:
        for waiting in list(self._open.values()):
            if waiting.offer.line == line and waiting.by != by:
                if waiting.by:
                    self._ended(waiting.offer.id, _lost(waiting.offer))
                waiting.news.set()  # offered again at once
        for then in self._on_served:
            then(line)


def _lost(offer: Offer) -> CallDeclined:
    unknown = "" if offer.at_once else "; nobody knows whether it was made"
    return CallDeclined(offer.id, f"the gateway that took this call is gone{unknown}", True)
