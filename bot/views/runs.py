"""Runs: the newest ones, and the way of one message from its acceptance to the last send."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.agents.cycle_log.events import cycle_id, usage_of
from bot.agents.cycle_log.log_store import CycleLog, LoggedCycle
from bot.agents.cycle_log.tree import Cost, render_tree
from bot.domain.cycles import CycleEvent, CycleEventType, CycleStatus
from bot.domain.models import Usage
from bot.domain.turns import TurnRecord
from bot.plugin.views import Looker, Rows, RunRow, RunView
from bot.sessions.reports.trails import Trails
from bot.turns.engine import TurnEngine
from bot.turns.refs import make_ref, number_in
from bot.views.sight import RowKind, may_see
from bot.views.waterfall import spans_of

PAGE = 50
LOOKED = 2_000
"""The most runs that are looked at for one page of a list that leaves some out."""


@dataclass(frozen=True)
class HouseRuns:
    """Implements `bot.plugin.views.ShowsRuns`."""

    log: CycleLog
    engine: TurnEngine
    trails: Trails
    cost: Cost

    async def newest(
        self, who: Looker, *, behind: str = "", person: str = "", failed: bool = False
    ) -> Rows[RunRow]:
        wanted = person if who.operator and person else None
        if not who.operator:
            wanted = who.person.id
        found: list[RunRow] = []
        before, looked = _number(behind), 0
        while looked < LOOKED:
            cycles = await self.log.page(wanted, before, PAGE)
            for cycle in cycles:
                before, looked = cycle.event, looked + 1
                summary = cycle.summary
                if failed and summary.status in {CycleStatus.COMPLETE, CycleStatus.RUNNING}:
                    continue
                if may_see(who, RowKind.WORK, summary.person, summary.learned):
                    found.append(self._row(cycle))
                if len(found) == PAGE:
                    return Rows(found, str(before))
            if len(cycles) < PAGE:
                return Rows(found)
        return Rows(found, str(before))

    async def one(self, who: Looker, name: str) -> RunView | None:
        number = number_in("t", name)
        id_ = name if number is None else cycle_id(number)
        events = await self.log.events(id_, number)
        if not events or not all(_is_shown(who, event) for event in events):
            return None
        turn = events[0].turn
        record = await self.engine.recorded(make_ref("t", turn))
        begin = events[0].at if record is None else min(record.accepted_at, events[0].at)
        trail = await self.trails.explain(make_ref("t", turn), "", who.person, who.viewer)
        return RunView(
            row=self._row_of(events, record),
            accepted=begin,
            settled=record.settled_at if record else None,
            asked=_said(events[0]),
            answered=_answer(events),
            error=_trouble(events),
            spans=spans_of(events, begin, record.settled_at if record else None, self.cost),
            trail=[
                line.removeprefix("- ").replace("`", "")
                for line in trail.splitlines()[1:]
                if line.strip()
            ],
            tree=render_tree(events, cost=self.cost),
        )

    def _row(self, cycle: LoggedCycle) -> RunRow:
        summary = cycle.summary
        nano, unpriced = self._money(cycle.replies)
        return RunRow(
            summary.cycle_id,
            make_ref("t", cycle.turn),
            summary.at,
            summary.person,
            summary.agent,
            summary.node_type,
            str(summary.status),
            summary.text,
            summary.duration_ms,
            _tokens(cycle.replies),
            nano,
            unpriced,
        )

    def _row_of(self, events: Sequence[CycleEvent], record: TurnRecord | None) -> RunRow:
        start, end = events[0], _end(events)
        replies = [one for one in events if one.type is CycleEventType.LLM_RESPONSE]
        nano, unpriced = self._money(replies)
        status = end.data.get("status") if end else CycleStatus.RUNNING
        return RunRow(
            start.cycle_id,
            make_ref("t", start.turn),
            record.accepted_at if record else start.at,
            start.person,
            start.agent,
            str(start.data.get("node_type", "")),
            str(status),
            _said(start),
            end.duration_ms if end else None,
            _tokens(replies),
            nano,
            unpriced,
        )

    def _money(self, replies: Sequence[CycleEvent]) -> tuple[int, bool]:
        asked = [one for one in replies if one.data.get("model")]
        costs = [self.cost(str(one.data["model"]), usage_of(one)) for one in asked]
        return sum(one or 0 for one in costs), None in costs


def _is_shown(who: Looker, event: CycleEvent) -> bool:
    return may_see(who, RowKind.WORK, event.person, event.learned)


def _end(events: Sequence[CycleEvent]) -> CycleEvent | None:
    """The end of the cycle that the first event begins."""
    kinds = {CycleEventType.CYCLE_COMPLETE, CycleEventType.AGENT_CYCLE_COMPLETE}
    own = [one for one in events if one.type in kinds and one.cycle_id == events[0].cycle_id]
    return own[-1] if own else None


def _said(start: CycleEvent) -> str:
    return str(start.data.get("text", ""))


def _answer(events: Sequence[CycleEvent]) -> str:
    end = _end(events)
    return "" if end is None else str(end.data.get("text", ""))


def _trouble(events: Sequence[CycleEvent]) -> str:
    end = _end(events)
    return "" if end is None else str(end.data.get("error") or "")


def _tokens(replies: Sequence[CycleEvent]) -> int:
    usage = sum(map(usage_of, replies), Usage())
    return usage.total_input + usage.output_tokens


def _number(text: str) -> int | None:
    """The number that a page begins behind; somebody may have typed anything."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
