"""Housekeeping: sessions end, approvals and questions expire, old turns and data are deleted.

The waiting are told once. Data is deleted in small units with pauses, and never by a clock that may
be wrong. See docs/rules.md#conversations-and-sessions and docs/rules.md#approvals.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from bot.agents.cycle_log.log_store import CycleLog
from bot.automations.store import purge_events
from bot.domain.approvals import SHARE, Approval
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.languages import Phrase
from bot.domain.messages import OutgoingMessage
from bot.domain.sessions import SessionKey
from bot.files.store import purge_versions
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.outbox.outbox_store import notice_write, say_unit
from bot.sessions.people.pairing import PAIR
from bot.sessions.records.envelope import incoming_from_json
from bot.sessions.records.past_session_store import ended_before, idle_sessions, purge_unit
from bot.sessions.records.recovery_store import newest_heard, still_deliverable
from bot.sessions.records.session_store import end_write
from bot.sessions.upkeep import purge_store
from bot.sessions.wording.languages import language_for
from bot.tools.budget.extending import EXTEND_BUDGET
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.running import undo_store
from bot.turns.engine import TurnEngine
from bot.turns.refs import make_ref
from bot.turns.schedules.store import purge_ticks

log = logging.getLogger(__name__)

PURGE_EVERY = timedelta(hours=6)
_PAUSE_S = 0.1
_SESSIONS_AT_ONCE = 5
_JUMP_S = 60.0
"""How far wall clock and elapsed time may differ before the clock counts as changed."""
STEADY = timedelta(hours=1)
"""How long the clock must have run evenly before anything is deleted by it."""


class _SteadyClock:
    """Watches whether the wall clock runs evenly: it may be set, or start out wrong."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wall, self._passed = clock.now(), clock.monotonic()
        self._since = self._passed

    def steady(self) -> timedelta:
        """How long it has run evenly, according to the looks so far."""
        wall, passed = self._clock.now(), self._clock.monotonic()
        drift = (wall - self._wall) / timedelta(seconds=1) - (passed - self._passed)
        if abs(drift) > _JUMP_S:
            log.warning("seconds=<%.0f> | the clock jumped; nothing is purged for an hour", drift)
            self._since = passed
        self._wall, self._passed = wall, passed
        return timedelta(seconds=passed - self._since)


class Purging:
    """Deletes data older than `sessions.keep_days`, and frees its space."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        engine: TurnEngine,
        cycle_log: CycleLog,
        keep: timedelta,
        window: timedelta,
        more: Sequence[Callable[[datetime], Write]] = (),
    ) -> None:
        """`window`: how far back a catch-up reads; keys are kept longer, whatever `keep` says.

        `more`: further old things to delete, as parts of some rows.
        """
        self._more = more
        self._database = database
        self._clock = clock
        self._engine = engine
        self._cycle_log = cycle_log
        self._keep = max(keep, window + timedelta(days=1))
        self._steady = _SteadyClock(clock)
        self._purged: float | None = None

    async def look(self) -> None:
        """Purge when it is due and the clock can be trusted. Raises StorageError."""
        steady, now = self._steady.steady(), self._clock.monotonic()
        due = self._purged is None or now - self._purged >= PURGE_EVERY / timedelta(seconds=1)
        if due and steady >= STEADY:
            self._purged = now
            await self.purge()

    async def purge(self) -> int:
        """Delete old turns, sessions, messages and cycle events; returns their numbers."""
        before = await self._before()
        needed = partial(still_deliverable, self._database)
        count = await self._engine.purge(before, needed, self._pause)
        count += await self._sessions(before) + await self._messages(before)
        count += await self._cycle_log.purge(before, self._pause)
        count += await self._ledgers(before)
        await self._give_back()
        if count:
            log.info("rows=<%d>, before=<%s> | purged old data", count, before.date())
        return count

    async def _before(self) -> datetime:
        """The cut-off, counted from now, or from the newest platform date if that is earlier."""
        heard, now = await newest_heard(self._database), self._clock.now()
        return (now if heard is None else min(now, heard)) - self._keep

    async def _pause(self) -> None:
        await self._clock.sleep(_PAUSE_S)

    async def _sessions(self, before: datetime) -> int:
        count = 0
        while sessions := await ended_before(self._database, before, _SESSIONS_AT_ONCE):
            await self._database.write(purge_unit(sessions))
            count += len(sessions)
            if len(sessions) == _SESSIONS_AT_ONCE:
                await self._pause()
        return count

    async def _messages(self, before: datetime) -> int:
        count, last = 0, 0
        while True:
            found, looked = await purge_store.old_messages(self._database, before, last)
            keys = [one.key for one in found]
            needed = await still_deliverable(self._database, keys) if keys else ()
            gone = [one.id for one in found if one.key not in needed]
            if gone:
                await self._database.write(purge_store.purge_messages(gone))
                count += len(gone)
            if looked is None:
                return count
            last = looked
            if len(gone) == purge_store.AT_ONCE:
                await self._pause()

    async def _ledgers(self, before: datetime) -> int:
        """Finished sends, outcomes of schedules, events, deleted files, things of plug-ins."""
        count = 0
        versions = partial(purge_versions, most=purge_store.AT_ONCE)
        for purge in (purge_store.purge_sends, purge_ticks, purge_events, versions, *self._more):
            count += await self._each(partial(purge, before))
        over = self._clock.now() - undo_store.KEPT
        return count + await self._each(partial(undo_store.purge_undoable, over))

    async def _each(self, purge: Callable[[], Write]) -> int:
        """Delete in small parts, until nothing is left."""
        count = 0
        while deleted := len((await self._database.write(Unit.of(purge()))).returned[0]):
            count += deleted
            await self._pause()
        return count

    async def _give_back(self) -> None:
        free = await purge_store.free_pages(self._database)
        while free > purge_store.SPARE_PAGES:
            await self._database.write(purge_store.give_back(free - purge_store.SPARE_PAGES))
            await self._pause()
            left = await purge_store.free_pages(self._database)
            if left >= free:  # an older file without incremental vacuum
                return
            free = left


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
        own = {
            PAIR: Phrase(
                "Nobody has told me who you are, so your message was not answered. You can write "
                "to me again."
            ),
            SHARE: Phrase(
                "I shared nothing: nobody decided in time about the text that `/share` showed. "
                "Say it again if it matters."
            ),
        }
        phrase = own.get(
            approval.tool,
            Phrase(
                "Approval {ref} has expired: nobody decided in time, so `{tool}` was not run. Ask "
                "again if it matters."
            ),
        )
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
        engine, session = self.engine, str(key)
        return (
            await engine.under_way(session)
            or await engine.waiting(session) > 0
            or await engine.open_question(key.conversation_key, key.person) is not None
            or await self.approvals.open_in_session(session)
        )
