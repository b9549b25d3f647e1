"""plan_calls: asks once for several calls that each need a yes."""

from dataclasses import replace

from bot.agents.arguments import PlanArguments, PlanLine
from bot.agents.loop.asking import CallWords
from bot.agents.loop.calls import ControlContext, control_tool, lasting_of
from bot.domain.json_types import JsonObject
from bot.domain.targets import Stem
from bot.domain.tool_context import NativeTool
from bot.domain.tool_outcomes import Deferred, NeedsApproval, ToolOutcome
from bot.domain.tools import Risk, ToolCall
from bot.errors import ToolError, raised_as
from bot.tools.permission.bundles import lines_about, reasons_of
from bot.tools.permission.gate import Allowed, Ask, Later, Refused, ToolGate
from bot.tools.permission.plans_store import PLAN_CALLS

_BY_THEMSELVES = frozenset({Risk.DESTRUCTIVE, Risk.POLICY_WRITE})


def plan_calls(gate: ToolGate, words: CallWords) -> NativeTool[PlanArguments]:
    """The tool."""

    async def run(context: ControlContext, given: PlanArguments) -> ToolOutcome:
        return await planned(gate, words, context, given)

    return control_tool(PLAN_CALLS, PlanArguments, run, listed=False)


async def planned(
    gate: ToolGate, words: CallWords, context: ControlContext, given: PlanArguments
) -> NeedsApproval:
    """The question about a whole plan.

    Raises ToolError naming a line that can't be part of a plan.
    """
    needed = [
        await _worded(words, context, number, await _line(gate, context, number, line))
        for number, line in enumerate(given.calls, 1)
    ]
    lines: list[JsonObject] = [
        {"tool": one.call.name, "arguments": one.call.arguments} for one in needed
    ]
    stems = [_numbered(stem, number) for number, one in enumerate(needed, 1) for stem in one.stems]
    return NeedsApproval(
        replace(context.call, arguments={"calls": lines}),
        Risk.EXTERNAL_WRITE,
        reasons_of([one.reason for one in needed]),
        max(one.approver_rank for one in needed),
        stems=tuple(stems),
        untrusted=any(one.untrusted for one in needed),
        about=lines_about([one.about for one in needed]),
    )


async def _worded(
    words: CallWords, context: ControlContext, number: int, needed: NeedsApproval
) -> NeedsApproval | Deferred:
    """With what the call means. Raises ToolError if it can't be carried out."""
    with raised_as(ToolError, ToolError, about=f"line {number}"):
        return await words.told(context.caller, context.turn, needed)


async def _line(
    gate: ToolGate, context: ControlContext, number: int, said: PlanLine
) -> NeedsApproval:
    run, call = context.caller, context.call
    definition = run.toolset.find(said.tool)
    name = definition.name if definition is not None else said.tool
    one = ToolCall(call.id, name, said.arguments, call.key)
    makes = await lasting_of(run, context.turn, one, context.now)
    match gate.check(one, run.toolset, run.live_scope(), context=run.provenance, makes=makes):
        case Ask(needed) if needed.risk not in _BY_THEMSELVES and not needed.each_time:
            return needed
        case Ask():
            raise ToolError(
                f"line {number}: {name} needs its own approval; leave it out and call it"
            )
        case Allowed():
            raise ToolError(f"line {number}: {name} needs no yes; leave it out and call it")
        case Refused(text):
            raise ToolError(f"line {number}: {text}")
        case Later():
            raise ToolError("nobody is present to answer; make the calls one by one")


def _numbered(stem: Stem, number: int) -> Stem:
    return replace(stem, target=replace(stem.target, field=f"{number}. {stem.target.field}"))
