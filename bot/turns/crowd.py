"""Why turns wait: for a slot, their share, a turn that runs alone, or the machine.

A turn that fails because the machine is short of something is retried until it succeeds.
"""

import asyncio
import errno
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.turns.shares import ShareOf, Urgency
from bot.turns.store import Begun
from bot.turns.unsettled_store import DelayedTurn, read_unbegun, read_waiting_turns

log = logging.getLogger(__name__)

AGAIN_S = 5.0
"""Seconds before another attempt."""
_NO_DESCRIPTORS = frozenset({errno.EMFILE, errno.ENFILE})


def shortage_in(error: BaseException) -> str:
    """The exhausted resource that made an attempt fail; empty for other errors."""
    seen: BaseException | None = error
    while seen is not None:
        number = seen.errno if isinstance(seen, OSError) else None
        if number in _NO_DESCRIPTORS:
            return "file descriptors"
        if isinstance(seen, MemoryError) or number == errno.ENOMEM:
            return "memory"
        seen = seen.__cause__ or seen.__context__
    return ""


class Shortage:
    """Begun turns that wait for the machine.

    The log reports each shortage once, not at each attempt.
    """

    def __init__(self, clock: Clock, changed: Callable[[], None]) -> None:
        """`changed` is called when a shortage begins and when it is over."""
        self._clock = clock
        self._changed = changed
        self.turns: dict[int, DelayedTurn] = {}
        self._of = ""
        self._since = clock.now()

    @property
    def of(self) -> str:
        """The current shortage, in words; empty when there is none."""
        return self._of if self.turns else ""

    def met(self, begun: Begun, what: str, error: BaseException) -> None:
        """Record that an attempt failed because of a shortage."""
        now = self._clock.now()
        began = not self.turns
        self.turns.setdefault(begun.id, DelayedTurn(begun.id, begun.claim.session, begun.body, now))
        if not began:
            return
        self._of, self._since = what, now
        log.error(
            "short_of=<%s>, turn=<%d> | requests wait and are tried again every %.0f s; `ulimit "
            "-n`, the unit's"
            " LimitNOFILE and MemoryMax, or the container's limits say how much there may be",
            what, begun.id, AGAIN_S, exc_info=error,
        )  # fmt: skip
        self._changed()

    def got_on(self, turn: int) -> None:
        """Record that an attempt at one of `turns` met no shortage."""
        if self.turns.pop(turn, None) is not None and not self.turns:
            log.warning("short_of=<%s>, seconds=<%.0f> | over", self._of, self._lasted())
            self._changed()

    def _lasted(self) -> float:
        return (self._clock.now() - self._since).total_seconds()

    def since(self, before: datetime) -> list[DelayedTurn]:
        """Turns that have waited since before a moment, oldest first."""
        return [turn for turn in self.turns.values() if turn.since <= before]


@dataclass(eq=False)
class Crowd:
    """The turns that wait, for notices to people. The engine updates it."""

    database: Database
    clock: Clock
    share_of: ShareOf
    per_person: int
    running: Collection[str]
    """The sessions with a running turn."""
    trying: Callable[[], bool]
    """Whether turns run alone now, to find the one that crashes the process."""

    def __post_init__(self) -> None:
        self.shortage = Shortage(self.clock, self._changed)
        self.unbegun = False
        """Whether some work waits because it can't begin now."""
        self._there = asyncio.Event()

    def is_there(self, there: bool) -> None:
        """Set `unbegun`."""
        self.unbegun = there
        self._changed()

    def _changed(self) -> None:
        if self.unbegun or self.shortage.of:
            self._there.set()
        else:
            self._there.clear()

    async def appears(self) -> None:
        """Return when anything waits."""
        await self._there.wait()

    async def longest(self, before: datetime, most: int) -> dict[str, DelayedTurn]:
        """By person, the oldest request that was accepted before a moment and waits for a place.

        Leaves out requests behind a running turn of their own session.
        """
        oldest: dict[str, int] = {}
        for turn, session in await read_unbegun(self.database, before, self.clock.now()):
            share = self.share_of(session)
            if (
                share.urgency is Urgency.REQUEST
                and session not in self.running
                and len(oldest) < most
            ):
                oldest.setdefault(share.owner, turn)
        found = await read_waiting_turns(self.database, list(oldest.values()))
        return {self.share_of(turn.session).owner: turn for turn in found}

    def short(self, before: datetime, most: int) -> dict[str, DelayedTurn]:
        """By person, their oldest turn that has waited for the machine since before a moment."""
        oldest: dict[str, DelayedTurn] = {}
        for turn in self.shortage.since(before):
            share = self.share_of(turn.session)
            if share.urgency is not Urgency.BACKGROUND and len(oldest) < most:
                oldest.setdefault(share.owner, turn)
        return oldest

    def share_used(self, session: str) -> int:
        """The number of running turns of this session's person if that is their maximum; else 0."""
        share = self.share_of(session)
        running = sum(self.share_of(other) == share for other in self.running)
        return running if running >= self.per_person else 0
