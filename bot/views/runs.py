"""Runs: the newest ones, and the way of one message from its acceptance to the last send.

The parts of a run are shown on one scale of time. An event is logged when its part ends, with its
duration. So a part begins that much earlier.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bot.agents.cycle_log.events import cycle_id, usage_of
from bot.agents.cycle_log.log_store import CycleLog, LoggedCycle, summary_of
from bot.agents.cycle_log.tree import Cost, render_tree
from bot.domain.cycles import CycleEvent, CycleEventType, CycleStatus
from bot.domain.models import Usage
from bot.plugin.views import Looker, Rows, RunRow, RunSpan, RunView
from bot.sessions.reports.trails import Trails
from bot.turns.engine import TurnEngine
from bot.turns.refs import make_ref, number_in
from bot.views.sight import RowKind, may_see

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
        start, end = events[0], _end(events)
        replies = [one for one in events if one.type is CycleEventType.LLM_RESPONSE]
        summary, ref = summary_of(start, end), make_ref("t", start.turn)
        record = await self.engine.recorded(ref)
        begin = start.at if record is None else min(record.accepted_at, start.at)
        trail = (await self.trails.explain(ref, "", who.person, who.viewer)).text
        return RunView(
            row=self._row(LoggedCycle(0, start.turn, summary, replies)),
            accepted=begin,
            settled=record.settled_at if record else None,
            asked=summary.text,
            answered=summary.answer,
            error=summary.error or "",
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


def _tokens(replies: Sequence[CycleEvent]) -> int:
    usage = sum(map(usage_of, replies), Usage())
    return usage.total_input + usage.output_tokens


def _number(text: str) -> int | None:
    """The number that a page begins behind; somebody may have typed anything."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


_NANO = 1_000_000_000
_MS = timedelta(milliseconds=1)
_STARTS = {CycleEventType.CYCLE_START, CycleEventType.AGENT_CYCLE_START}
_ENDS = {CycleEventType.CYCLE_COMPLETE, CycleEventType.AGENT_CYCLE_COMPLETE}
_NOTES: Mapping[CycleEventType, str] = {
    CycleEventType.APPROVAL: "approval",
    CycleEventType.SECURITY: "refused",
    CycleEventType.WATCHDOG_FIRE: "ended by the watchdog",
    CycleEventType.TOOL_TURNS_EXTENDED: "more turns",
    CycleEventType.VERIFICATION: "checked",
    CycleEventType.CURATOR_ASSEMBLED: "system prompt built",
}


@dataclass(frozen=True)
class _Scale:
    begin: datetime
    cost: Cost

    def at(self, moment: datetime) -> float:
        return max((moment - self.begin) / _MS, 0.0)


@dataclass
class _Cycle:
    """The events of one cycle by what they are about."""

    start: CycleEvent
    depth: int
    events: list[CycleEvent] = field(default_factory=list[CycleEvent])


def spans_of(
    events: Sequence[CycleEvent], begin: datetime, settled: datetime | None, cost: Cost
) -> list[RunSpan]:
    """`events`: of a cycle and all below it, in order. `begin`: when its message was accepted."""
    scale = _Scale(begin, cost)
    cycles = _cycles(events)
    if not cycles:
        return []
    last = settled or max(one.at for one in events)
    found = [RunSpan("queue", "accepted, then in the queue", 0.0, scale.at(events[0].at), 0)]
    for cycle in cycles.values():
        found += _of_cycle(cycle, scale, last)
    if settled is not None:
        found.append(RunSpan("note", "settled", scale.at(settled), scale.at(settled), 0))
    return found


def _cycles(events: Sequence[CycleEvent]) -> dict[str, _Cycle]:
    cycles: dict[str, _Cycle] = {}
    for event in events:
        if event.type in _STARTS or event.cycle_id not in cycles:
            above = cycles.get(event.parent_id or "")
            cycles.setdefault(event.cycle_id, _Cycle(event, above.depth + 1 if above else 0))
        cycles[event.cycle_id].events.append(event)
    return cycles


