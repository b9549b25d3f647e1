"""The gateway's side: makes the calls of other processes on the lines that it serves."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from bot.chat.remote.calls import GatewayLine, KeepFile, ShownLive, make_call
from bot.chat.remote.notes import (
    EVERYBODY,
    GATEWAYS,
    CallAnswered,
    CallDeclined,
    Go,
    LiveOpened,
    LiveShown,
    Offer,
    Serving,
    Taken,
    note_from_text,
    note_to_text,
    update_from_json,
)
from bot.domain.chat import ChatAdapter
from bot.domain.json_types import JsonObject
from bot.domain.processes import Notices
from bot.errors import DeliveryError, StorageError

log = logging.getLogger(__name__)

_REMEMBERED = 2_000
"""The most remembered calls with their answers, because a note may come twice."""
SILENT_S = 45.0
"""A live view without updates for this long is closed, because its process is gone."""

_GIVEN_UP = "the gateway ended meanwhile, or lost the line"


@dataclass
class _Taken:
    """A call that this gateway accepted."""

    offer: Offer
    at: GatewayLine
    begun: asyncio.Task[None] | None = None
    end: CallAnswered | CallDeclined | None = None


class CallDesk:
    """Lines that this gateway serves, each with the adapter that is connected there."""

    def __init__(self, notices: Notices, process: str, keep_file: KeepFile) -> None:
        """`process` names this process; no other process has or had this name."""
        self._me = f"{process}-desk"
        self._notices = notices
        self._keep_file = keep_file
        self._lines: dict[str, GatewayLine] = {}
        self._taken: OrderedDict[str, _Taken] = OrderedDict()
        self._lives: dict[str, ShownLive] = {}
        self._work: set[asyncio.Task[None]] = set()
        notices.listen(GATEWAYS, self._heard)
        notices.listen(self._me, self._heard)

    def serve(self, line: str, adapter: ChatAdapter) -> None:
        """Accept the calls of a line from now on, and announce it."""
        self._lines[line] = GatewayLine(adapter, self._keep_file, self._lives)
        self._notices.post(EVERYBODY, note_to_text(Serving(line, self._me)))

    def leave(self, line: str) -> None:
        """Accept no more calls of a line; accepted ones continue."""
        self._lines.pop(line, None)

    def lose(self, line: str) -> None:
        """Leave a line that another gateway may serve already, and give up its running calls."""
        self.leave(line)
        for taken in self._taken.values():
            if taken.offer.line == line:
                self._give_up(taken)

    def serves(self, line: str) -> GatewayLine | None:
        """The line, here; None while another gateway serves it."""
        return self._lines.get(line)

    async def run(self) -> None:
        """Close live views whose process is gone, until cancelled; then give up running calls."""
        try:
            while True:
                await asyncio.sleep(SILENT_S / 3)
                now = asyncio.get_running_loop().time()
                for id_, shown in list(self._lives.items()):
                    if now - shown.heard > SILENT_S and self._lives.pop(id_, None):
                        await shown.live.close()
        finally:
            for taken in self._taken.values():
                self._give_up(taken)
            for task in self._work:
                task.cancel()

    # --- notes ---

    def _heard(self, text: str) -> None:
        match note_from_text(text):
            case Offer() as offer:
                self._offered(offer)
            case Go(id_, caller):
                self._go(id_, caller)
            case LiveOpened() as opened:
                self._live_opened(opened)
            case LiveShown(id_, updates):
                self._live_shown(id_, updates)
            case other:
                log.debug("note=<%s> | is not for a gateway", other.note)

    def _offered(self, offer: Offer) -> None:
        taken = self._taken.get(offer.id)
        if taken is None:
            at = self._lines.get(offer.line)
            if at is None:
                return
            taken = self._taken[offer.id] = _Taken(offer, at)
            while len(self._taken) > _REMEMBERED:
                self._taken.popitem(last=False)
            if offer.at_once:
                self._begin(taken)
                return
        self._say_how_it_stands(taken)

    def _go(self, id_: str, caller: str) -> None:
        taken = self._taken.get(id_)
        if taken is None:
            forgotten = CallDeclined(id_, "the gateway forgot this call", retryable=True)
            self._notices.post(caller, note_to_text(forgotten))
        elif taken.begun is None and taken.end is None:
            self._begin(taken)
        else:
            self._say_how_it_stands(taken)

    def _say_how_it_stands(self, taken: _Taken) -> None:
        note = taken.end or Taken(taken.offer.id, self._me)
        self._notices.post(taken.offer.caller, note_to_text(note))

    # --- calls ---

    def _begin(self, taken: _Taken) -> None:
        taken.begun = self._start(self._make(taken), f"call-{taken.offer.call.method}")

    async def _make(self, taken: _Taken) -> None:
        offer = taken.offer
        try:
            taken.end = CallAnswered(offer.id, await make_call(taken.at, offer.call))
        except DeliveryError as error:
            taken.end = CallDeclined(offer.id, str(error), error.retryable)
        except StorageError as error:
            taken.end = CallDeclined(offer.id, str(error), retryable=True)
        except asyncio.CancelledError:
            self._give_up(taken)
            raise
        except Exception as error:
            log.exception("call=<%s>, line=<%s> | failed", offer.call.method, offer.line)
            broken = f"{offer.call.method} failed at the gateway: {type(error).__name__}"
            taken.end = CallDeclined(offer.id, broken, retryable=True)
        self._say_how_it_stands(taken)

    def _give_up(self, taken: _Taken) -> None:
        """End a call and say so here: a task that has not yet begun says nothing when cancelled."""
        if taken.end is not None:
            return
        taken.end = CallDeclined(taken.offer.id, _GIVEN_UP, retryable=True)
        if taken.begun is not None:
            taken.begun.cancel()
        self._say_how_it_stands(taken)

    # --- live views ---

    def _live_opened(self, opened: LiveOpened) -> None:
        at = self._lines.get(opened.line)
        if at is None or opened.id in self._lives:
            return
        for id_, shown in list(self._lives.items()):
            if (shown.line, shown.turn) == (opened.line, opened.turn):
                # The turn runs anew in another process, which has its own draft.
                self._start(at.close_live(id_), "close-live")
        live = at.adapter.live(opened.target, opened.turn, opened.key)
        now = asyncio.get_running_loop().time()
        self._lives[opened.id] = ShownLive(opened.line, opened.turn, live, now)

    def _live_shown(self, id_: str, updates: list[JsonObject]) -> None:
        shown = self._lives.get(id_)
        if shown is None:
            return
        shown.heard = asyncio.get_running_loop().time()
        for update in updates:
            shown.live.show(update_from_json(update))

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task
