"""The gateway's side: lines of platforms, and the calls of other processes on them.

Gateways share the lines; each line is held by one gateway.
"""

import asyncio
import logging
import math
from collections import OrderedDict, defaultdict
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.chat.remote.calls import GatewayLine, KeepFile, ShownLive, make_call
from bot.chat.remote.notes import (
    EVERYBODY,
    GATEWAYS,
    CallAnswered,
    CallDeclined,
    Go,
    Here,
    LiveOpened,
    LiveShown,
    Offer,
    Serving,
    Taken,
    note_from_text,
    note_to_text,
    update_from_json,
)
from bot.domain.chat import Accept, Alive, ChatAdapter, Probed, Skips
from bot.domain.json_types import JsonObject
from bot.domain.lines import lock_of
from bot.domain.processes import Locks, Notices
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


_LEAVE_S = 10.0


@dataclass(frozen=True)
class Pulse:
    """How quickly gateways notice each other."""

    here: float = 2.0
    """Seconds between two notes that this gateway is alive."""
    gone: float = 7.0
    """Seconds of silence after which a gateway no longer counts."""
    look: float = 1.0
    """Seconds between two tries to take a line."""
    left_over: float = 10.0
    """Seconds after which a gateway with its full share also takes a free line."""


class Shares:
    """The share of this gateway: its number of lines, and those that it holds.

    The gateways announce themselves to each other, and each takes an even share. If a gateway dies
    or can't connect, its lines stay free for a while; then any gateway takes them.
    """

    def __init__(self, notices: Notices, process: str, pulse: Pulse = Pulse()) -> None:
        self.pulse = pulse
        self._notices = notices
        self._me = process
        self._heard: dict[str, float] = {}
        self._lines: defaultdict[str, list[str]] = defaultdict(list)
        self._held: defaultdict[str, set[str]] = defaultdict(set)
        notices.listen(GATEWAYS, self._hear)

    async def run(self) -> None:
        """Announce this gateway until cancelled."""
        while True:
            self._notices.post(GATEWAYS, note_to_text(Here(self._me)))
            await asyncio.sleep(self.pulse.here)

    def add(self, platform: str, line: str) -> None:
        """Add a line."""
        self._lines[platform].append(line)

    def hold(self, platform: str, line: str) -> None:
        self._held[platform].add(line)

    def let_go(self, platform: str, line: str) -> None:
        self._held[platform].discard(line)

    def has_room(self, platform: str) -> bool:
        """Whether another line of this platform belongs to the share of this gateway."""
        return len(self._held[platform]) < self._share(platform)

    def is_too_much(self, platform: str, line: str) -> bool:
        """Whether this line belongs to another gateway, which came later."""
        held = [one for one in self._lines[platform] if one in self._held[platform]]
        return line in held[self._share(platform) :]

    def _share(self, platform: str) -> int:
        now = asyncio.get_running_loop().time()
        others = sum(1 for at in self._heard.values() if now - at < self.pulse.gone)
        return math.ceil(len(self._lines[platform]) / (1 + others))

    def _hear(self, text: str) -> None:
        note = note_from_text(text)
        if isinstance(note, Here) and note.by != self._me:
            self._heard[note.by] = asyncio.get_running_loop().time()


@dataclass(eq=False)
class HeldLine:
    """Runs the adapter of one line while this gateway holds the line.

    Supervised like an adapter. `listens_anyway`: the platform gives each event to any gateway, so
    the adapter hears without the line, and only calls wait for it.
    """

    line: str
    adapter: ChatAdapter
    desk: CallDesk
    locks: Locks
    shares: Shares
    listens_anyway: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        self._lock = lock_of(self.line)
        self.is_held = False
        self.shares.add(self.adapter.platform, self.line)

    @property
    def platform(self) -> str:
        """The name of the line, which is unique within its platform."""
        return self.line

    async def run(self, accept: Accept) -> None:
        """Serve the line whenever it is this gateway's; raises what ends its adapter."""
        if not self.listens_anyway:
            while True:
                await self._take()
                await self._serve(self.adapter.run(accept))
        async with asyncio.TaskGroup() as group:
            group.create_task(self.adapter.run(accept))
            while True:
                await self._take()
                await self._serve(None)

    def last_frame(self) -> float | None:
        """Implements domain.chat.Alive; another gateway's line may well be silent here."""
        hears = self.is_held or self.listens_anyway
        return self.adapter.last_frame() if hears and isinstance(self.adapter, Alive) else None

    def skipped(self) -> int:
        """Implements domain.chat.Skips."""
        return self.adapter.skipped() if isinstance(self.adapter, Skips) else 0

    async def probe(self) -> None:
        """Implements domain.chat.Probed."""
        if self.is_held and isinstance(self.adapter, Probed):
            await self.adapter.probe()

    async def _take(self) -> None:
        """Wait until the line is this gateway's."""
        said, free_since = False, 0.0
        loop = asyncio.get_running_loop()
        while True:
            try:
                if self.shares.has_room(self.adapter.platform) or (
                    free_since and loop.time() - free_since > self.shares.pulse.left_over
                ):
                    if await self.locks.take(self._lock):
                        return
                    free_since = 0.0
                elif await self.locks.held(self._lock):
                    free_since = 0.0
                else:
                    free_since = free_since or loop.time()
            except StorageError as error:
                log.debug("line=<%s>, error=<%s> | could not be asked for", self.line, error)
            if not said:
                said = True
                log.info(
                    "line=<%s> | another gateway serves it; this one takes over when that ends",
                    self.line,
                )
            await asyncio.sleep(self.shares.pulse.look)

    async def _serve(self, running: Coroutine[Any, Any, None] | None) -> None:
        """Serve until the line is lost or given up; raises what ends the adapter."""
        self.is_held = True
        self.shares.hold(self.adapter.platform, self.line)
        self.desk.serve(self.line, self.adapter)
        log.info("line=<%s> | this gateway serves it", self.line)
        lost = asyncio.create_task(self.locks.lost(self._lock), name=f"lost-{self.line}")
        tasks = [
            lost,
            asyncio.create_task(self._until_too_much(), name=f"share-{self.line}"),
        ]
        if running is not None:
            tasks.append(asyncio.create_task(running, name=f"line-{self.line}"))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if running is not None and tasks[-1].done():
                tasks[-1].result()
                raise DeliveryError(f"the adapter of {self.line} ended", retryable=True)
            log.warning("line=<%s> | given up: another gateway may serve it now", self.line)
        finally:
            self.is_held = False
            if lost.done():
                self.desk.lose(self.line)
            else:
                self.desk.leave(self.line)
            await self._end(tasks)
            self.shares.let_go(self.adapter.platform, self.line)
            await self.locks.release(self._lock)

    async def _end(self, tasks: Sequence[asyncio.Task[None]]) -> None:
        """Cancel tasks again and again: a library may lose a cancellation as its wait ends."""
        while left := [task for task in tasks if not task.done()]:
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=_LEAVE_S)

    async def _until_too_much(self) -> None:
        while not self.shares.is_too_much(self.adapter.platform, self.line):  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(self.shares.pulse.look)
