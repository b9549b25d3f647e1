"""Approvals as people meet them: the card, who may decide, and what a decision sets off (design §3.6)."""

import json
import logging
from collections.abc import Callable

from bot.agents.notes import quote
from bot.domain.access import Person
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.clock import Clock
from bot.domain.grants import GrantScope
from bot.domain.json_types import JsonObject
from bot.domain.messages import Choice
from bot.domain.origins import BELLHOP, Origin
from bot.domain.sessions import StoredBlock
from bot.domain.turns import TurnEngine
from bot.errors import UnitRejected
from bot.log import redact
from bot.sessions.card_targets import targets_text
from bot.tools.approvals import ApprovalStore, may_decide
from bot.tools.grants import GrantStore, describe, offered
from bot.tools.usage import EXTEND_BUDGET, Meter

log = logging.getLogger(__name__)

CARD_CHARS = 1200
LABEL_CHARS = 60


class Decisions:
    """Shows cards, takes decisions, and words their outcome for the agent."""

    def __init__(
        self,
        approvals: ApprovalStore,
        grants: GrantStore,
        meter: Meter,
        engine: TurnEngine,
        clock: Clock,
        decided: Callable[[str], None] = lambda _ref: None,
    ) -> None:
        """`decided` is told which approval was decided just now."""
        self._approvals = approvals
        self._grants = grants
        self._meter = meter
        self._engine = engine
        self._clock = clock
        self._decided = decided

    def card(self, approval: Approval) -> tuple[str, tuple[Choice, ...]]:
        """What the call would do, in full, and the buttons: once, wider where a grant is possible, or not at all."""
        arguments = redact(json.dumps(approval.arguments, ensure_ascii=False, indent=2))
        if len(arguments) > CARD_CHARS:
            arguments = arguments[:CARD_CHARS] + "\n…"
        arguments = arguments.replace("```", "\\u0060``")  # an argument must not end the block that shows it
        text = (
            f"**Approval {approval.ref}**: `{approval.tool}` wants to run ({approval.reason}).\n"
            f"```json\n{arguments}\n```\n"
            f"{targets_text(approval)}"
            f"Decide with `/approve {approval.ref}{_wider(approval)}` or `/reject {approval.ref}`."
        )
        grants = [Choice(_label(approval, scope), approval.ref, f"approve_{scope}") for scope in offered(approval)]
        choices = (Choice("Approve", approval.ref, "approve"), *grants, Choice("Reject", approval.ref, "reject"))
        return text, choices

    async def decide(
        self, ref: str, person: Person, *, approve: bool, again: bool = False, grant: GrantScope | None = None
    ) -> str:
        """Decide an open approval; gives the sentence for the person who decided. Never raises for a wrong ref.

        `again`: this very decision was begun before a crash, and may have been recorded. `grant`: the yes is to hold
        for more than this call.
        """
        approval = await self._approvals.get(ref)
        if approval is None:
            return f"There is no approval {ref}."
        verdict = f"Approval {approval.ref}: {'approved' if approve else 'rejected'}."
        if approve and grant is not None and grant not in offered(approval):
            return _not_offered(approval, grant)
        if again and approval.decided_by == person.id and (approval.state is ApprovalState.REJECTED) is not approve:
            return verdict
        if refusal := self._refusal(approval, person):
            return refusal
        body: JsonObject = {"kind": "approval", "ref": approval.ref, "message": approval.envelope}
        decided = self._approvals.decide_unit(approval.ref, person.id, approve=approve)
        if approve and approval.tool == EXTEND_BUDGET:
            decided += self._meter.extend_unit(approval, person.id) + self._approvals.done_unit(approval.ref)
        if approve and grant is not None:
            made, unit = self._grants.make_unit(approval, grant, person)
            decided += unit
            verdict += f" From now on I don't ask about {describe(made)} (`/grants revoke {made.ref}` takes it back)."
        try:
            new = await self._engine.submit(approval.session, f"approval:{approval.ref}", body, unit=decided)
        except UnitRejected:
            new = False
        if not new:
            return f"Approval {approval.ref} was decided by somebody else just now, or has expired."
        self._decided(approval.ref)
        log.info("approval=<%s>, by=<%s>, yes=<%s> | decided", ref, person.id, approve)
        return verdict

    def _refusal(self, approval: Approval, person: Person) -> str:
        if approval.state is not ApprovalState.OPEN:
            return f"Approval {approval.ref} is already {approval.state}."
        if approval.expires_at <= self._clock.now():
            return f"Approval {approval.ref} has expired; ask for it again."
        if may_decide(approval, person):
            return ""
        if approval.approver_rank:
            return f"Your role can't decide approval {approval.ref}."
        return f"Only the person who asked for it can decide approval {approval.ref}."


def extended_words(approval: Approval) -> StoredBlock:
    """What the agent is told when MasterAdmin gave more: it goes on where it had to stop."""
    text = (
        f"Approval {approval.ref}: {approval.arguments['more']} more may be used today."
        " Go on with what you had to leave unfinished."
    )
    return quote("approval outcome", text, BELLHOP, private=approval.private)


def _label(approval: Approval, scope: GrantScope) -> str:
    """What stands on the button of a grant."""
    if scope is GrantScope.SESSION:
        return "For this session"
    values = sorted({target.value for target in approval.targets})
    return f"Always for {values[0] if len(values) == 1 else f'these {len(values)}'}"[:LABEL_CHARS]


def _wider(approval: Approval) -> str:
    scopes = offered(approval)
    return f" [{'|'.join(scopes)}]" if scopes else ""


def _not_offered(approval: Approval, grant: GrantScope) -> str:
    if grant is GrantScope.TARGET and offered(approval):
        why = "what it acts on can't be told from its arguments"
    else:
        why = "each call of this kind is looked at by itself"
    return f"Approval {approval.ref} can be given for this one call only: {why}. Use /approve {approval.ref}."


def decided_words(approval: Approval, result: str, *, ran: bool, origin: Origin = BELLHOP) -> StoredBlock:
    """What the agent is told, quoted: the outcome of a call is data, whoever approved it."""
    verdict = "approved" if approval.state is not ApprovalState.REJECTED else "rejected"
    happened = "it ran" if ran else "it did not run"
    text = (
        f"Approval {approval.ref} for {approval.tool} was {verdict} by {approval.decided_by}; {happened}.\n"
        f"{result}\nTell the person what came of it, and go on with what was waiting for it."
    )
    return quote("approval outcome", text, origin, private=approval.private)
