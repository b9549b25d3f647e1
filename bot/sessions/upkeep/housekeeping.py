"""Housekeeping: sessions end, approvals and questions expire, old turns are deleted.

See docs/rules.md#conversations-and-sessions.
"""

from datetime import timedelta

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.sessions import SessionKey
from bot.domain.turns import TurnEngine
from bot.sessions.records.past_session_store import idle_sessions
from bot.sessions.records.session_store import end_write
from bot.sessions.upkeep.expiry import Expiries
from bot.sessions.upkeep.purging import Purging
from bot.tools.permission.approvals import ApprovalStore

EVERY = timedelta(minutes=5)


class Housekeeping:
    """Runs beside the turns; each pass is short and may be interrupted anywhere."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        engine: TurnEngine,
        approvals: ApprovalStore,
        idle: timedelta,
        purging: Purging,
        expiries: Expiries,
    ) -> None:
        self._database = database
        self._clock = clock
        self._engine = engine
        self._approvals = approvals
        self._idle = idle
        self._purging = purging
        self._expiries = expiries

    async def run(self) -> None:
        """One pass every five minutes, until cancelled. Raises StorageError."""
        while True:
            await self.end_idle_sessions()
            await self._expiries.close()
            await self._purging.look()
            await self._clock.sleep(EVERY.total_seconds())

    async def end_idle_sessions(self) -> int:
        """End idle sessions without an open turn, question or approval."""
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
        conversation = key.conversation_key
        return (
            await self._engine.under_way(session)
            or await self._engine.waiting(session) > 0
            or await self._engine.open_question(conversation, key.person) is not None
            or await self._approvals.open_in_session(session)
        )
