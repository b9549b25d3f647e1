"""One tool call of a run: its context, the record of its end, and what it changed for its person.

A tool that can be taken back says its change itself (`ToolResult.undo`). Of others, the arguments
say it. A call that only reads, or whose change is the session's own, is no deed.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from bot.agents.cycle_log.events import Cycle
from bot.agents.cycle_log.store import events_unit
from bot.agents.loop.outcomes import outcome_to_json
from bot.agents.loop.run import CEILING, Run
from bot.domain.approvals import Approval
from bot.domain.characters import short_line
from bot.domain.chat import Status
from bot.domain.clock import Clock
from bot.domain.cycles import CycleEvent
from bot.domain.database import Unit
from bot.domain.deeds import Deed, Done, Noun, ToolDeed
from bot.domain.json_types import JsonObject
from bot.domain.languages import Translations
from bot.domain.lasting import Makes
from bot.domain.origins import Origin, described_by
from bot.domain.tool_context import ArgumentsT, NativeTool, ToolContext
from bot.domain.tool_outcomes import (
    AskPerson,
    BudgetExtended,
    Deferred,
    Finish,
    ForAsker,
    NeedsApproval,
    ToolOutcome,
    ToolResult,
    Undoable,
    Unlocked,
)
from bot.domain.tools import ToolCall, ToolDefinition
from bot.domain.turns import Recorded, Turn
from bot.errors import ToolError
from bot.tools.budget.usage import Meter
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.gate import MISFIT, Allowed, Ask, Later, Refused, Verdict
from bot.tools.policy.redaction import Redaction
from bot.tools.policy.verdicts import strictest_risk
from bot.tools.running import undo_store
from bot.tools.running.executor import arguments_of
from bot.tools.running.undo_store import Changed
from bot.tools.toolset.toolset import Toolset

log = logging.getLogger(__name__)

_NAME_CHARS = 60
_UNDOABLE: Mapping[str, Done] = {
    "added": Done.ADDED,
    "stored": Done.ADDED,
    "created": Done.ADDED,
    "done": Done.COMPLETED,
    "dismissed": Done.DISMISSED,
    "deleted": Done.DELETED,
}
_NOUNS: Mapping[str, Noun] = {noun.value: noun for noun in Noun}
_ACTIONS: Mapping[str, Done] = {
    "create": Done.ADDED,
    "complete": Done.COMPLETED,
    "dismiss": Done.DISMISSED,
    "delete": Done.DELETED,
    "cancel": Done.DELETED,
    "add": Done.ADDED,
    "": Done.ADDED,
}


def deeds_of(
    result: ToolResult,
    definition: ToolDefinition | None,
    arguments: JsonObject,
    said: ToolDeed | None = None,
) -> tuple[Deed, ...]:
    """The deeds of a call that has ended. `said`: what its native tool says of itself."""
    if result.is_error or definition is None:
        return ()
    if result.undo:
        return tuple(_undoable(one) for one in result.undo)
    risky = strictest_risk(definition, arguments) is not None
    if not (risky or result.unit.writes):
        return ()
    if said is None:
        return (Deed(Noun.OUTSIDE, Done.CHANGED),) if risky else ()
    action = str(arguments.get("action") or "")
    done = said.done or _ACTIONS.get(action, Done.CHANGED)
    named = str(arguments.get(said.named_by) or "") or _title_in(result.content)
    return (Deed(said.noun, done, short(named)),)


def _undoable(one: Undoable) -> Deed:
    done = _UNDOABLE.get(one.done, Done.CHANGED)
    return Deed(_NOUNS.get(one.noun, Noun.ENTRY), done, short(one.name))


def _title_in(content: str) -> str:
    """The title of the record that a result shows, where the arguments have only its id."""
    try:
        return str(json.loads(content)["title"])
    except (ValueError, KeyError, TypeError):
        return ""


def may_have_acted(call: ToolCall, toolset: Toolset) -> bool:
    """Whether a call that was cut off may have changed something that nobody took note of."""
    definition = toolset.find(call.name)
    if definition is None or toolset.pure(call):
        return False
    return toolset.once(call) or strictest_risk(definition, call.arguments) is not None


def short(name: str) -> str:
    """A name on one line, cut where it is long."""
    return short_line(name, _NAME_CHARS)


Settled: TypeAlias = ToolResult | Finish | AskPerson


# --- what a call is given ---


@dataclass(frozen=True, kw_only=True)
class ControlContext(ToolContext):
    """A call's context with its run and turn; every call of the loop has one."""

    caller: Run
    turn: Turn


