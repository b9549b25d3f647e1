"""Why turns wait: for a slot, their share, a turn that runs alone, or the machine."""

import asyncio
from collections.abc import Callable, Collection
from datetime import datetime

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.turns.crowd_store import DelayedTurn, read_unbegun, read_waiting_turns
from bot.turns.shares import ShareOf, Urgency
from bot.turns.shortage import Shortage


class Crowd:
    """The turns that wait, for notices to people. The engine updates it."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        share_of: ShareOf,
        per_person: int,
        running: Collection[str],
        trying: Callable[[], bool],
    ) -> None:
        """`running` are the sessions with a running turn.

        `trying` says whether turns run alone now, to find the one that crashes the process.
        """
        self._database = database
        self._clock = clock
        self._share_of = share_of
        self._per_person = per_person
        self._running = running
        self.trying = trying
        self.shortage = Shortage(clock, self._changed)
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
        for turn, session in await read_unbegun(self._database, before, self._clock.now()):
            share = self._share_of(session)
            if (
                share.urgency is Urgency.REQUEST
                and session not in self._running
                and len(oldest) < most
            ):
                oldest.setdefault(share.owner, turn)
        found = await read_waiting_turns(self._database, list(oldest.values()))
        return {self._share_of(turn.session).owner: turn for turn in found}

    def short(self, before: datetime, most: int) -> dict[str, DelayedTurn]:
        """By person, their oldest turn that has waited for the machine since before a moment."""
        oldest: dict[str, DelayedTurn] = {}
        for turn in self.shortage.since(before):
            share = self._share_of(turn.session)
            if share.urgency is not Urgency.BACKGROUND and len(oldest) < most:
                oldest.setdefault(share.owner, turn)
        return oldest

    def share_used(self, session: str) -> int:
        """The number of running turns of this session's person if that is their maximum; else 0."""
        share = self._share_of(session)
        running = sum(self._share_of(other) == share for other in self._running)
        return running if running >= self._per_person else 0
