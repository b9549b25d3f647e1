"""Runs the tool calls of one reply: gate, hard-coded handlers, executor, questions, steering (design §3)."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.agents.cycle_log import CycleLog
from bot.agents.outcome_json import outcome_from_json, outcome_to_json
from bot.agents.rounds import SKIPPED_FINISHED, SKIPPED_STEERED, append_user, skipped, stored_result
from bot.agents.run import Failed, Run, Trouble
from bot.domain.approvals import Approval
from bot.domain.chat import Status, ToolEnded, ToolStarted
from bot.domain.clock import Clock
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelCapabilities
from bot.domain.origins import Origin, Trust
from bot.domain.sessions import StoredBlock
from bot.domain.tools import (
    AskPerson,
    BudgetExtended,
    Deferred,
    FactSaved,
    Finish,
    NativeImplementation,
    NeedsApproval,
    Risk,
    SkillActivated,
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
from bot.tools.approvals import ApprovalStore
from bot.tools.executor import ToolExecutor
from bot.tools.gate import Allowed, Ask, Later, Refused, ToolGate, Verdict

log = logging.getLogger(__name__)

SAME_CALL = 3
"""An exact call may be made this often in a run; then it is refused, and soon after the run ends."""
LAST_CALLS = (
    "2 model calls are left in this run. Answer now, or call request_more_turns with a reason if more is needed."
)
UNKNOWN_OUTCOME = (
    "The program was interrupted while this ran, and whether it took effect is unknown."
    " Do not repeat it blindly: check first, or tell the person."
)

CHANGED = "somebody changed this meanwhile; read it again and repeat the change"
INTERRUPTED = "the person stopped it while it ran; it may have taken effect in part"

ControlHandler: TypeAlias = Callable[[Run, Turn, ToolContext], Awaitable[ToolOutcome]]
"""A hard-coded handler (seed 1): runs before any routing, may see the run and the turn."""
Settled: TypeAlias = ToolResult | Finish | AskPerson


@dataclass(frozen=True)
class Pipeline:
    """The one way of a tool call: hard-coded handlers first, then native, shell and the rest by the executor."""

    gate: ToolGate
    executor: ToolExecutor
    approvals: ApprovalStore
    handlers: Mapping[str, ControlHandler]
    dispatch: ControlHandler
    """Serves every `agent_<name>`."""


class ToolCalls:
    """Runs rounds of tool calls for the loop; holds no state of a run."""

    def __init__(self, pipeline: Pipeline, cycle_log: CycleLog, clock: Clock, capabilities: ModelCapabilities) -> None:
        self._pipeline = pipeline
        self._log = cycle_log
        self._clock = clock
        self._capabilities = capabilities

    async def run_round(self, run: Run, turn: Turn, calls: Sequence[ToolCall], n: int) -> Finish | Failed | None:
        """Run one reply's calls and append their results as one user message, in the order that the model asked.

        Finish when finish_task ended the run, Failed when it goes in circles, else None.
        """
        run.results.clear()
        run.steered.clear()
        questions: list[tuple[ToolCall, AskPerson]] = []
        finish: Finish | None = None
        looping: Failed | None = None
        for group in _groups(calls):
            run.steered += await self._steer(run, turn, before=group[0].key)
            if finish or run.steered:
                reason = SKIPPED_FINISHED if finish else SKIPPED_STEERED
                run.results.update({call.id: skipped(call, reason) for call in group})
                continue
            for call in group:
                looping = _count(run, call) or looping
            for call, outcome in zip(group, await self._together(run, turn, group), strict=True):
                match outcome:
                    case Finish():
                        finish = outcome
                        run.results[call.id] = stored_result(call.id, ToolResult("the run is finished"))
                    case AskPerson():
                        questions.append((call, outcome))
                    case ToolResult():
                        run.results[call.id] = stored_result(call.id, outcome)
                        self._apply_effects(run, outcome)
        await self._ask_all(run, turn, questions)
        if finish is None:
            run.steered += await self._steer(run, turn, before=f"model:{n + 1}")
        self._append_results(run, calls)
        if finish is None and looping is not None:
            return looping
        return finish

    def _append_results(self, run: Run, calls: Sequence[ToolCall]) -> None:
        offer = run.budget.calls_left == 2 and not run.offered_more
        run.offered_more = run.offered_more or offer
        declarations, run.new_declarations = run.new_declarations, ()
        more_turns = run.toolset.find("request_more_turns") if offer else None
        if more_turns is not None:
            declarations = (*declarations, more_turns.declaration())
        append_user(
            run,
            self._capabilities,
            [*(run.results[call.id] for call in calls), *run.steered],
            notes=(LAST_CALLS,) if offer else (),
            declarations=declarations,
        )
        run.results.clear()
        run.steered.clear()

    # --- steering and questions ---------------------------------------------------------------------------

    async def _steer(self, run: Run, turn: Turn, *, before: str) -> list[StoredBlock]:
        """Take what the person wrote meanwhile. On replay only what was taken then, at the place it was taken."""
        if run.on_steer is None:
            return []
        run.steer_checks += 1
        if turn.done(before) and not turn.done(f"steer:{run.steer_checks}"):
            return []
        waiting = await turn.take(run.steer_checks)
        blocks = [block for item in waiting for block in await run.on_steer(item)]
        if blocks:
            run.sent.clear()  # what was sent before can't be the answer to this
            run.live(Status("reading your new message"))
        return blocks

    async def _ask_all(self, run: Run, turn: Turn, questions: Sequence[tuple[ToolCall, AskPerson]]) -> None:
        """Ask all questions of the round at once; the person's one answer goes to each of them."""
        if not questions:
            return
        first, only = questions[0]
        text, options = only.question, only.options
        if len(questions) > 1:
            text = "\n".join(f"{number}. {ask.question}" for number, (_, ask) in enumerate(questions, 1))
            options = ()
        if turn.stop_requested and not turn.done(f"{first.key}/ask"):
            raise asyncio.CancelledError
        if run.ask is None:
            result = ToolResult(
                "nobody is there to answer; decide yourself or say in your answer what is missing", is_error=True
            )
        else:
            answer = await run.ask(turn, f"{first.key}/ask", text, options)
            result = ToolResult(answer, origin=Origin(Trust.PERSON, f"person:{run.person.id}"), private=run.private)
        run.results.update({call.id: stored_result(call.id, result) for call, _ in questions})

    # --- one call -----------------------------------------------------------------------------------------

    async def _together(self, run: Run, turn: Turn, group: Sequence[ToolCall]) -> list[Settled]:
        if len(group) == 1:
            return [await self._one(run, turn, group[0])]
        return list(await asyncio.gather(*(self._one(run, turn, call) for call in group)))

    async def _one(self, run: Run, turn: Turn, call: ToolCall) -> Settled:
        run.budget.tool_calls_made += 1
        if run.repeats.get(_signature(call), 0) > SAME_CALL:
            return ToolResult(f"not run: you made this exact call {SAME_CALL} times; use its result", is_error=True)
        replayed = turn.done(call.key)
        if turn.stop_requested and not replayed:
            raise asyncio.CancelledError  # stopped before a crash or while a question was open
        started = self._clock.monotonic()
        if not replayed:
            run.live(ToolStarted(call.id, call.name, summarise(call)))
        definition = run.toolset.find(call.name)
        value = await self._journalled(run, turn, call, definition)
        outcome = outcome_from_json(value["outcome"])
        approval = value.get("approval")
        if approval and run.on_approval is not None and (stored := await self._pipeline.approvals.get(approval)):
            await run.on_approval(turn, stored)
        if isinstance(outcome, ToolResult):
            run.tools_used.append(call.name)
            if call.name == "send" and not outcome.is_error:
                run.sent.append(str(call.arguments.get("text", "")))
            if not replayed:
                seconds = self._clock.monotonic() - started
                run.live(ToolEnded(call.id, call.name, not outcome.is_error, seconds, outcome.summary))
        return outcome

    async def _journalled(self, run: Run, turn: Turn, call: ToolCall, definition: ToolDefinition | None) -> JsonObject:
        started = self._clock.monotonic()

        # Before the step: only a call that may run needs its intent on record.
        verdict = None if turn.done(call.key) else self._check(run, call)

        async def perform() -> Recorded:
            found = verdict or self._check(run, call)
            outcome = await self._outcome(run, turn, call, found)
            return self._record(run, call, outcome, found, started, turn.session)

        async def fail(text: str) -> Recorded:
            return self._record(run, call, ToolResult(text, is_error=True), None, started, turn.session)

        try:
            return await turn.step(call.key, perform, once=isinstance(verdict, Allowed) and _once(definition))
        except OutcomeUnknown:
            return await turn.step(f"{call.key}/unknown", lambda: fail(UNKNOWN_OUTCOME))
        except UnitRejected as error:
            log.info("session=<%s>, tool=<%s>, error=<%s> | a write met changed data", turn.session, call.name, error)
            return await turn.step(f"{call.key}/rejected", lambda: fail(CHANGED))

    def _check(self, run: Run, call: ToolCall, *, confirmed: bool = False) -> Verdict:
        run.toolset.refresh()
        return self._pipeline.gate.check(call, run.toolset, run.live_scope(), confirmed=confirmed)

    async def _outcome(self, run: Run, turn: Turn, call: ToolCall, verdict: Verdict) -> ToolOutcome:
        match verdict:
            case Allowed(definition):
                return await self._execute(run, turn, call, definition)
            case Refused():
                return ToolResult(verdict.text, is_error=True)
            case Ask(needed):
                return needed
            case Later(deferred):
                return deferred

    async def _execute(self, run: Run, turn: Turn, call: ToolCall, definition: ToolDefinition) -> ToolOutcome:
        context = run.tool_context(call, self._clock.now())
        handler = self._pipeline.handlers.get(definition.name)
        if handler is None and definition.name.startswith("agent_"):
            handler = self._pipeline.dispatch
        if handler is None:
            return await self._pipeline.executor.execute(definition, context)
        try:
            return await handler(run, turn, context)
        except ToolError as error:
            return ToolResult(str(error), is_error=True)

    async def run_approved(self, run: Run, turn: Turn, approval: Approval, call: ToolCall) -> ToolResult:
        """Run a stored call after somebody's yes: every check but the confirmation is made again (design §3.6)."""
        definition = run.toolset.find(call.name)

        started = self._clock.monotonic()

        async def perform() -> Recorded:
            verdict = self._check(run, call, confirmed=True)
            outcome = await self._outcome(run, turn, call, verdict)
            if isinstance(outcome, NeedsApproval | Deferred):
                outcome = ToolResult("not run: it would need another approval now", is_error=True)
            recorded = self._record(run, call, outcome, verdict, started, turn.session)
            return Recorded(recorded.value, recorded.unit + self._pipeline.approvals.done_unit(approval.ref))

        try:
            with turn.stoppable():
                value = await turn.step(call.key, perform, once=_once(definition))
        except OutcomeUnknown:
            return ToolResult(UNKNOWN_OUTCOME, is_error=True)
        except UnitRejected as error:
            log.info("session=<%s>, tool=<%s>, error=<%s> | a write met changed data", turn.session, call.name, error)
            return ToolResult(CHANGED, is_error=True)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not turn.stop_requested or task is None:
                raise
            task.uncancel()
            return ToolResult(INTERRUPTED, is_error=True)
        outcome = outcome_from_json(value["outcome"])
        return outcome if isinstance(outcome, ToolResult) else ToolResult("(done)")

    # --- what is remembered -------------------------------------------------------------------------------

    def _record(
        self, run: Run, call: ToolCall, outcome: ToolOutcome, verdict: Verdict | None, started: float, session: str
    ) -> Recorded:
        """The outcome as the journal remembers it, with its own writes and the events that describe it."""
        events = [run.cycle.tool_call(call)]
        value: JsonObject = {}
        unit = Unit()
        settled: Settled
        match outcome:
            case NeedsApproval() | Deferred():
                approval, unit = self._pipeline.approvals.create(
                    outcome,
                    session=session,
                    context=run.tool_context(call, self._clock.now()),
                    envelope=run.envelope,
                )
                value["approval"] = approval.ref
                settled = ToolResult(_waiting_text(outcome, approval))
                events.append(run.cycle.approval(call, approval.ref, approval.state.value, approval.risk))
            case ToolResult():
                settled, unit = outcome, outcome.unit
            case _:
                settled = outcome
        if isinstance(verdict, Refused):
            events.append(run.cycle.policy_decision(call, "tool", "deny", verdict.rule))
            if verdict.security:
                log.warning("person=<%s>, tool=<%s> | refused: the role lacks this tool", run.person.id, call.name)
                events.append(run.cycle.security(call, verdict.rule))
                unit += self._pipeline.approvals.audit_unit(run.person.id, "security", call.name, verdict.rule)
        success = not (isinstance(settled, ToolResult) and settled.is_error)
        ms = round((self._clock.monotonic() - started) * 1000)
        events.append(run.cycle.tool_result(call, _output(settled), success=success, ms=ms))
        value["outcome"] = outcome_to_json(settled)
        return Recorded(value, unit + self._log.unit(events))

    def _apply_effects(self, run: Run, result: ToolResult) -> None:
        for effect in result.effects:
            match effect:
                case Unlocked(declarations):
                    run.toolset.unlock(declarations)
                    run.new_declarations = (*run.new_declarations, *declarations)
                case FactSaved(fact):
                    run.facts.save(fact)
                    if fact.source_agent != run.agent.name:
                        run.untold_facts.append(fact.key)
                case BudgetExtended(extra):
                    run.budget.extend(extra)
                case SkillActivated(skill_id, active):
                    if active and skill_id not in run.active_skills:
                        run.active_skills.append(skill_id)
                    elif not active and skill_id in run.active_skills:
                        run.active_skills.remove(skill_id)


