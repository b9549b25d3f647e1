"""A cycle and the cycles that it called, as text for the observer and `bellhop cycles show`."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bot.agents.cycle_log.events import usage_of
from bot.domain.characters import short_line
from bot.domain.cycles import CycleEvent, CycleEventType, CycleStatus
from bot.domain.models import Usage
from bot.domain.tool_outcomes import SILENT

IO_CHARS = 500
TEXT_CHARS = 200
_ID_CHARS = 8
_INDENT = "  "
_AGENT = "agent_"
_NANO = 1_000_000_000

Cost: TypeAlias = Callable[[str, Usage], int | None]
"""The cost of a model call in billionths of a dollar; None if the price is unknown."""

_STARTS = (CycleEventType.CYCLE_START, CycleEventType.AGENT_CYCLE_START)
_ENDS = (CycleEventType.CYCLE_COMPLETE, CycleEventType.AGENT_CYCLE_COMPLETE)


@dataclass
class _Node:
    """One cycle: its first and last event, those between, and the cycles that it called."""

    cycle_id: str
    start: CycleEvent | None = None
    end: CycleEvent | None = None
    events: list[CycleEvent] = field(default_factory=list[CycleEvent])
    children: list["_Node"] = field(default_factory=list["_Node"])

    def of(self, kind: CycleEventType) -> list[CycleEvent]:
        return [event for event in self.events if event.type is kind]

    def replies(self) -> list[CycleEvent]:
        """The models of this cycle and of those below it."""
        return [
            *self.of(CycleEventType.LLM_RESPONSE),
            *(reply for child in self.children for reply in child.replies()),
        ]


@dataclass(frozen=True)
class _View:
    """How the tree is shown."""

    full: bool
    in_flight: Collection[str]
    cost: Cost | None


def render_tree(
    events: Sequence[CycleEvent],
    *,
    full: bool = False,
    in_flight: Collection[str] = (),
    cost: Cost | None = None,
) -> str:
    """The tree of the cycle that the first event belongs to; empty without events.

    A failed tool has its input and its error. `full` adds texts, and each tool's input and output.
    `in_flight`: cycles that run right now; another cycle without an end is pending. `cost` adds the
    cost of each cycle's model calls.
    """
    view = _View(full, in_flight, cost)
    return "\n".join(line for root in _nodes(events) for line in _lines(root, 0, view))


def failed_tools(events: Sequence[CycleEvent]) -> list[str]:
    """The names of the tools that failed in these cycles, each once."""
    results = [event.data for event in events if event.type is CycleEventType.TOOL_RESULT]
    failed = [str(data.get("tool_name")) for data in results if not data.get("success")]
    return list(dict.fromkeys(failed))


def _nodes(events: Sequence[CycleEvent]) -> list[_Node]:
    nodes: dict[str, _Node] = {}
    for event in events:
        node = nodes.setdefault(event.cycle_id, _Node(event.cycle_id))
        node.events.append(event)
        if event.type in _STARTS:
            node.start = event
        elif event.type in _ENDS:
            node.end = event
    roots: list[_Node] = []
    for node in nodes.values():
        parent = nodes.get(node.start.parent_id or "") if node.start else None
        (roots if parent is None or parent is node else parent.children).append(node)
    return roots


def _lines(node: _Node, depth: int, view: _View) -> Iterator[str]:
    indent = _INDENT * depth
    yield f"{indent}{_heading(node, view.in_flight)}"
    for line in _body(node, view):
        yield f"{indent}{_INDENT}{line}"
    for child in node.children:
        yield from _lines(child, depth + 1, view)


def _heading(node: _Node, in_flight: Collection[str]) -> str:
    start = node.start
    kind = start.data.get("node_type", "cycle") if start else "cycle"
    who = f" {start.agent}" if start else ""
    return f"{kind}{who} {node.cycle_id[:_ID_CHARS]}: {_outcome(node, in_flight)}"


_OUTCOMES = {
    "partial": "partial",
    "unresolved": "failure: unresolved",
    SILENT: "success: nothing to say",
}


def _outcome(node: _Node, in_flight: Collection[str]) -> str:
    if node.end is None:
        return "in-flight" if node.cycle_id in in_flight else "pending"
    data = node.end.data
    match data.get("status"):
        case CycleStatus.COMPLETE if judged := node.of(CycleEventType.VERIFICATION):
            lacking = _cut(judged[-1].data.get("lacking"), TEXT_CHARS)
            return (
                "success: verified"
                if judged[-1].data.get("verified")
                else f"not verified: {lacking}"
            )
        case CycleStatus.COMPLETE:
            return _OUTCOMES.get(str(data.get("outcome")), "success")
        case CycleStatus.ERROR:
            return f"failure: {_cut(data.get('error') or 'no reason was logged', TEXT_CHARS)}"
        case status:
            reason = data.get("error")
            return f"{status}: {_cut(reason, TEXT_CHARS)}" if reason else str(status)


def _body(node: _Node, view: _View) -> Iterator[str]:
    full = view.full
    if node.start is not None:
        took = (
            f", {node.end.duration_ms} ms" if node.end and node.end.duration_ms is not None else ""
        )
        yield f"at: {node.start.at:%Y-%m-%d %H:%M:%S} UTC{took}"
        if full:
            yield f"asked: {_cut(node.start.data.get('text'), IO_CHARS)}"
    yield from _model(node, view.cost)
    yield from _tools_in_full(node) if full else _tools(node)
    yield from _notable(node)
    if full and node.end is not None and node.end.data.get("text"):
        yield f"answered: {_cut(node.end.data['text'], IO_CHARS)}"


def _model(node: _Node, cost: Cost | None) -> Iterator[str]:
    replies = node.of(CycleEventType.LLM_RESPONSE)
    if replies:
        yield f"tokens: {_used(replies, cost)}"
    if cost is not None and node.children and (all_replies := node.replies()):
        yield f"with the agents below: {_used(all_replies, cost)}"
    if not replies:
        return
    names = dict.fromkeys(str(reply.data["model"]) for reply in replies if reply.data.get("model"))
    calls = "1 call" if len(replies) == 1 else f"{len(replies)} calls"
    yield f"model: {', '.join(names) or 'none answered'} ({calls})"
    for reply in replies:
        if reply.data.get("error"):
            yield f"model error: {_cut(reply.data['error'], TEXT_CHARS)}"


def _used(replies: Sequence[CycleEvent], cost: Cost | None) -> str:
    usage = sum(map(usage_of, replies), Usage())
    tokens = f"{usage.total_input} in ({usage.cache_read_tokens} cached), {usage.output_tokens} out"
    return f"{tokens}, {_money(replies, cost)}" if cost is not None else tokens


def _money(replies: Sequence[CycleEvent], cost: Cost) -> str:
    """The cost in the words of `bellhop usage`. A failed call has no model and no price."""
    costs = [
        cost(str(reply.data["model"]), usage_of(reply))
        for reply in replies
        if reply.data.get("model")
    ]
    unknown = sum(one is None for one in costs)
    money = f"{sum(one or 0 for one in costs) / _NANO:,.4f} USD"
    return (
        f"{money} + {unknown} call{'s' if unknown > 1 else ''} of unknown price"
        if unknown
        else money
    )


def _tools(node: _Node) -> Iterator[str]:
    calls = node.of(CycleEventType.TOOL_CALL)
    if calls:
        yield f"tools: {', '.join(_tool(node, call) for call in calls)}"
    for call in calls:
        yield from _failure(node, call)


def _failure(node: _Node, call: CycleEvent) -> Iterator[str]:
    """What a failed tool was given, and its error; an agent's own cycle says why it failed."""
    result, name = _result(node, call), str(call.data.get("tool_name"))
    if result is None or result.data.get("success") or name.startswith(_AGENT):
        return
    yield f"{_INDENT}{name} {_cut(call.data.get('tool_input', '(not logged)'), TEXT_CHARS)}"
    yield f"{_INDENT}gave {_cut(result.data.get('error'), TEXT_CHARS)}"


