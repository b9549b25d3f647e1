"""The observer's tools: the events of a cycle, and the list of cycles.

See docs/rules.md#specialists.
"""

from collections.abc import Collection, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.agents.cycle_log.log_store import CycleLog, CycleSummary
from bot.agents.cycle_log.tree import failed_tools, render_tree
from bot.domain.access import Role
from bot.domain.characters import short_line
from bot.domain.cycles import CycleEvent
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import Learned, left_out
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ForAsker, ToolResult

RECALL_DEFAULT = 5
RECALL_MAX = 50
_SUMMARY_CHARS = 200
_ID_CHARS = 8
_FAILED_SHOWN = 4
NONE_YET = "no cycles yet that may be shown here"


class InspectArguments(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    cycle_id: str = Field(
        default_factory=str,
        description="Full id, or its first 8 characters; without it, the run before this one.",
    )
    detail: Literal["summary", "full"] = "summary"


class RecallArguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    limit: int = Field(default=RECALL_DEFAULT, ge=1, le=RECALL_MAX)


def inspect_cycle_tool(log: CycleLog) -> NativeTool[InspectArguments]:
    """`inspect_cycle`: the tree of one cycle.

    Somebody else's cycle gets the same answer as an unknown one.
    """

    async def run(context: ToolContext, given: InspectArguments) -> ToolResult:
        running = await log.with_callers(context.cycle_id)
        wanted = given.cycle_id or await _one_before(log, context, running)
        events = await log.events(wanted)
        if not events or not all(_may_see(context, event) for event in events):
            return ToolResult(f"cycle not found: {wanted}" if wanted else NONE_YET)
        full = given.detail == "full"
        alone = Learned.at(context.location.read_by(context.person.id))
        return ToolResult(
            render_tree(events, full=full, in_flight=running),
            origin=_inspect_origin(quotes=full or bool(failed_tools(events))),
            private=any(event.private for event in events),
            effects=(ForAsker(),) if any(event.learned == alone for event in events) else (),
        )

    return NativeTool("inspect_cycle", InspectArguments, run, pure=True)


def recall_recent_tool(log: CycleLog) -> NativeTool[RecallArguments]:
    """`recall_recent`: one line per top-level cycle, newest first."""

    async def run(context: ToolContext, given: RecallArguments) -> ToolResult:
        person = None if context.person.role is Role.MASTER_ADMIN else context.person.id
        cycles, hidden = await log.recent_shown(
            person, given.limit, lambda event: _may_see(context, event)
        )
        everyone = person is None
        lines = [
            recall_line(one, with_person=everyone, failed=await _failed(log, context, one))
            for one in cycles
        ] or [NONE_YET]
        if hidden and person is not None:
            lines.append(f"{left_out(hidden)}.")
        return ToolResult(
            "\n".join(lines),
            origin=_recall_origin(context, cycles),
            private=any(cycle.learned.private for cycle in cycles),
        )

    return NativeTool("recall_recent", RecallArguments, run, pure=True)


async def _one_before(log: CycleLog, context: ToolContext, running: Collection[str]) -> str:
    """The newest cycle of this person that isn't running now; empty without one."""
    cycles, _ = await log.recent_shown(
        context.person.id, len(running) + 1, lambda event: _may_see(context, event)
    )
    return next((one.cycle_id for one in cycles if one.cycle_id not in running), "")


async def _failed(log: CycleLog, context: ToolContext, cycle: CycleSummary) -> Sequence[str]:
    """The tools that failed in a cycle or below it."""
    events = await log.events(cycle.cycle_id)
    return failed_tools([event for event in events if _may_see(context, event)])


def recall_line(
    cycle: CycleSummary, *, with_person: bool = False, failed: Sequence[str] = ()
) -> str:
    """Time, status, short id and the request, cut at 200 characters; the tools that failed."""
    who = f" {cycle.person}:" if with_person else ""
    trouble = f"; failed in it: {', '.join(failed[:_FAILED_SHOWN])}" if failed else ""
    return (
        f"{cycle.at:%Y-%m-%d %H:%M} UTC [{cycle.status.value}{trouble}] "
        f"{cycle.cycle_id[:_ID_CHARS]}{who} {short_line(cycle.text, _SUMMARY_CHARS)}"
    ).rstrip()


def _may_see(context: ToolContext, event: CycleEvent) -> bool:
    """One's own cycles (all for MasterAdmin), each only for its audience or in direct messages."""
    own = event.person == context.person.id or context.person.role is Role.MASTER_ADMIN
    return own and context.viewer.sees(context.person.id, event.learned)


def _inspect_origin(*, quotes: bool) -> Origin:
    # Names and figures are Bellhop's own words. What a tool returned may be anybody's.
    return Origin(Trust.EXTERNAL if quotes else Trust.OPERATOR, "tool:inspect_cycle")


def _recall_origin(context: ToolContext, cycles: Sequence[CycleSummary]) -> Origin:
    own = all(
        cycle.person == context.person.id and cycle.node_type == "cognitive" for cycle in cycles
    )
    return Origin(Trust.PERSON if own else Trust.EXTERNAL, "tool:recall_recent")
