"""Ways of working that recur: looked for each night beside distillation, and for one person.

What one person is offered, as a skill of their own, holds names of tools and their order: nothing
that anybody said. So it names no person, place or thing, and nobody else sees the skill.
"""

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.memory.settings import MemorySettings
from bot.memory.summaries.store import public_summaries, summaries_of
from bot.sessions.learning.consent import Learning
from bot.sessions.learning.memory_passes import DISTILL_AT, EVERY_S, latest
from bot.skills.playbook_candidates import (
    Recurring,
    SessionWork,
    keep_candidates,
    own_work,
    recurring,
    shareable_work,
)
from bot.tools.catalog.catalog import ToolCatalog

log = logging.getLogger(__name__)


@dataclass(eq=False)
class RecurringWork:
    """Looks once after the nightly learning, and once after each start.

    The same summaries give the same files.
    """

    database: Database
    clock: Clock
    catalog: ToolCatalog
    learning: Learning
    home: Path
    timezone: str
    settings: MemorySettings
    _looked_at: datetime | None = None

    async def run(self) -> None:
        """Run until cancelled. Raises StorageError if the database fails."""
        while True:
            now = self.clock.now()
            night = latest(DISTILL_AT, self.timezone, now)
            if self._looked_at is None or self._looked_at < night:
                await self._look_quietly()
                self._looked_at = now
            await self.clock.sleep(EVERY_S)

    async def _look_quietly(self) -> None:
        try:
            added = await self.look()
        except OSError:
            log.exception("playbook candidates can't be written now, tried again tomorrow")
            return
        if added:
            log.info("candidates=<%s> | found ways of working that recur", ", ".join(added))

    async def look(self) -> list[str]:
        """Write candidates for recurring work; returns the slugs of new ones.

        Raises StorageError, OSError.
        """
        summaries = await public_summaries(self.database)
        work = await asyncio.to_thread(shareable_work, summaries)
        found = await self._allowed(work)
        if not found:
            return []
        return await asyncio.to_thread(keep_candidates, self.home, found, self._one_liner)

    async def _allowed(self, work: Collection[SessionWork]) -> list[Recurring]:
        """Recurring work without sessions of places where learning is no longer allowed."""
        found = await asyncio.to_thread(recurring, list(work))
        closed = await self.learning.forbidden(
            [session for one in found for session in one.sessions]
        )
        if not closed:
            return found
        return await asyncio.to_thread(
            recurring, [one for one in work if one.session not in closed]
        )

    def _one_liner(self, tool: str) -> str:
        return next((one.one_liner for one in self.catalog.anywhere(tool)), "")


MOST = 10
TASK = "For what the person asks, use these tools in this order. Ask for what is missing."


@dataclass(frozen=True)
class OwnWays:
    """Looks at a person's own summaries, wherever they talked."""

    database: Database
    learning: Learning

    async def of(self, person: str) -> Sequence[Recurring]:
        """The most frequent first; without places where nothing is learned. Raises StorageError."""
        work = await asyncio.to_thread(own_work, await summaries_of(self.database, person))
        closed = await self.learning.forbidden([one.session for one in work])
        open_ = [one for one in work if one.session not in closed]
        return (await asyncio.to_thread(recurring, open_))[:MOST]


def steps_of(way: Recurring) -> str:
    """The text of the skill that one becomes."""
    steps = [f"{number}. `{tool}`" for number, tool in enumerate(way.tools, 1)]
    return "\n".join([TASK, *steps])