def summarise(call: ToolCall) -> str:
    """`manage_todos create "buy milk"`: the call in one line for people, redacted, at most 120 characters."""
    words = [call.name]
    for value in call.arguments.values():
        if isinstance(value, str) and value:
            folded = " ".join(value.split())
            words.append(folded if " " not in folded else f'"{folded}"')
        elif isinstance(value, int | float) and not isinstance(value, bool):
            words.append(str(value))
    line = redact(" ".join(words))
    return line if len(line) <= 120 else line[:119] + "…"


def _once(definition: ToolDefinition | None) -> bool:
    """Whether the intent must be on record before the call runs.

    A native tool's only effect is the unit that is committed with its result, so it can simply run again.
    """
    if definition is None or definition.idempotent:
        return False
    return not isinstance(definition.implementation, NativeImplementation) or definition.risk is Risk.EXTERNAL_WRITE


def _groups(calls: Sequence[ToolCall]) -> list[list[ToolCall]]:
    """Different agents that are called next to each other run side by side; everything else one after another."""
    groups: list[list[ToolCall]] = []
    for call in calls:
        agents = (
            groups
            and call.name.startswith("agent_")
            and all(other.name.startswith("agent_") and other.name != call.name for other in groups[-1])
        )
        if agents:
            groups[-1].append(call)
        else:
            groups.append([call])
    return groups


def _signature(call: ToolCall) -> str:
    return f"{call.name} {json.dumps(call.arguments, sort_keys=True)}"


def _count(run: Run, call: ToolCall) -> Failed | None:
    signature = _signature(call)
    run.repeats[signature] = times = run.repeats.get(signature, 0) + 1
    if times > SAME_CALL + 1:
        return Failed(Trouble.LOOPING, f"{call.name} was called {times} times in exactly the same way")
    return None


def _output(settled: Settled) -> str:
    match settled:
        case ToolResult():
            return settled.content
        case Finish():
            return settled.answer
        case AskPerson():
            return settled.question


def _waiting_text(outcome: NeedsApproval | Deferred, approval: Approval) -> str:
    if isinstance(outcome, Deferred):
        return f"not done: nobody is present to confirm it; proposed to the owner as approval {approval.ref}"
    return (
        f"waiting for approval {approval.ref} ({outcome.reason}). It is not done yet. Go on without its result;"
        " when somebody decides you will be told."
    )