def _of_cycle(cycle: _Cycle, scale: _Scale, last: datetime) -> list[RunSpan]:
    end = next((one for one in reversed(cycle.events) if one.type in _ENDS), None)
    until = end.at if end else last
    trouble = str(end.data.get("error") or "") if end else ""
    facts = [("status", str(end.data.get("status")) if end else "not ended")]
    facts += [("reason", trouble)] if trouble else []
    begin = scale.at(cycle.start.at)
    agent = RunSpan(
        "agent", cycle.start.agent, begin, scale.at(until), cycle.depth, bool(trouble), facts
    )
    parts: list[RunSpan] = []
    decided = _decisions(cycle.events)
    asked = {one.step: one for one in cycle.events if one.type is CycleEventType.LLM_REQUEST}
    calls = {one.step: one for one in cycle.events if one.type is CycleEventType.TOOL_CALL}
    for event in cycle.events:
        if event.type is CycleEventType.LLM_RESPONSE:
            parts.append(_model(event, asked.get(event.step), cycle.depth + 1, scale))
        elif event.type is CycleEventType.TOOL_RESULT:
            call = calls.pop(event.step, None)
            parts.append(_tool(event, call, decided.get(event.step, ()), cycle.depth + 1, scale))
        elif (label := _NOTES.get(event.type)) is not None:
            parts.append(_note(label, event, cycle.depth + 1, scale))
    # A call without a result waits, or was cut off.
    parts += [
        _unended(one, decided.get(one.step, ()), cycle.depth + 1, scale) for one in calls.values()
    ]
    return [agent, *sorted(parts, key=lambda one: (one.begin, one.end))]


def _decisions(events: Sequence[CycleEvent]) -> dict[str, list[tuple[str, str]]]:
    """What the gates said about each call, by its step."""
    found: dict[str, list[tuple[str, str]]] = {}
    for event in events:
        if event.type is CycleEventType.POLICY_DECISION:
            data = event.data
            said = str(data.get("verdict"))
            rule = f": {data['rule']}" if data.get("rule") else ""
            step = event.step.removesuffix(f"/{data.get('gate')}")
            found.setdefault(step, []).append((f"gate {data.get('gate')}", f"{said}{rule}"))
    return found


def _model(reply: CycleEvent, asked: CycleEvent | None, depth: int, scale: _Scale) -> RunSpan:
    data, usage = reply.data, usage_of(reply)
    model = str(data.get("model") or (asked.data.get("model") if asked else "") or "model")
    facts = [
        ("tokens in", f"{usage.total_input:,}"),
        ("of these cached", f"{usage.cache_read_tokens:,}"),
        ("tokens out", f"{usage.output_tokens:,}"),
    ]
    if asked is not None:
        facts.append(("messages", str(asked.data.get("message_count"))))
        facts.append(("tools declared", str(asked.data.get("tool_count"))))
    if data.get("model"):
        nano = scale.cost(model, usage)
        facts.append(("cost", "unknown" if nano is None else f"{nano / _NANO:,.4f} USD"))
    facts += _told(data, ("stop_reason", "ended by"), ("attempts", "attempts"), ("error", "error"))
    return RunSpan(
        "model", model, _began(reply, scale), scale.at(reply.at), depth,
        bool(data.get("error")), facts,
    )  # fmt: skip


def _tool(
    result: CycleEvent,
    call: CycleEvent | None,
    decided: Sequence[tuple[str, str]],
    depth: int,
    scale: _Scale,
) -> RunSpan:
    data = result.data
    came_in = call.data if call is not None else {}
    failed = not data.get("success")
    facts = [
        ("characters in", f"{int(came_in.get('tool_input_len') or 0):,}"),
        ("characters out", f"{int(data.get('output_len') or 0):,}"),
        *decided,
        *_told(data if failed else {}, ("error", "error")),
    ]
    return RunSpan(
        "tool",
        str(data.get("tool_name")),
        _began(result, scale),
        scale.at(result.at),
        depth,
        failed,
        facts,
        str(came_in.get("tool_input", "")),
        str(data.get("output", "")),
    )


def _unended(
    call: CycleEvent, decided: Sequence[tuple[str, str]], depth: int, scale: _Scale
) -> RunSpan:
    at, data = scale.at(call.at), call.data
    name = f"{data.get('tool_name')} (no result)"
    given = str(data.get("tool_input", ""))
    return RunSpan("tool", name, at, at, depth, facts=decided, came_in=given)


def _note(label: str, event: CycleEvent, depth: int, scale: _Scale) -> RunSpan:
    at = scale.at(event.at)
    facts = [
        (name.replace("_", " "), str(value)[:500])
        for name, value in event.data.items()
        if value not in (None, "", {}, [])
    ]
    failed = event.type in {CycleEventType.SECURITY, CycleEventType.WATCHDOG_FIRE}
    return RunSpan("note", label, at, at, depth, failed, facts)


def _told(data: Mapping[str, Any], *names: tuple[str, str]) -> list[tuple[str, str]]:
    return [(label, str(data[name])) for name, label in names if data.get(name)]


def _began(event: CycleEvent, scale: _Scale) -> float:
    return scale.at(event.at - (event.duration_ms or 0) * _MS)