def _tools_in_full(node: _Node) -> Iterator[str]:
    for call in node.of(CycleEventType.TOOL_CALL):
        yield f"tool {_tool(node, call)}"
        yield f"{_INDENT}IN  {_cut(call.data.get('tool_input', '(not logged)'), IO_CHARS)}"
        if (result := _result(node, call)) is not None:
            yield f"{_INDENT}OUT {_cut(result.data.get('output', '(not logged)'), IO_CHARS)}"


def _tool(node: _Node, call: CycleEvent) -> str:
    result = _result(node, call)
    name = str(call.data.get("tool_name"))
    if result is None:
        return f"{name} [no result]"
    return name if result.data.get("success") else f"{name} [failed]"


def _result(node: _Node, call: CycleEvent) -> CycleEvent | None:
    return next(
        (event for event in node.of(CycleEventType.TOOL_RESULT) if event.step == call.step), None
    )


def _notable(node: _Node) -> Iterator[str]:
    """Gates and other events that changed the course of the run."""
    for event in node.events:
        data = event.data
        match event.type:
            case CycleEventType.POLICY_DECISION:
                rule = f" ({_cut(data['rule'], TEXT_CHARS)})" if data.get("rule") else ""
                yield (
                    f"gate {data.get('gate')}: {data.get('verdict')} {data.get('tool_name')}{rule}"
                )
            case CycleEventType.SECURITY:
                yield f"security: {data.get('tool_name')}: {_cut(data.get('reason'), TEXT_CHARS)}"
            case CycleEventType.APPROVAL:
                yield f"approval {data.get('ref')}: {data.get('tool_name')} {data.get('state')}"
            case CycleEventType.TOOL_TURNS_EXTENDED:
                yield f"turns: {data.get('additional')} more, {data.get('total')} in all"
            case CycleEventType.RATED:
                yield f"rated by the person: {'helped' if data.get('helped') else 'did not help'}"
            case CycleEventType.WATCHDOG_FIRE:
                yield f"watchdog: {data.get('what')} ended after {data.get('after_s')} s"
            case _:
                continue


def _cut(text: Any, chars: int) -> str:
    return short_line(str("" if text is None else text), chars)
