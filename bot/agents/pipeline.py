"""The single path of a tool call: gate, hard-coded handler or executor, journal record."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

from bot.agents.cycle_log import CycleLog
from bot.agents.effects import ALWAYS_AFFORDED, once, pure, without_effect
from bot.agents.outcome_json import outcome_from_json, outcome_to_json
from bot.agents.planning import planned
from bot.agents.run import Run
from bot.agents.spending import Purse, refusal, rule_of
from bot.domain.access import Person
from bot.domain.approvals import Approval
from bot.domain.chat import ToolEnded, ToolStarted
from bot.domain.clock import Clock
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin, Trust
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tools import (
    AskPerson,
    Deferred,
    Finish,
    McpImplementation,
    NeedsApproval,
    ToolCall,
    ToolContext,
    ToolDefinition,
    ToolOutcome,
    ToolResult,
    Unlocked,
)
from bot.domain.turns import OutcomeUnknown, Recorded, Turn
from bot.errors import ToolError, UnitRejected
from bot.log import redact
from bot.tools.budget.budgets import BudgetStanding, Measure
from bot.tools.budget.usage import BEFORE_TOOL
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.gate import (
    MISFIT,
    REPEATED,
    Allowed,
    Ask,
    Later,
    Refused,
    ToolGate,
    Verdict,
)
from bot.tools.permission.grants import GrantStore
from bot.tools.permission.plans import PLAN_CALLS, Plans
from bot.tools.policy.redaction import Redaction
from bot.tools.running.executor import ToolExecutor

log = logging.getLogger(__name__)

UNKNOWN_OUTCOME = (
    "The program was interrupted while this ran, and whether it took effect is unknown."
    " Do not repeat it blindly: check first, or tell the person."
)

CHANGED = "somebody changed this meanwhile; read it again and repeat the change"
INTERRUPTED = "the person stopped it while it ran; it may have taken effect in part"

ControlHandler: TypeAlias = Callable[[Run, Turn, ToolContext], Awaitable[ToolOutcome]]
"""A hard-coded handler: runs before any routing, may see the run and the turn."""
Settled: TypeAlias = ToolResult | Finish | AskPerson


@dataclass(frozen=True)
class Unaffordable:
    """The gate lets the call through, and a budget does not."""

    reached: BudgetStanding


@dataclass(frozen=True)
class ToolPipeline:
    """Runs single calls; holds no state of a run.

    Hard-coded handlers come first, then the executor's routes.
    """

    gate: ToolGate
    executor: ToolExecutor
    approvals: ApprovalStore
    grants: GrantStore
    plans: Plans
    redaction: Redaction
    purse: Purse
    handlers: Mapping[str, ControlHandler]
    dispatch: ControlHandler
    """Serves every `agent_<name>`."""
    cycle_log: CycleLog
    clock: Clock
    tokens: Callable[[Person, Sequence[str]], Awaitable[Mapping[str, str]]]
    """Tokens of a person for services, by service id."""

    async def run(self, run: Run, turn: Turn, call: ToolCall) -> Settled:
        """Run a call as step `call.key`, or give what it gave before a crash.

        Shows it while it runs.
        """
        replayed = turn.done(call.key)
        if turn.stop_requested and not replayed:
            if turn.begun(call.key):
                run.begun[call.id] = call.name
            raise asyncio.CancelledError  # stopped before a crash or while a question was open
        started = self.clock.monotonic()
        if not replayed:
            run.live(ToolStarted(call.id, call.name, summarise(call)))
        async with self.purse.meter.held(run.payer, Measure.TOOL_CALLS) as ticket:
            if not (replayed or without_effect(call)):
                run.begun[call.id] = call.name
            value = await self._journalled(run, turn, call, ticket)
        run.begun.pop(call.id, None)
        if value.get("wrote"):
            run.wrote.add(call.id)
        run.spending.tool_calls += 1
        outcome = outcome_from_json(value["outcome"])
        approval = value.get("approval")
        if (
            approval
            and run.on_approval is not None
            and (stored := await self.approvals.get(approval))
        ):
            await run.on_approval(turn, stored, run.origin.trust)
        if isinstance(outcome, ToolResult):
            run.tools_used.append(call.name)
            if (
                call.name == "send"
                and not outcome.is_error
                and not str(call.arguments.get("to") or "").strip()
            ):
                run.sent.append(str(call.arguments.get("text", "")))
            if not replayed:
                seconds = self.clock.monotonic() - started
                waits = bool(approval) and not outcome.is_error
                run.live(
                    ToolEnded(
                        call.id, call.name, not outcome.is_error, seconds, outcome.summary, waits
                    )
                )
        return outcome

    async def _journalled(
        self,
        run: Run,
        turn: Turn,
        call: ToolCall,
        ticket: object,
    ) -> JsonObject:
        started = self.clock.monotonic()

        async def fail(text: str) -> Recorded:
            return self._record(
                run, call, ToolResult(text, is_error=True), None, started, turn.session
            )

        rejected = step_key(StepKind.REJECTED, within=call.key)
        unknown = step_key(StepKind.UNKNOWN, within=call.key)
        for ended in (rejected, unknown):
            if turn.done(ended):  # a crash left the call's own step with its intent alone
                return await turn.step(ended, lambda: fail(UNKNOWN_OUTCOME))

        # Before the step: only a call that may run needs its intent on record.
        verdict = None if turn.done(call.key) else await self._afforded(run, call, ticket)

        async def perform() -> Recorded:
            found = verdict or await self._afforded(run, call, ticket)
            if isinstance(found, Unaffordable):
                return await self._unaffordable(run, call, found, started, turn.session)
            outcome = await self._outcome(run, turn, call, found)
            names: tuple[str, ...] = ()
            if isinstance(outcome, NeedsApproval | Deferred):
                if earlier := await self._waiting_already(run, turn, call):
                    return self._record(run, call, earlier, found, started, turn.session)
                names = await run.asked(outcome.approver_rank) if run.asked is not None else ()
            return self._record(run, call, outcome, found, started, turn.session, names)

        try:
            allowed = isinstance(verdict, Allowed)
            return await turn.step(
                call.key,
                perform,
                once=allowed and once(run, call),
                pure=allowed and pure(run, call),
            )
        except OutcomeUnknown:
            return await turn.step(unknown, lambda: fail(UNKNOWN_OUTCOME))
        except UnitRejected as error:
            log.info(
                "session=<%s>, tool=<%s>, error=<%s> | a write met changed data",
                turn.session,
                call.name,
                error,
            )
            return await turn.step(rejected, lambda: fail(CHANGED))

    async def _waiting_already(self, run: Run, turn: Turn, call: ToolCall) -> ToolResult | None:
        """What is told about a call that waits already: a second card would ask the same again."""
        definition = run.toolset.find(call.name)
        name = definition.name if definition is not None else call.name
        earlier = await self.approvals.waiting_call(
            turn.session, run.person.id, name, call.arguments
        )
        return None if earlier is None else ToolResult(_waiting_still(earlier))

    async def _check(self, run: Run, call: ToolCall, *, confirmed: bool = False) -> Verdict:
        """The gate's verdict, a question answered where an earlier yes still holds.

        See docs/rules.md#approvals.
        """
        run.toolset.refresh()
        scope = run.live_scope()
        context = run.provenance
        verdict = self.gate.check(call, run.toolset, scope, confirmed=confirmed, context=context)
        definition = run.toolset.find(call.name)
        if definition is None or not isinstance(verdict, Ask | Later):
            return verdict
        question = verdict.needed if isinstance(verdict, Ask) else verdict.deferred
        grant = await self.grants.covering(
            question, definition, scope.person, run.session_id, untrusted=question.untrusted
        )
        answered = grant.ref if grant is not None else await self._planned(run, call, definition)
        if answered is None:
            return verdict
        return self.gate.check(call, run.toolset, scope, granted=answered, context=context)

    async def _planned(self, run: Run, call: ToolCall, definition: ToolDefinition) -> str | None:
        """The line of an approved plan that this call uses up, if there is one."""
        by = f"{run.cycle.id}/{call.key}"
        person, agent = run.person.id, run.agent.name
        line = await self.plans.take(
            person, run.session_id, agent, definition.name, call.arguments, by=by
        )
        return f"plan {line}" if line is not None else None

    async def _afforded(self, run: Run, call: ToolCall, ticket: object) -> Verdict | Unaffordable:
        """The gate's verdict, then the budgets: refused or questioned calls cost nothing yet."""
        verdict = await self._check(run, call)
        if not isinstance(verdict, Allowed) or verdict.definition.name in ALWAYS_AFFORDED:
            return verdict
        reached = await self.purse.meter.reached(run.payer, run.spending, BEFORE_TOOL, ticket)
        return verdict if reached is None else Unaffordable(reached)

    async def _unaffordable(
        self, run: Run, call: ToolCall, found: Unaffordable, started: float, session: str
    ) -> Recorded:
        asked, unit = await self.purse.ask_for_more(run, call.key, session, found.reached)
        refused = Refused(refusal(found.reached), rule_of(found.reached))
        recorded = self._record(
            run, call, ToolResult(refused.text, is_error=True), refused, started, session
        )
        value = cast("JsonObject", recorded.value)
        return Recorded({**value, "approval": asked.ref} if asked else value, recorded.unit + unit)

    async def _outcome(
        self,
        run: Run,
        turn: Turn,
        call: ToolCall,
        verdict: Verdict,
        approval: Approval | None = None,
    ) -> ToolOutcome:
        match verdict:
            case Allowed(definition):
                return await self._execute(run, turn, call, definition, approval)
            case Refused():
                return ToolResult(verdict.text, is_error=True)
            case Ask(needed):
                return needed
            case Later(deferred):
                return deferred

    async def _execute(
        self,
        run: Run,
        turn: Turn,
        call: ToolCall,
        definition: ToolDefinition,
        approval: Approval | None,
    ) -> ToolOutcome:
        context = run.tool_context(call, self.clock.now(), turn)
        if approval is not None:
            confirmed = approval.decided_by == context.person.id
            context = replace(context, approved_rank=approval.approver_rank, confirmed=confirmed)
        if definition.requires:
            tokens = await self.tokens(context.person, definition.requires)
            context = replace(context, integrations=tokens)
        if definition.name == PLAN_CALLS:
            try:
                return planned(self.gate, run, context)
            except ToolError as error:
                return ToolResult(str(error), is_error=True)
        handler = self.handlers.get(definition.name)
        if handler is None and definition.name.startswith("agent_"):
            handler = self.dispatch
        if handler is None:
            return await self.executor.execute(definition, context)
        try:
            return await handler(run, turn, context)
        except ToolError as error:
            return ToolResult(str(error), is_error=True)

    async def repeated(self, run: Run, turn: Turn, call: ToolCall, text: str) -> ToolResult:
        """Refuse a repeated call: it skips the gate, and is recorded like the gate's refusals."""
        refused = Refused(text, REPEATED)
        started = self.clock.monotonic()

        async def perform() -> Recorded:
            return self._record(
                run, call, ToolResult(text, is_error=True), refused, started, turn.session
            )

        value = await turn.step(call.key, perform)
        outcome = outcome_from_json(value["outcome"])
        return outcome if isinstance(outcome, ToolResult) else ToolResult(text, is_error=True)

    async def run_approved(
        self, run: Run, turn: Turn, approval: Approval, call: ToolCall
    ) -> ToolResult:
        """Run a stored call after somebody's yes: every check but the confirmation is made again.

        See docs/rules.md#approvals.
        """
        started = self.clock.monotonic()

        async def perform() -> Recorded:
            verdict = await self._check(run, call, confirmed=True)
            outcome = await self._outcome(run, turn, call, verdict, approval)
            if isinstance(outcome, NeedsApproval | Deferred):
                outcome = ToolResult("not run: it would need another approval now", is_error=True)
            recorded = self._record(run, call, outcome, verdict, started, turn.session)
            return Recorded(recorded.value, recorded.unit + self.approvals.done_unit(approval.ref))

        try:
            with turn.stoppable():
                value = await turn.step(call.key, perform, once=once(run, call))
        except OutcomeUnknown:
            return ToolResult(UNKNOWN_OUTCOME, is_error=True)
        except UnitRejected as error:
            log.info(
                "session=<%s>, tool=<%s>, error=<%s> | a write met changed data",
                turn.session,
                call.name,
                error,
            )
            return ToolResult(CHANGED, is_error=True)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not turn.stop_requested or task is None:
                raise
            task.uncancel()
            return ToolResult(INTERRUPTED, is_error=True)
        outcome = outcome_from_json(value["outcome"])
        return outcome if isinstance(outcome, ToolResult) else ToolResult("(done)")

    # --- what is remembered ---

    def _record(
        self,
        run: Run,
        call: ToolCall,
        outcome: ToolOutcome,
        verdict: Verdict | None,
        started: float,
        session: str,
        asked: Sequence[str] = (),
    ) -> Recorded:
        """The outcome as journalled, with its own writes and the events that describe it.

        `asked` names those whose yes is awaited.
        """
        events = [run.cycle.tool_call(call)]
        value: JsonObject = {}
        unit = Unit()
        settled: Settled
        match outcome:
            case NeedsApproval() | Deferred():
                approval, unit = self.approvals.create(
                    outcome,
                    session=session,
                    context=run.tool_context(call, self.clock.now()),
                    envelope=run.envelope,
                    definition=run.toolset.find(call.name),
                )
                value["approval"] = approval.ref
                settled = ToolResult(_waiting_text(outcome, approval, asked))
                events.append(
                    run.cycle.approval(
                        call.key, call.name, approval.ref, approval.state.value, approval.risk
                    )
                )
            case ToolResult():
                cleaned = self.redaction.clean(
                    outcome, run.toolset.find(call.name), run.live_scope()
                )
                settled, unit = cleaned.result, outcome.unit
                if not outcome.is_error and (unit or once(run, call)):
                    value["wrote"] = True
                if cleaned.rule:
                    log.info(
                        "session=<%s>, tool=<%s>, rule=<%s> | output withheld",
                        session,
                        call.name,
                        cleaned.rule,
                    )
                    events.append(
                        run.cycle.policy_decision(
                            call, "post_exec", "deny", f"policy:{cleaned.rule}"
                        )
                    )
            case _:
                settled = outcome
        if verdict is not None and (decision := _decision(verdict)):
            events.append(run.cycle.policy_decision(call, "tool", decision, verdict.rule))
        if isinstance(verdict, Refused) and verdict.security:
            log.warning(
                "person=<%s>, tool=<%s> | refused: the role lacks this tool",
                run.person.id,
                call.name,
            )
            events.append(run.cycle.security(call, verdict.rule))
            unit += self.approvals.audit_unit(run.person.id, "security", call.name, verdict.rule)
        if isinstance(settled, ToolResult) and (unlocked := _unlocked_by(run, call, verdict)):
            settled = replace(
                settled, effects=(*settled.effects, unlocked), origin=_told_by(run, call, settled)
            )
        success = not (isinstance(settled, ToolResult) and settled.is_error)
        if isinstance(verdict, Allowed):
            unit += self.purse.meter.tool_unit(
                run.payer, verdict.definition.name, failed=not success
            )
        ms = round((self.clock.monotonic() - started) * 1000)
        events.append(run.cycle.tool_result(call, _output(settled), success=success, ms=ms))
        value["outcome"] = outcome_to_json(settled)
        return Recorded(value, unit + self.cycle_log.unit(events))


