"""Stored calls that wait for approval, and the audit log (docs/rules.md#approvals)."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, Self

from bot.clock import format_utc
from bot.domain.access import Person, Role
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.clock import Clock
from bot.domain.database import Database, Read, Row, Unit, read_number
from bot.domain.json_types import JsonObject
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import Deferred, NeedsApproval
from bot.domain.tools import ToolDefinition
from bot.errors import UnitRejected
from bot.tools.permission import store
from bot.tools.permission.grants import grantable_targets
from bot.tools.permission.store import AuditEntry
from bot.turns.refs import hashed_ref

PROPOSAL_DAYS = 7
"""The lifetime of a call that was proposed while nobody was present."""
_FAR = "9"
"""Behind every stored moment."""


class ApprovalPlace(NamedTuple):
    """Where an open approval stands in somebody's list of them."""

    turn: int
    """0 if it waits for them, 1 if for others."""
    at: str
    """When it was asked for, as stored."""
    ref: str

    @classmethod
    def of(cls, approval: Approval, person: Person) -> Self:
        turn = 0 if may_decide(approval, person) else 1
        return cls(turn, format_utc(approval.asked_at), approval.ref)


class ApprovalStore:
    """Approvals of one installation.

    Changes are returned as units, which the caller commits with related writes.
    """

    def __init__(self, database: Database, clock: Clock, expire_minutes: float = 30) -> None:
        self._database = database
        self._clock = clock
        self._expires = timedelta(minutes=expire_minutes)

    def create(
        self,
        outcome: NeedsApproval | Deferred,
        *,
        session: str,
        context: ToolContext,
        envelope: JsonObject | None = None,
        definition: ToolDefinition | None = None,
    ) -> tuple[Approval, Unit]:
        """Store a call as the model made it; returns the approval and the unit that creates it.

        `session` is the turn's session, `envelope` the message that led to the call, `definition`
        the tool's.
        """
        now = self._clock.now()
        waits = (
            self._expires if isinstance(outcome, NeedsApproval) else timedelta(days=PROPOSAL_DAYS)
        )
        approval = Approval(
            # The reference covers the arguments, so that a yes can't apply to another call.
            ref=hashed_ref(
                "a",
                session,
                context.cycle_id,
                outcome.call.key,
                outcome.call.id,
                format_utc(now),
                json.dumps(outcome.call.arguments),
            ),
            session=session,
            person=context.person.id,
            agent=context.agent,
            tool=definition.name if definition is not None else outcome.call.name,
            arguments=outcome.call.arguments,
            risk=outcome.risk,
            reason=outcome.reason,
            approver_rank=outcome.approver_rank,
            state=ApprovalState.OPEN,
            asked_at=now,
            expires_at=now + waits,
            private=context.private,
            conversation=context.conversation.key,
            envelope=envelope or {},
            session_id=context.session_id,
            targets=grantable_targets(definition, outcome.call.arguments),
            stems=outcome.stems,
            about=outcome.about,
            each_time=outcome.each_time,
        )
        return approval, Unit.of(store.insert(approval))

    def store_unit(self, approval: Approval) -> Unit:
        """Create an approval without a call; a second one with the same reference is ignored."""
        return Unit.of(store.insert_once(approval))

    async def get(self, ref: str) -> Approval | None:
        row = await self._database.read_one(store.BY_REF, (ref.strip().casefold(),))
        return store.approval_of(row) if row else None

    async def open_for(self, person: Person) -> tuple[Approval, ...]:
        """Open approvals that this person may decide, oldest first.

        Calls that share a card are one.
        """
        now = format_utc(self._clock.now())
        rows = await self._database.read(store.OPEN_FOR, (now, person.id, person.role.rank))
        found = map(store.approval_of, rows)
        return tuple(approval for approval in found if may_decide(approval, person))

    async def count_for(self, person: Person) -> int:
        """How many `open_for` would give."""
        now = format_utc(self._clock.now())
        kinds = await self._database.read(store.OPEN_KINDS, (person.id, now))
        return sum(
            one["n"]
            for one in kinds
            if _may_decide(one["approver_rank"], person, own=bool(one["own"]))
        )

    async def waiting_for(
        self, person: Person, limit: int, behind: ApprovalPlace | None = None, *, everybodys: bool
    ) -> tuple[Approval, ...]:
        """Open ones: those that wait for this person, then those that wait for others.

        Of these, what they asked for themself, or `everybodys`. Oldest first; calls that share a
        card are one.
        """
        whose = None if everybodys else person.id
        begin = behind or ApprovalPlace(-1, "", "")
        params = (person.id, person.role.rank, format_utc(self._clock.now()), whose, whose)
        rows = await self._database.read(store.WAITING, (*params, *begin, limit))
        return tuple(map(store.approval_of, rows))

    async def waiting_in(self, session: str) -> tuple[Approval, ...]:
        """Open approvals that turns of this session asked for, oldest first."""
        now = format_utc(self._clock.now())
        rows = await self._database.read(store.OPEN_OF_SESSION, (session, now))
        return tuple(map(store.approval_of, rows))

    async def waiting_call(
        self, session: str, person: str, tool: str, arguments: JsonObject
    ) -> Approval | None:
        """The open approval for this very call, when it was asked for before."""
        waiting = await self.waiting_in(session)
        return next(
            (
                one
                for one in waiting
                if (one.person, one.tool, one.arguments) == (person, tool, arguments)
            ),
            None,
        )

    async def open_in_session(self, session: str) -> bool:
        """Whether an approval of this session is open: then the session doesn't end.

        See docs/rules.md#conversations-and-sessions.
        """
        return bool(
            await self._database.read(
                store.OPEN_IN_SESSION, (session, format_utc(self._clock.now()))
            )
        )

    async def newest(self, limit: int = 50) -> tuple[Approval, ...]:
        """The newest approvals in any state, for lists."""
        return tuple(map(store.approval_of, await self._database.read(store.NEWEST, (limit,))))

    async def seen_by(
        self, person: str | None, limit: int, behind: tuple[str, str] = ("", ""), *, over: bool
    ) -> tuple[Approval, ...]:
        """What a person asked for or decided (None: everybody's), newest first: open or `over`.

        `behind`: when the last one of the page before was asked for, as stored, and its reference.
        """
        at, ref = behind if behind[0] else (_FAR, "")
        sql = store.SEEN_OVER if over else store.SEEN_OPEN
        whose, now = (person, person, person), format_utc(self._clock.now())
        rows = await self._database.read(sql, (*whose, at, at, ref, now, limit))
        return tuple(map(store.approval_of, rows))

    async def newest_of(self, person: str, tool: str) -> Approval | None:
        """The newest approval that a person requested for a tool, in any state."""
        row = await self._database.read_one(store.NEWEST_OF, (person, tool))
        return store.approval_of(row) if row else None

    async def count_open(self, tool: str) -> int:
        """The number of open approvals of a tool, for all people."""
        return await read_number(
            self._database, store.COUNT_OPEN, (tool, format_utc(self._clock.now()))
        )

    def decide_unit(self, ref: str, person: str, *, approve: bool, shown: str = "") -> Unit:
        """Decide an open approval; UnitRejected if it was decided or expired meanwhile.

        The caller checks before, with `may_decide`, whether this person may decide. `shown`
        identifies what they had seen.
        """
        now = self._clock.now()
        state = ApprovalState.APPROVED if approve else ApprovalState.REJECTED
        entry = AuditEntry(now, person, state, "", ref)
        return Unit.of(store.decide(ref, state, person, now, shown), store.audited(ref, entry))

    def done_unit(self, ref: str) -> Unit:
        """Mark an approved call as run, so that it can't run again.

        Rejected unless the approval is in state approved.
        """
        return Unit.of(store.finish(ref))

    async def expire(
        self, also: Callable[[Approval], Unit] = lambda _approval: Unit()
    ) -> tuple[Approval, ...]:
        """Close approvals that nobody decided in time; returns those closed now.

        `also`: writes of the same unit.
        """
        now = self._clock.now()
        closed: list[Approval] = []
        for row in await self._database.read(store.OVERDUE, (format_utc(now),)):
            approval = store.approval_of(row)
            entry = AuditEntry(
                now, approval.person, ApprovalState.EXPIRED, approval.tool, approval.ref
            )
            try:
                expired = Unit.of(store.expire(approval.ref, now), store.audit(entry))
                await self._database.write(expired + also(approval))
            except UnitRejected:  # decided or closed by somebody else between reading and writing
                continue
            closed.append(approval)
        return tuple(closed)

    # --- audit ---

    def audit_unit(self, person: str, kind: str, tool: str, detail: str = "") -> Unit:
        """A unit with one line of the audit log; `kind` is security, approved or rejected."""
        return Unit.of(store.audit(AuditEntry(self._clock.now(), person, kind, tool[:80], detail)))

    async def audit(self, limit: int = 50) -> tuple[AuditEntry, ...]:
        """Lines of the audit log, newest first."""
        return tuple(map(store.audit_of, await self._database.read(store.AUDIT, (limit,))))


def open_read(conversation: str, now: datetime) -> Read:
    """What waits that was asked for in a conversation, for `open_in`."""
    return Read(store.OPEN_THERE, (format_utc(now), conversation))


def open_in(rows: Sequence[Row], person: Person) -> tuple[Approval, ...]:
    """What of it this person may decide."""
    found = map(store.approval_of, rows)
    return tuple(approval for approval in found if may_decide(approval, person))


def may_decide(approval: Approval, person: Person) -> bool:
    """Whether this person may decide: the asker if no rank is needed, else that rank."""
    return _may_decide(approval.approver_rank, person, own=person.id == approval.person)


def _may_decide(rank: int, person: Person, *, own: bool) -> bool:
    if rank == 0:
        return own and person.role is not Role.BANNED
    return may_decide_rank(rank, person)


def may_decide_rank(rank: int, person: Person) -> bool:
    """Whether this person may decide approvals that need a rank above 0."""
    return person.role is not Role.BANNED and person.role.rank >= rank
