"""What happens now: the health of the house, and accepted work that is not settled."""

from dataclasses import dataclass

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.plugin.views import Looker, NowView, WorkRow
from bot.sessions.inbox.platforms import Checkup
from bot.sessions.reports.trails import owner_of
from bot.tools.permission.approvals import ApprovalStore
from bot.turns.unsettled_store import ListedTurn, read_unsettled
from bot.views.sight import RowKind, may_see

MOST = 200


@dataclass(frozen=True)
class HouseNow:
    """Implements `bot.plugin.views.ShowsNow`."""

    database: Database
    clock: Clock
    checkup: Checkup
    approvals: ApprovalStore

    async def look(self, who: Looker) -> NowView:
        unsettled = await read_unsettled(self.database, self.clock.now(), MOST)
        work = [_open_work(one) for one in unsettled]
        seen = [one for one in work if may_see(who, RowKind.WORK, one.person)]
        return NowView(
            await self.checkup.look(),
            seen,
            len(work) - len(seen),
            await self.approvals.count_for(who.person),
        )


def _open_work(turn: ListedTurn) -> WorkRow:
    kind = str(turn.body.get("kind") or "message")
    owner = owner_of(turn.session, turn.body) or ""
    return WorkRow(turn.ref, owner, turn.state, kind, turn.since)
