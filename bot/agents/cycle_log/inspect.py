"""The observer's tools: the events of a cycle, and the list of cycles.

See docs/rules.md#specialists.
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.agents.cycle_log.log import CycleLog, CycleSummary
from bot.agents.cycle_log.tree import render_tree
from bot.domain.access import Role
from bot.domain.cycles import CycleEvent
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import left_out
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolResult

RECALL_DEFAULT = 5
RECALL_MAX = 50
_SUMMARY_CHARS = 200
_ID_CHARS = 8


class InspectArguments(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    cycle_id: str = Field(min_length=1, description="Full id, or at least its first 8 characters.")
    detail: Literal["summary", "full"] = "summary"


class RecallArguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    limit: int = Field(default=RECALL_DEFAULT, ge=1, le=RECALL_MAX)


def inspect_cycle_tool(log: CycleLog) -> NativeTool[InspectArguments]:
    """`inspect_cycle`: the tree of one cycle.

    Somebody else's cycle gets the same answer as an unknown one.
    """

    async def run(context: ToolContext, given: InspectArguments) -> ToolResult:
        events = await log.events(given.cycle_id)
        if not events or not all(_may_see(context, event) for event in events):
            return ToolResult(f"cycle not found: {given.cycle_id}")
        full = given.detail == "full"
        running = await log.with_callers(context.cycle_id)
        return ToolResult(
            render_tree(events, full=full, in_flight=running),
            origin=_inspect_origin(full),
            private=any(event.private for event in events),
        )

    return NativeTool("inspect_cycle", InspectArguments, run, pure=True)


def recall_recent_tool(log: CycleLog) -> NativeTool[RecallArguments]:
    """`recall_recent`: one line per top-level cycle, newest first."""

    async def run(context: ToolContext, given: RecallArguments) -> ToolResult:
        person = None if context.person.role is Role.MASTER_ADMIN else context.person.id
        cycles, hidden = await log.recent_shown(
            person, given.limit, lambda event: _may_see(context, event)
        )
        lines = [recall_line(cycle, with_person=person is None) for cycle in cycles] or [
            "no cycles yet that may be shown here"
        ]
        if hidden and person is not None:
            lines.append(f"{left_out(hidden)}.")
        return ToolResult(
            "\n".join(lines),
            origin=_recall_origin(context, cycles),
            private=any(cycle.learned.private for cycle in cycles),
        )

    return NativeTool("recall_recent", RecallArguments, run, pure=True)


def recall_line(cycle: CycleSummary, *, with_person: bool = False) -> str:
    """Time, status, short id and the request, cut at 200 characters."""
    text = " ".join(cycle.text.split())
    cut = text if len(text) <= _SUMMARY_CHARS else text[: _SUMMARY_CHARS - 1] + "…"
    who = f" {cycle.person}:" if with_person else ""
    return (
        f"{cycle.at:%Y-%m-%d %H:%M} UTC [{cycle.status.value}] {cycle.cycle_id[:_ID_CHARS]}{who} "
        f"{cut}"
    ).rstrip()


def _may_see(context: ToolContext, event: CycleEvent) -> bool:
    """One's own cycles (all for MasterAdmin), each only for its audience or in direct messages."""
    own = event.person == context.person.id or context.person.role is Role.MASTER_ADMIN
    return own and context.viewer.sees(context.person.id, event.learned)


def _inspect_origin(full: bool) -> Origin:
    # The summary contains names and figures; `full` quotes everything that the tools returned.
    return Origin(Trust.EXTERNAL if full else Trust.OPERATOR, "tool:inspect_cycle")


def _recall_origin(context: ToolContext, cycles: Sequence[CycleSummary]) -> Origin:
    own = all(
        cycle.person == context.person.id and cycle.node_type == "cognitive" for cycle in cycles
    )
    return Origin(Trust.PERSON if own else Trust.EXTERNAL, "tool:recall_recent")
