"""Lines of platforms, which gateways share; each line is held by one gateway."""

import asyncio
import logging
import math
from collections import defaultdict
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.chat.remote.desk import CallDesk
from bot.chat.remote.notes import GATEWAYS, Here, note_from_text, note_to_text
from bot.domain.chat import Accept, Alive, ChatAdapter, Probed, Skips
from bot.domain.lines import lock_of
from bot.domain.processes import Locks, Notices
from bot.errors import DeliveryError, StorageError

log = logging.getLogger(__name__)

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
