"""Approvals: what waits for somebody, shown whole, and decided as their cards decide it."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.clock import format_utc
from bot.domain.approvals import Approval, ApprovalState, GrantScope
from bot.domain.clock import Clock
from bot.plugin.views import ActionTold, ApprovalRow, ApprovalView, Looker, Rows
from bot.sessions.approvals.cards import CardPlaces
from bot.sessions.approvals.decisions import CardAnswer, Decisions
from bot.sessions.people.pairing import PAIR
from bot.sessions.wording.card_text import targets_text, whole_call
from bot.tools.permission.approvals import ApprovalPlace, may_decide
from bot.tools.permission.grants import offered
from bot.tools.permission.plans_store import has_lines, lines_of
from bot.views.paging import LONG
from bot.views.sight import RowKind, may_see

_AT_CHAT = "Whether a stranger is let in is decided by `/pair`, in a chat."


@dataclass(frozen=True)
class HouseApprovals:
    """Implements `bot.plugin.views.ShowsApprovals`."""

    decisions: Decisions
    places: CardPlaces
    clock: Clock

    async def waiting(self, who: Looker, *, behind: str = "") -> Rows[ApprovalRow]:
        """What they may decide, then what they asked for; oldest first."""
        found = await self.decisions.approvals.waiting_for(
            who.person, LONG + 1, _waits(behind), everybodys=who.operator
        )
        page = found[:LONG]
        rows = [self._row(who, one) for one in page if _is_seen(who, one)]
        more = len(found) > LONG
        return Rows(
            rows, "|".join(map(str, ApprovalPlace.of(page[-1], who.person))) if more else ""
        )

    async def past(self, who: Looker, *, behind: str = "") -> Rows[ApprovalRow]:
        found = await self.decisions.approvals.seen_by(_of(who), LONG, _key(behind), over=True)
        rows = [self._row(who, one) for one in found if _is_seen(who, one)]
        last = found[-1] if len(found) == LONG else None
        return Rows(rows, _behind(last) if last else "")

    async def one(self, who: Looker, ref: str) -> ApprovalView | None:
        approval = await self.decisions.approvals.get(ref)
        if approval is None or not _is_seen(who, approval):
            return None
        why_not = await self.decisions.why_not(approval, who.person, self.places.asked_for)
        if not why_not and approval.tool == PAIR:
            why_not = _AT_CHAT
        call, shown = whole_call(approval)
        return ApprovalView(
            self._row(who, approval),
            call,
            shown,
            approval.about.names,
            targets_text(approval).replace("```text\n", "").replace("```", "").strip(),
            [str(scope) for scope in offered(approval)],
            len(lines_of(approval)) if has_lines(approval) else 0,
            why_not,
        )

    async def decide(
        self,
        who: Looker,
        ref: str,
        *,
        approve: bool,
        shown: str,
        grant: str = "",
        lines: Sequence[int] = (),
    ) -> ActionTold:
        """`shown` is what the page showed: a yes covers exactly this call."""
        before = await self.decisions.approvals.get(ref)
        if before is None or not _is_seen(who, before):
            return ActionTold(f"There is no approval {ref[:40]}.", done=False)
        if approve and not shown:
            return ActionTold(
                "This call can't be shown whole, so nobody can say yes to it.", done=False
            )
        scope = next((one for one in GrantScope if grant == one), None)
        said = CardAnswer(approve, scope if approve else None, lines, alone=True, read=shown)
        text = await self.decisions.decide(ref, who.person, said, asked=self.places.asked_for)
        after = await self.decisions.approvals.get(ref)
        return ActionTold(text, after is not None and after.state is not before.state)

    def _is_open(self, approval: Approval) -> bool:
        return approval.state is ApprovalState.OPEN and approval.expires_at > self.clock.now()

    def _row(self, who: Looker, approval: Approval) -> ApprovalRow:
        state = str(approval.state)
        if approval.state is ApprovalState.OPEN and not self._is_open(approval):
            state = str(ApprovalState.EXPIRED)
        return ApprovalRow(
            approval.ref,
            state,
            approval.person,
            approval.tool,
            str(approval.risk or ""),
            approval.reason,
            approval.asked_at,
            approval.expires_at,
            approval.decided_by or "",
            self._is_open(approval) and may_decide(approval, who.person),
        )


def _behind(approval: Approval) -> str:
    """Where the next page of a list begins."""
    return f"{format_utc(approval.asked_at)}|{approval.ref}"


def _key(behind: str) -> tuple[str, str]:
    at, _, ref = behind.partition("|")
    return at, ref


def _waits(behind: str) -> ApprovalPlace | None:
    """Where a page of what waits begins; somebody may have typed anything."""
    turn, _, key = behind.partition("|")
    return ApprovalPlace(int(turn), *_key(key)) if turn in {"0", "1"} else None


def _of(who: Looker) -> str | None:
    return None if who.operator else who.person.id


def _is_seen(who: Looker, approval: Approval) -> bool:
    """Who asked sees it, while it is open whoever may decide it, who decided, and the operator."""
    if approval.state is ApprovalState.OPEN and may_decide(approval, who.person):
        return True
    return may_see(who, RowKind.WORK, approval.person) or approval.decided_by == who.person.id
