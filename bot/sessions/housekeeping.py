"""What happens without anybody asking: sessions end, approvals and questions expire, old turns go (ruling 35)."""

import logging
from datetime import timedelta

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.sessions import SessionKey
from bot.domain.turns import TurnEngine
from bot.sessions.expiry import Expiries
from bot.sessions.store import end_write, ended_before, idle_sessions, purge_unit
from bot.tools.approvals import ApprovalStore

log = logging.getLogger(__name__)

EVERY = timedelta(minutes=5)
PURGE_EVERY = timedelta(hours=6)


class Housekeeping:
    """Runs beside the turns; each pass is short and may be cut off anywhere."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        engine: TurnEngine,
        approvals: ApprovalStore,
        idle: timedelta,
        keep: timedelta,
        expiries: Expiries,
    ) -> None:
        self._database = database
        self._clock = clock
        self._engine = engine
        self._approvals = approvals
        self._idle = idle
        self._keep = keep
        self._expiries = expiries

    async def run(self) -> None:
        """One pass every five minutes, until cancelled. Raises StorageError."""
        purged = self._clock.now() - PURGE_EVERY
        while True:
            await self.end_idle_sessions()
            await self._expiries.close()
            if self._clock.now() - purged >= PURGE_EVERY:
                purged = self._clock.now()
                await self.purge()
            await self._clock.sleep(EVERY.total_seconds())

    async def end_idle_sessions(self) -> int:
        """End sessions that were idle too long; never while a turn, a question or an approval is open."""
        now = self._clock.now()
        ended = 0
        for row in await idle_sessions(self._database, now - self._idle):
            if await self._in_use(SessionKey.parse(row["session_key"])):
                continue
            await self._database.write(Unit.of(end_write(row["id"], "idle", now)))
            ended += 1
        return ended

    async def _in_use(self, key: SessionKey) -> bool:
        session = str(key)
        conversation = f"{key.platform}:{key.workspace}:{key.conversation}"
        return (
            self._engine.running(session)
            or await self._engine.waiting(session) > 0
            or await self._engine.open_question(conversation, key.person) is not None
            or await self._approvals.open_in_session(session)
        )

    async def purge(self) -> int:
        """Delete what `sessions.keep_days` says is old: turns with their steps, ended sessions with transcripts."""
        before = self._clock.now() - self._keep
        count = await self._engine.purge(before)
        while sessions := await ended_before(self._database, before, 50):
            await self._database.write(purge_unit(sessions))
            count += len(sessions)
        if count:
            log.info("rows=<%d>, before=<%s> | purged old turns and sessions", count, before.date())
        return count