def control_tool(  # noqa: PLR0913 - what a native tool says of itself
    name: str,
    arguments: type[ArgumentsT],
    handler: Callable[[ControlContext, ArgumentsT], Awaitable[ToolOutcome]],
    *,
    pure: bool = False,
    makes: Callable[[ToolContext, ArgumentsT], Awaitable[Sequence[Makes]]] | None = None,
    check: Callable[[ToolContext, ArgumentsT], Awaitable[None]] | None = None,
    tells: Callable[[ToolContext, ArgumentsT], Awaitable[str | Translations]] | None = None,
    deed: ToolDeed | None = None,
    reads: str = "",
    keeps: bool = False,
    listed: bool = True,
) -> NativeTool[ArgumentsT]:
    """A native tool of the loop itself; nothing else can serve its name."""

    async def run(context: ToolContext, given: ArgumentsT) -> ToolOutcome:
        if not isinstance(context, ControlContext):
            raise TypeError(f"{name} was called outside of a run")
        return await handler(context, given)

    return NativeTool(
        name,
        arguments,
        run,
        pure=pure,
        reserved=True,
        in_turn=True,
        makes=makes,
        check=check,
        tells=tells,
        deed=deed,
        reads=reads,
        keeps=keeps,
        listed=listed,
    )


def narrowing(run: Run) -> tuple[ForAsker, ...]:
    """What a call returns whose own agents have read something that is their person's alone."""
    return (ForAsker(),) if run.record.for_asker else ()


def _cycle_of(run: Run, outcome: ToolOutcome) -> Cycle:
    """The cycle for the events of a call; what it read for its person alone is logged for them."""
    read = isinstance(outcome, ToolResult) and ForAsker() in outcome.effects
    return run.cycle_alone if read else run.cycle


def call_context(run: Run, call: ToolCall, now: datetime, turn: Turn) -> ControlContext:
    """The context of one call of a run."""
    own, ask_now = run.context, None if run.for_asker else run.callbacks.ask_now
    return ControlContext(
        person=run.callbacks.person_now(),
        agent=run.agent.name,
        run=run.scope.run,
        session_id=own.session_id,
        conversation=own.conversation,
        location=run.scope.location,
        private=own.private,
        cycle_id=run.cycle.id,
        call=call,
        tools=run.toolset,
        now=now,
        timezone=own.timezone,
        send=run.callbacks.send,
        progress=lambda text: run.callbacks.live(Status(text)),
        facts=run.facts,
        agent_email=run.scope.agent_email,
        depth=run.scope.depth,
        origin=run.stored_origin,
        confinements=run.scope.confinements,
        envelope=own.envelope,
        alone=run.for_asker,
        connected=run.scope.integrations,
        own_words=run.provenance,
        holds=run.history.holds,
        ask_now=ask_now(turn, call) if ask_now is not None else None,
        caller=run,
        turn=turn,
    )


async def lasting_of(run: Run, turn: Turn, call: ToolCall, now: datetime) -> Sequence[Makes]:
    """What a call of a native tool would make that lasts; known only beside texts that may steer.

    Nothing if the call can't be read: the tool refuses it in the same words.
    """
    handler = run.toolset.native(call.name)
    if handler is None or handler.makes is None or not run.provenance.steered:
        return ()
    try:
        arguments = arguments_of(handler.arguments, call)
        return await handler.makes(call_context(run, call, now, turn), arguments)
    except ToolError:
        return ()


