"""One look at all running parts: for /health, `bellhop doctor --live` and /status."""

import asyncio
import logging

from bot import __version__
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.health import Health
from bot.domain.turns import TurnEngine
from bot.errors import StorageError
from bot.sessions.inbox.platforms import Platforms
from bot.sessions.outbox.outbox_store import count_pending

log = logging.getLogger(__name__)

PATIENCE_S = 5.0
"""The time limit for the database's answer."""


class Checkup:
    """Looks at the engine, the database and the platforms of this process."""

    def __init__(
        self, database: Database, engine: TurnEngine, platforms: Platforms, clock: Clock
    ) -> None:
        self._database = database
        self._engine = engine
        self._platforms = platforms
        self._clock = clock
        self._started = clock.monotonic()

    async def look(self, *, probe: bool = False) -> Health:
        """The current state. `probe`: ask the platforms first, which takes up to 10 seconds."""
        if probe:
            await self._platforms.probe()
        running = waiting = pending = 0
        ok = True
        try:
            async with asyncio.timeout(PATIENCE_S):
                running, waiting = await self._engine.load()
                pending = await count_pending(self._database)
        except (StorageError, TimeoutError) as error:
            log.error("error=<%s> | the database does not answer", error)  # noqa: TRY400 - the next look comes soon
            ok = False
        uptime = self._clock.monotonic() - self._started
        return Health(
            __version__, uptime, ok, running, waiting, pending, self._platforms.liveness()
        )