def summarise(call: ToolCall) -> str:
    """`manage_todos create "buy milk"`: a call in one redacted line, at most 120 characters."""
    words = [call.name]
    for value in call.arguments.values():
        if isinstance(value, str) and value:
            folded = " ".join(value.split())
            words.append(folded if " " not in folded else f'"{folded}"')
        elif isinstance(value, int | float) and not isinstance(value, bool):
            words.append(str(value))
    line = redact(" ".join(words))
    return line if len(line) <= 120 else line[:119] + "…"


def _unlocked_by(
    run: Run, call: ToolCall, verdict: Verdict | Unaffordable | None
) -> Unlocked | None:
    """What a call of a locked tool unlocks: knowing the name, the model may see its parameters."""
    definition = run.toolset.find(call.name)
    seen = isinstance(verdict, Allowed | Ask | Later) or (
        isinstance(verdict, Refused) and verdict.rule == MISFIT
    )
    if definition is None or not seen or run.toolset.is_callable(definition.name):
        return None
    return Unlocked((definition.declaration(),), called=True)


def _told_by(run: Run, call: ToolCall, result: ToolResult) -> Origin:
    """The origin of a result with a definition: a server's description is text from outside."""
    definition = run.toolset.find(call.name)
    if definition is None or not isinstance(definition.implementation, McpImplementation):
        return result.origin
    outside = Origin(Trust.EXTERNAL, f"mcp:{definition.implementation.server}")
    return max(result.origin, outside, key=lambda origin: origin.trust)


def _decision(verdict: Verdict) -> str:
    """What the event says; nothing for a call that no rule, risk or grant had to do with."""
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
            f"not done: nobody is present to confirm it; proposed to the owner as approval "
            f"{approval.ref}"
        )
    who = f" {' and '.join(asked)} {'was' if len(asked) == 1 else 'were'} asked." if asked else ""
    return (
        f"waiting for approval {approval.ref} ({outcome.reason}).{who} It is not done yet. Go on "
        f"without its result;"
        " when somebody decides you will be told. If more such calls follow, plan_calls asks for "
        "all at once."
    )


def _waiting_still(earlier: Approval) -> str:
    return (
        f"this very call is waiting for approval {earlier.ref} already; nobody was asked again. It "
        f"is not done yet."
        " Go on without its result."
    )
