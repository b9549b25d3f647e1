"""Grants in force: questions that an earlier yes has answered (docs/rules.md#approvals).

The gate asks for a grant only after role, run, schema and policy. So a grant never opens what they
close, and a revocation applies from the next call on.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.domain.access import Person, Role
from bot.domain.approvals import Approval, Grant, GrantScope
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject
from bot.domain.targets import Target
from bot.domain.tool_outcomes import Deferred, NeedsApproval
from bot.domain.tools import Risk, ToolDefinition
from bot.errors import UnitRejected
from bot.tools.definitions.targets import targets_of
from bot.tools.permission import grants_store
from bot.tools.permission.store import AuditEntry, audit
from bot.turns.refs import hashed_ref

_ALWAYS_ASKED = frozenset({Risk.DESTRUCTIVE, Risk.POLICY_WRITE})
"""Each such call needs its own approval."""


class GrantStore:
    """Grants of one installation.

    Changes are returned as units, which are committed with the decision.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def covering(
        self,
        question: NeedsApproval | Deferred,
        definition: ToolDefinition,
        person: Person,
        session_id: str,
        *,
        untrusted: bool = False,
    ) -> Grant | None:
        """The grant that answers this question, if any.

        `untrusted`: the question is asked because text from outside supplied targets. Only a grant
        for exactly these targets answers that.
        """
        if question.risk in _ALWAYS_ASKED or question.each_time:
            return None
        rows = await self._database.read(grants_store.IN_FORCE, (person.id, definition.name))
        targets = targets_of(definition, question.call.arguments) if rows else ()
        for grant in map(grants_store.grant_of, rows):
            if answers(grant, question.approver_rank, session_id, targets, untrusted=untrusted):
                return grant
        return None

    def make_unit(
        self, approval: Approval, scope: GrantScope, granter: Person
    ) -> tuple[Grant, Unit]:
        """The unit that stores the grant of a wider yes.

        Raises ValueError for one that is not offered.
        """
        if scope not in offered(approval):
            raise ValueError(f"no grant for {scope} is possible here")
        now = self._clock.now()
        grant = Grant(
            ref=hashed_ref("g", approval.ref, scope, chars=7),
            person=approval.person,
            tool=approval.tool,
            scope=scope,
            session_id=approval.session_id if scope is GrantScope.SESSION else "",
            targets=frozenset(approval.targets) if scope is GrantScope.TARGET else frozenset(),
            rank=granter.role.rank,
            made_by=granter.id,
            made_at=now,
            approval=approval.ref,
        )
        entry = AuditEntry(
            now, granter.id, "granted", approval.tool, f"{grant.ref} {scope} for {approval.person}"
        )
        return grant, Unit.of(grants_store.insert(grant), audit(entry))

    async def get(self, ref: str) -> Grant | None:
        row = await self._database.read_one(grants_store.BY_REF, (ref.strip().casefold(),))
        return grants_store.grant_of(row) if row else None

    async def of_person(self, person: str) -> tuple[Grant, ...]:
        """A person's grants in force, newest first."""
        return tuple(
            map(grants_store.grant_of, await self._database.read(grants_store.OF_PERSON, (person,)))
        )

    async def newest(self, limit: int = 200) -> tuple[Grant, ...]:
        """The newest grants of all people, including revoked ones."""
        return tuple(
            map(grants_store.grant_of, await self._database.read(grants_store.EVERY, (limit,)))
        )

    async def revoke(self, grant: Grant, person: Person) -> bool:
        """Revoke a grant; False if it was already revoked.

        The caller checks `may_revoke` first.
        """
        now = self._clock.now()
        entry = AuditEntry(now, person.id, "revoked", grant.tool, grant.ref)
        try:
            await self._database.write(
                Unit.of(grants_store.revoke(grant.ref, person.id, now), audit(entry))
            )
        except UnitRejected:
            return False
        return True


def offered(approval: Approval) -> tuple[GrantScope, ...]:
    """Grants that a yes to this call may include; none for deletions and policy."""
    if approval.risk in _ALWAYS_ASKED or approval.each_time:
        return ()
    scopes = [GrantScope.SESSION] if approval.session_id else []
    return (*scopes, GrantScope.TARGET) if approval.targets else tuple(scopes)


def answers(
    grant: Grant, rank: int, session_id: str, targets: Sequence[Target], *, untrusted: bool = False
) -> bool:
    """Whether a grant in force answers a question of this rank, for these targets, here."""
    if grant.revoked_at is not None or grant.rank < rank:
        return False
    match grant.scope:
        case GrantScope.SESSION:
            return not untrusted and bool(session_id) and grant.session_id == session_id
        case GrantScope.TARGET:
            known = {_placed(target) for target in grant.targets}
            return bool(targets) and all(
                target.sound and _placed(target) in known for target in targets
            )


def grantable_targets(
    definition: ToolDefinition | None, arguments: JsonObject
) -> tuple[Target, ...]:
    """The targets of "always for this target": all of a call's, or none if one is unreadable."""
    found = targets_of(definition, arguments) if definition is not None else ()
    return found if all(target.sound for target in found) else ()


def may_revoke(grant: Grant, person: Person) -> bool:
    """Whether this person may revoke it: its holder, its giver, or a MasterAdmin."""
    return person.role is Role.MASTER_ADMIN or person.id in {grant.person, grant.made_by}


def describe(grant: Grant) -> str:
    """The grant in words for people: `send_email to ann@example.org, always`."""
    if grant.scope is GrantScope.SESSION:
        return f"{grant.tool}, for one session"
    return (
        f"{grant.tool} to {', '.join(sorted({target.value for target in grant.targets}))}, always"
    )


def _placed(target: Target) -> Target:
    """The same target anywhere in a list: the first recipient may be the second tomorrow."""
    return replace(target, field=re.sub(r"\[\d+\]", "[]", target.field))
