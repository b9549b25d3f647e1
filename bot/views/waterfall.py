"""The parts of a run on one scale of time: waiting, agents, model calls, tool calls, what was sent.

An event is logged when its part ends, with its duration. So a part begins that much earlier.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bot.agents.cycle_log.events import usage_of
from bot.agents.cycle_log.tree import Cost
from bot.domain.cycles import CycleEvent, CycleEventType
from bot.plugin.views import RunSpan

_NANO = 1_000_000_000
_MS = timedelta(milliseconds=1)
_STARTS = {CycleEventType.CYCLE_START, CycleEventType.AGENT_CYCLE_START}
_ENDS = {CycleEventType.CYCLE_COMPLETE, CycleEventType.AGENT_CYCLE_COMPLETE}
_NOTES: Mapping[CycleEventType, str] = {
    CycleEventType.QUESTION: "asked the person",
    CycleEventType.APPROVAL: "approval",
    CycleEventType.SECURITY: "refused",
    CycleEventType.STEERED: "more messages came in",
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
        elif event.type is CycleEventType.SEND:
            parts.append(_note("send", "sent", event, cycle.depth + 1, scale))
        elif (label := _NOTES.get(event.type)) is not None:
            parts.append(_note("note", label, event, cycle.depth + 1, scale))
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


def _note(kind: str, label: str, event: CycleEvent, depth: int, scale: _Scale) -> RunSpan:
    at = scale.at(event.at)
    facts = [
        (name.replace("_", " "), str(value)[:500])
        for name, value in event.data.items()
        if value not in (None, "", {}, [])
    ]
    failed = event.type in {CycleEventType.SECURITY, CycleEventType.WATCHDOG_FIRE}
    return RunSpan(kind, label, at, at, depth, failed, facts)


def _told(data: Mapping[str, Any], *names: tuple[str, str]) -> list[tuple[str, str]]:
    return [(label, str(data[name])) for name, label in names if data.get(name)]


def _began(event: CycleEvent, scale: _Scale) -> float:
    return scale.at(event.at - (event.duration_ms or 0) * _MS)
