"""The nightly look for ways of working that recur, beside distillation."""

import asyncio
import logging
from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.memory.settings import MemorySettings
from bot.memory.summaries.store import public_summaries
from bot.sessions.learning.consent import Learning
from bot.sessions.learning.memory_passes import EVERY_S, latest
from bot.skills.playbook_candidates import (
    Recurring,
    SessionWork,
    keep_candidates,
    recurring,
    shareable_work,
)
from bot.tools.catalog.catalog import ToolCatalog

log = logging.getLogger(__name__)


class RecurringWork:
    """Looks once after `memory.distill_at`, and once after each start.

    The same summaries give the same files.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        catalog: ToolCatalog,
        learning: Learning,
        home: Path,
        timezone: str,
        settings: MemorySettings,
    ) -> None:
        self._database, self._clock, self._catalog = database, clock, catalog
        self._learning = learning
        self._home, self._timezone = home, timezone
        self._settings = settings
        self._looked_at: datetime | None = None

    async def run(self) -> None:
        """Run until cancelled. Raises StorageError if the database fails."""
        while True:
            now = self._clock.now()
            night = latest(self._settings.distill_time, self._timezone, now)
            if self._looked_at is None or self._looked_at < night:
                await self._look_quietly()
                self._looked_at = now
            await self._clock.sleep(EVERY_S)

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
        summaries = await public_summaries(self._database)
        work = await asyncio.to_thread(shareable_work, summaries)
        found = await self._allowed(work)
        if not found:
            return []
        return await asyncio.to_thread(keep_candidates, self._home, found, self._one_liner)

    async def _allowed(self, work: Collection[SessionWork]) -> list[Recurring]:
        """Recurring work without sessions of places where learning is no longer allowed."""
        found = await asyncio.to_thread(recurring, list(work))
        closed = await self._learning.forbidden(
            [session for one in found for session in one.sessions]
        )
        if not closed:
            return found
        return await asyncio.to_thread(
            recurring, [one for one in work if one.session not in closed]
        )

    def _one_liner(self, tool: str) -> str:
        return next((one.one_liner for one in self._catalog.anywhere(tool)), "")
