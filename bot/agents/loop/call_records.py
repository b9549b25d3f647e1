"""The record of a tool call in the journal and the cycle log."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.agents.cycle_log.log import CycleLog
from bot.agents.loop.control import call_context
from bot.agents.loop.effects import once
from bot.agents.loop.outcome_json import outcome_to_json
from bot.agents.loop.run import Run
from bot.domain.approvals import Approval
from bot.domain.clock import Clock
from bot.domain.cycles import CycleEvent
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin, Trust
from bot.domain.tool_outcomes import (
    AskPerson,
    Deferred,
    Finish,
    NeedsApproval,
    ToolOutcome,
    ToolResult,
    Unlocked,
)
from bot.domain.tools import McpImplementation, ToolCall, ToolDefinition
from bot.domain.turns import Recorded, Turn
from bot.tools.budget.usage import Meter
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.gate import MISFIT, Allowed, Ask, Later, Refused, Verdict
from bot.tools.policy.redaction import Redaction

log = logging.getLogger(__name__)

Settled: TypeAlias = ToolResult | Finish | AskPerson


@dataclass(frozen=True)
class RunningCall:
    """A running call; `started` is Clock.monotonic() at its beginning."""

    run: Run
    turn: Turn
    call: ToolCall
    started: float

    @property
    def definition(self) -> ToolDefinition | None:
        """None if the run may not know of the tool, or if there is none."""
        return self.run.toolset.find(self.call.name)


@dataclass(frozen=True)
class CallRecords:
    """Makes the record of a finished call; holds no state of a run."""

    approvals: ApprovalStore
    redaction: Redaction
    meter: Meter
    cycle_log: CycleLog
    clock: Clock

    def record(
        self,
        one: RunningCall,
        outcome: ToolOutcome,
        verdict: Verdict | None,
        asked: Sequence[str] = (),
    ) -> Recorded:
        """The outcome with its own writes and the events that describe it.

        `asked` names the people whose yes is awaited.
        """
        run, call = one.run, one.call
        events = [run.cycle.tool_call(call)]
        value: JsonObject = {}
        unit = Unit()
        settled: Settled
        match outcome:
            case NeedsApproval() | Deferred():
                approval, unit = self._approval(one, outcome)
                value["approval"] = approval.ref
                settled = ToolResult(_waiting_text(outcome, approval, asked))
                state, risk = approval.state.value, approval.risk
                events.append(run.cycle.approval(call.key, call.name, approval.ref, state, risk))
            case ToolResult():
                settled, withheld = self._cleaned(one, outcome)
                unit, events = outcome.unit, [*events, *withheld]
                if not outcome.is_error and (unit or once(run, call)):
                    value["wrote"] = True
            case _:
                settled = outcome
        events += _decided(one, verdict)
        if isinstance(verdict, Refused) and verdict.security:
            log.warning(
                "person=<%s>, tool=<%s> | refused: the role lacks this tool",
                run.person.id,
                call.name,
            )
            unit += self.approvals.audit_unit(run.person.id, "security", call.name, verdict.rule)
        if isinstance(settled, ToolResult) and (unlocked := _unlocked_by(one, verdict)):
            effects, origin = (*settled.effects, unlocked), _told_by(one, settled)
            settled = replace(settled, effects=effects, origin=origin)
        success = not (isinstance(settled, ToolResult) and settled.is_error)
        if isinstance(verdict, Allowed):
            name, payer = verdict.definition.name, run.context.payer
            unit += self.meter.tool_unit(payer, name, failed=not success)
        ms = round((self.clock.monotonic() - one.started) * 1000)
        events.append(run.cycle.tool_result(call, _output(settled), success=success, ms=ms))
        value["outcome"] = outcome_to_json(settled)
        return Recorded(value, unit + self.cycle_log.unit(events))

    def _approval(
        self, one: RunningCall, outcome: NeedsApproval | Deferred
    ) -> tuple[Approval, Unit]:
        return self.approvals.create(
            outcome,
            session=one.turn.session,
            context=call_context(one.run, one.call, self.clock.now(), one.turn),
            envelope=one.run.context.envelope,
            definition=one.definition,
        )

    def _cleaned(self, one: RunningCall, result: ToolResult) -> tuple[ToolResult, list[CycleEvent]]:
        """The result without the parts that a policy withholds, and the event about it."""
        cleaned = self.redaction.clean(result, one.definition, one.run.live_scope())
        if not cleaned.rule:
            return cleaned.result, []
        log.info(
            "session=<%s>, tool=<%s>, rule=<%s> | output withheld",
            one.turn.session,
            one.call.name,
            cleaned.rule,
        )
        rule = f"policy:{cleaned.rule}"
        event = one.run.cycle.policy_decision(one.call, "post_exec", "deny", rule)
        return cleaned.result, [event]


def _decided(one: RunningCall, verdict: Verdict | None) -> list[CycleEvent]:
    """The events of the gate's decision."""
    if verdict is None:
        return []
    cycle, events = one.run.cycle, list[CycleEvent]()
    if decision := _decision(verdict):
        events.append(cycle.policy_decision(one.call, "tool", decision, verdict.rule))
    if isinstance(verdict, Refused) and verdict.security:
        events.append(cycle.security(one.call, verdict.rule))
    return events


def _unlocked_by(one: RunningCall, verdict: Verdict | None) -> Unlocked | None:
    """The tool that a call of a locked tool unlocks: by naming it, the model may see its schema."""
    definition = one.definition
    seen = isinstance(verdict, Allowed | Ask | Later) or (
        isinstance(verdict, Refused) and verdict.rule == MISFIT
    )
    if definition is None or not seen or one.run.toolset.is_callable(definition.name):
        return None
    return Unlocked((definition.declaration(),), called=True)


def _told_by(one: RunningCall, result: ToolResult) -> Origin:
    """The origin of a result with a definition: a server's description is text from outside."""
    definition = one.definition
    if definition is None or not isinstance(definition.implementation, McpImplementation):
        return result.origin
    outside = Origin(Trust.EXTERNAL, f"mcp:{definition.implementation.server}")
    return max(result.origin, outside, key=lambda origin: origin.trust)


def _decision(verdict: Verdict) -> str:
    """The fields of the event; none for a call without any rule, risk or grant."""
    match verdict:
        case Allowed():
            return "" if verdict.rule == "allowed" else "allow"
        case Refused():
            return "deny"
        case Ask():
            return "ask"
        case Later():
            return "defer"


def _output(settled: Settled) -> str:
    match settled:
        case ToolResult():
            return settled.content
        case Finish():
            return settled.answer
        case AskPerson():
            return settled.question


def _waiting_text(
    outcome: NeedsApproval | Deferred, approval: Approval, asked: Sequence[str]
) -> str:
    if isinstance(outcome, Deferred):
        return (
            "not done: nobody is present to confirm it; proposed to the owner as approval "
            f"{approval.ref}"
        )
    who = f" {' and '.join(asked)} {'was' if len(asked) == 1 else 'were'} asked." if asked else ""
    return (
        f"waiting for approval {approval.ref} ({outcome.reason}).{who} It is not done yet. Go on "
        "without its result; when somebody decides you will be told. If more such calls follow, "
        "plan_calls asks for all at once."
    )
