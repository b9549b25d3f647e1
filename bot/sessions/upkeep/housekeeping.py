"""Housekeeping: sessions end, approvals and questions expire, old turns are deleted.

The waiting are told once. See docs/rules.md#conversations-and-sessions and
docs/rules.md#approvals.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.domain.approvals import SHARE, Approval
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.messages import OutgoingMessage
from bot.domain.sessions import SessionKey
from bot.domain.turns import TurnEngine
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.outbox.outbox_store import notice_write, say_unit
from bot.sessions.people.pairing import PAIR
from bot.sessions.records.envelope import incoming_from_json
from bot.sessions.records.past_session_store import idle_sessions
from bot.sessions.records.session_store import end_write
from bot.sessions.upkeep.purging import Purging
from bot.sessions.wording import apology_phrases, waiting_phrases
from bot.sessions.wording.endings import language_for
from bot.tools.budget.extending import EXTEND_BUDGET
from bot.tools.permission.approvals import ApprovalStore
from bot.turns.refs import make_ref

log = logging.getLogger(__name__)


QUESTION_LIFE = timedelta(days=1)
"""An unanswered question is dropped then; the request that asked it ends, and says so."""


@dataclass(frozen=True)
class Expiries:
    """Closes overdue questions. A notice enters the outbox in the unit that closes the approval.

    `expired` is called with each expired approval, or turn with an expired question.
    """

    engine: TurnEngine
    approvals: ApprovalStore
    outbox: Outbox
    clock: Clock
    expired: Callable[[str], None] = lambda _ref: None

    async def close(self) -> None:
        """One pass.

        The turn of an expired question stops by itself and says so. Raises StorageError.
        """
        closed = await self.approvals.expire(self._notice)
        for approval in closed:
            self.expired(approval.ref)
            log.info("approval=<%s>, tool=<%s> | expired", approval.ref, approval.tool)
        if closed:
            self.outbox.retries.wake()
        for question in await self.engine.expire_questions(self.clock.now() - QUESTION_LIFE):
            self.expired(make_ref("t", question.turn))
            log.info("question=<%s>, person=<%s> | expired", question.ref, question.person)

    def _notice(self, approval: Approval) -> Unit:
        """Tell the asker in the place, and the agent by visible text; not for proposed runs."""
        # A used-up budget was reported; calls that share a card expire with it.
        if not approval.envelope or approval.bundle or approval.tool == EXTEND_BUDGET:
            return Unit()
        message = incoming_from_json(approval.envelope)
        now, key = self.clock.now(), f"expired-{approval.ref}/say"
        target = replace(message.reply_to, interaction=None)
        own = {PAIR: waiting_phrases.PAIRING_EXPIRED, SHARE: apology_phrases.SHARE_EXPIRED}
        phrase = own.get(approval.tool, apology_phrases.APPROVAL_EXPIRED)
        text = phrase.said(language_for(message), ref=approval.ref, tool=approval.tool)
        outgoing = OutgoingMessage(target, text)
        if target.ephemeral_to is not None:
            return Unit.of(notice_write(key, approval.person, outgoing, now))
        return say_unit(key, approval.person, outgoing, approval.agent, now)


EVERY = timedelta(minutes=5)


@dataclass(frozen=True)
class Housekeeping:
    """Runs beside the turns; each pass is short and may be interrupted anywhere."""

    database: Database
    clock: Clock
    engine: TurnEngine
    approvals: ApprovalStore
    idle: timedelta
    purging: Purging
    expiries: Expiries

    async def run(self) -> None:
        """One pass every five minutes, until cancelled. Raises StorageError."""
        while True:
            await self.end_idle_sessions()
            await self.expiries.close()
            await self.purging.look()
            await self.clock.sleep(EVERY.total_seconds())

    async def end_idle_sessions(self) -> int:
        """End idle sessions without an open turn, question or approval."""
        now = self.clock.now()
        ended = 0
        for row in await idle_sessions(self.database, now - self.idle):
            if await self._in_use(SessionKey.parse(row["session_key"])):
                continue
            await self.database.write(Unit.of(end_write(row["id"], "idle", now)))
            ended += 1
        return ended

    async def _in_use(self, key: SessionKey) -> bool:
        session = str(key)
        conversation = key.conversation_key
        return (
            await self.engine.under_way(session)
            or await self.engine.waiting(session) > 0
            or await self.engine.open_question(conversation, key.person) is not None
            or await self.approvals.open_in_session(session)
        )