async def completed(run: Run, turn: Turn, call: ToolCall, now: datetime) -> ToolCall:
    """The call with the arguments that its native tool adds.

    As it is if it can't be read: the tool refuses it in the same words. Raises ToolError for a
    call that can't be completed.
    """
    handler = run.toolset.native(call.name)
    if handler is None or handler.completes is None:
        return call
    try:
        given = arguments_of(handler.arguments, call)
    except ToolError:
        return call
    whole = await handler.completes(call_context(run, call, now, turn), given)
    return replace(call, arguments=whole)


# --- its record ---


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
        events: list[CycleEvent] = []
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
                native = run.toolset.native(call.name)
                said = native.deed if native is not None else None
                deeds = deeds_of(outcome, one.definition, call.arguments, said)
                settled = replace(settled, deeds=deeds)
                unit, events = outcome.unit + self._undo(one, outcome), withheld
                events += _extended(one, outcome)
                if not outcome.is_error and (unit.writes or run.toolset.once(call)):
                    value["wrote"] = True
            case _:
                settled = outcome
        output = _output(settled)
        events += _decided(one, verdict)
        if isinstance(verdict, Refused) and verdict.security:
            log.warning(
                "person=<%s>, tool=<%s> | refused: the role lacks this tool",
                run.scope.person.id,
                call.name,
            )
            unit += self.approvals.audit_unit(
                run.scope.person.id, "security", call.name, verdict.rule
            )
        if isinstance(settled, ToolResult) and (unlocked := _unlocked_by(one, verdict)):
            effects, origin = (*settled.effects, unlocked), _told_by(one, settled)
            settled = replace(settled, effects=effects, origin=origin)
        success = not (isinstance(settled, ToolResult) and settled.is_error)
        if isinstance(verdict, Allowed):
            name, payer = verdict.definition.name, run.context.payer
            unit += self.meter.tool_unit(payer, name, failed=not success)
        ms = round((self.clock.monotonic() - one.started) * 1000)
        cycle = _cycle_of(run, outcome)
        begun = cycle.tool_call(call)
        ended = cycle.tool_result(call, output, success=success, ms=ms)
        value["outcome"] = outcome_to_json(settled)
        return Recorded(value, unit + events_unit([begun, *events, ended]))

    def _approval(
        self, one: RunningCall, outcome: NeedsApproval | Deferred
    ) -> tuple[Approval, Unit]:
        context = call_context(one.run, one.call, self.clock.now(), one.turn)
        return self.approvals.create(
            outcome,
            session=one.turn.session,
            context=context,
            envelope=context.later,
            definition=one.definition,
        )

    def _undo(self, one: RunningCall, result: ToolResult) -> Unit:
        """The record of what the call's person can take back."""
        if result.is_error or not result.undo:
            return Unit()
        run = one.run
        told = run.provenance.untrusted
        learned, now = run.cycle.key.learned, self.clock.now()
        about = Changed(run.scope.person.id, learned, one.turn.id, now, told)
        return undo_store.record(result.undo, about)

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


def _extended(one: RunningCall, result: ToolResult) -> list[CycleEvent]:
    """The event of more model calls that the result grants to its run."""
    run = one.run
    granted = sum(effect.calls for effect in result.effects if isinstance(effect, BudgetExtended))
    if not granted:
        return []
    reason = str(one.call.arguments.get("reason", ""))
    total = min(run.budget.calls + granted, CEILING)
    return [run.cycle.tool_turns_extended(one.call, additional=granted, total=total, reason=reason)]


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
    """The origin of a result with a definition: a server's description is the server's text."""
    definition = one.definition
    if definition is None or not definition.described_by:
        return result.origin
    described = described_by((definition.described_by,))
    return max(described, result.origin, key=lambda origin: origin.trust)


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
        "without its result; when somebody decides you will be told."
    )
