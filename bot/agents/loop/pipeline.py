"""The single path of a tool call: gate, budgets, executor, journal record."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from bot.agents.loop.asking import CallWords
from bot.agents.loop.calls import (
    CallRecords,
    RunningCall,
    Settled,
    call_context,
    completed,
    lasting_of,
    may_have_acted,
)
from bot.agents.loop.outcomes import outcome_from_json
from bot.agents.loop.run import Run
from bot.agents.loop.spending import Purse, refusal, rule_of
from bot.domain.access import Person
from bot.domain.approvals import Approval
from bot.domain.characters import shortened
from bot.domain.chat import ToolEnded, ToolStarted
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_outcomes import Deferred, NeedsApproval, ToolOutcome, ToolResult
from bot.domain.tools import ToolCall, ToolDefinition
from bot.domain.turns import OutcomeUnknown, Recorded, Turn
from bot.errors import ToolError, UnitRejected
from bot.log import redact
from bot.tools.budget.budgets import BudgetStanding, Measure
from bot.tools.budget.usage import BEFORE_TOOL, Ticket
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
from bot.tools.permission.plans_store import Plans
from bot.tools.permission.shown import NOT_SHOWN, digest_of_approval, secret_arguments, shows_line
from bot.tools.running.executor import ToolExecutor
from bot.tools.toolset.toolset import Toolset

log = logging.getLogger(__name__)

ALWAYS_AFFORDED = frozenset({"finish_task", "send", "ask_user_for_clarification"})
"""A run reports its results with these; without them it could only stop in the middle."""

UNKNOWN_OUTCOME = (
    "The program was interrupted while this ran, and whether it took effect is unknown."
    " Do not repeat it blindly: check first, or tell the person."
)

PLAN = "plan "
PLANNED = f"grant:{PLAN}"
"""The rule of a call that a line of an approved plan allowed; the line follows."""
CHANGED = "somebody changed this meanwhile; read it again and repeat the change"
HOLDS_KEY = (
    "not asked: {names} contains a key or password from this installation's own settings, which no "
    "card may show, so nobody can approve this call. Leave it out; tools that need it have it."
)
NEEDS_MORE = "not run: it would need another approval now"
UNSHOWN = "unshown"
"""The rule for an approved call that isn't the one that was shown, or needs more by now."""
INTERRUPTED = "the person stopped it while it ran; it may have taken effect in part"


@dataclass(frozen=True)
class Unaffordable:
    """The gate permits the call, but a budget does not."""

    reached: BudgetStanding


@dataclass(frozen=True)
class Ran:
    """A call's outcome, and whether it changed something that other calls may depend on."""

    outcome: Settled
    wrote: bool = False


@dataclass(frozen=True)
class ToolPipeline:
    """Runs single calls; holds no state of a run."""

    gate: ToolGate
    executor: ToolExecutor
    approvals: ApprovalStore
    grants: GrantStore
    plans: Plans
    purse: Purse
    records: CallRecords
    clock: Clock
    words: CallWords
    """Says what a call means before somebody is asked about it."""
    tokens: Callable[[Person, Sequence[str]], Awaitable[Mapping[str, str]]]
    """A person's tokens for services, by service id."""
    catch_up: Callable[[], Awaitable[None]] | None
    """Reads what other processes changed in rules and rights."""

    async def run(self, run: Run, turn: Turn, call: ToolCall) -> Ran:
        """Run a call as step `call.key`, or return its result from before a crash.

        Shows it while it runs.
        """
        replayed = turn.done(call.key)
        if turn.stop_requested and not replayed:
            if turn.begun(call.key):
                run.begun[call.id] = may_have_acted(call, run.toolset)
            raise asyncio.CancelledError  # stopped before a crash or while a question was open
        if not replayed:
            try:
                call = await completed(run, turn, call, self.clock.now())
            except ToolError as error:
                return Ran(await self.refused(run, turn, call, Refused(str(error), MISFIT)), False)
            run.callbacks.live(_started(call, run.toolset))
        one = RunningCall(run, turn, call, self.clock.monotonic())
        with self.purse.meter.held(run.context.payer, Measure.TOOL_CALLS) as ticket:
            if not (replayed or _without_effect(call)):
                run.begun[call.id] = may_have_acted(call, run.toolset)
            value = await self._journalled(one, ticket)
        run.begun.pop(call.id, None)
        run.spending.tool_calls += 1
        outcome = outcome_from_json(value["outcome"])
        approval = value.get("approval")
        if approval:
            await self._show_approval(one, approval)
        if isinstance(outcome, ToolResult):
            _note(run, call, outcome)
            if not replayed:
                self._show_end(one, outcome, waits=bool(approval))
        return Ran(outcome, bool(value.get("wrote")))

    async def _show_approval(self, one: RunningCall, ref: str) -> None:
        show = one.run.callbacks.on_approval
        if show is not None and (stored := await self.approvals.get(ref)):
            await show(one.turn, stored, one.run.origin.trust)

    def _show_end(self, one: RunningCall, result: ToolResult, *, waits: bool) -> None:
        call, ok = one.call, not result.is_error
        seconds = self.clock.monotonic() - one.started
        ended = ToolEnded(call.id, call.name, ok, seconds, result.summary, waits and ok)
        one.run.callbacks.live(ended)

    async def _journalled(self, one: RunningCall, ticket: Ticket) -> JsonObject:
        turn, call = one.turn, one.call

        async def fail(text: str) -> Recorded:
            return self.records.record(one, ToolResult(text, is_error=True), None)

        rejected = step_key(StepKind.REJECTED, within=call.key)
        unknown = step_key(StepKind.UNKNOWN, within=call.key)
        for ended in (rejected, unknown):
            if turn.done(ended):  # a crash left only the intent of the call's step
                return await turn.step(ended, lambda: fail(UNKNOWN_OUTCOME))

        # Before the step: only a call that may run needs its intent on record.
        verdict = None if turn.done(call.key) else await self._afforded(one, ticket)

        async def perform() -> Recorded:
            return await self._perform(one, verdict or await self._afforded(one, ticket))

        try:
            allowed = isinstance(verdict, Allowed)
            return await turn.step(
                call.key,
                perform,
                once=allowed and one.run.toolset.once(call),
                pure=allowed and one.run.toolset.pure(call),
            )
        except OutcomeUnknown:
            return await turn.step(unknown, lambda: fail(UNKNOWN_OUTCOME))
        except UnitRejected as error:
            _log_rejected(turn, call, error)
            return await turn.step(rejected, lambda: fail(CHANGED))

    async def _perform(self, one: RunningCall, verdict: Verdict | Unaffordable) -> Recorded:
        if isinstance(verdict, Unaffordable):
            return await self._unaffordable(one, verdict)
        outcome = _without_secrets(await self._outcome(one, verdict))
        names: tuple[str, ...] = ()
        if isinstance(outcome, NeedsApproval | Deferred):
            try:
                outcome = await self.words.told(one.run, one.turn, outcome)
            except ToolError as error:
                refused = Refused(str(error), MISFIT)
                return self.records.record(one, ToolResult(refused.text, is_error=True), refused)
            if earlier := await self._waiting_already(one):
                told = ToolResult(_waiting_still(earlier))
                recorded = self.records.record(one, told, verdict)
                value = cast("JsonObject", recorded.value)
                return Recorded({**value, "approval": earlier.ref}, recorded.unit)
            asked = one.run.callbacks.asked
            names = await asked(outcome.approver_rank) if asked is not None else ()
        return self.records.record(one, outcome, verdict, names)

    async def _waiting_already(self, one: RunningCall) -> Approval | None:
        """The approval of a call that already waits: its card is shown again."""
        run, call, definition = one.run, one.call, one.definition
        name = definition.name if definition is not None else call.name
        return await self.approvals.waiting_call(
            one.turn.session, run.scope.person.id, name, call.arguments
        )

    async def _check(self, one: RunningCall, *, confirmed: bool = False) -> Verdict:
        """The gate's verdict, with its question answered by an earlier yes that is still valid.

        See docs/rules.md#approvals.
        """
        run, call = one.run, one.call
        if self.catch_up is not None:
            await self.catch_up()
        run.toolset.refresh()
        scope = run.live_scope()
        context = run.provenance
        makes = () if confirmed else await lasting_of(run, one.turn, call, self.clock.now())
        verdict = self.gate.check(
            call, run.toolset, scope, confirmed=confirmed, context=context, makes=makes
        )
        if not isinstance(verdict, Ask | Later) or (definition := one.definition) is None:
            return verdict
        question = verdict.needed if isinstance(verdict, Ask) else verdict.deferred
        grant = await self.grants.covering(
            question, definition, scope.person, run.context.session_id, untrusted=question.untrusted
        )
        answered = (
            grant.ref if grant is not None else await self._planned(run, question, definition)
        )
        if answered is None:
            return verdict
        return self.gate.check(call, run.toolset, scope, granted=answered, context=context)

    async def _planned(
        self, run: Run, question: NeedsApproval | Deferred, definition: ToolDefinition
    ) -> str | None:
        """The line of an approved plan that this call uses up, if there is one."""
        call, name = question.call, definition.name
        line = await self.plans.take(
            run.scope.person.id,
            run.context.session_id,
            run.agent.name,
            name,
            call.arguments,
            by=f"{run.cycle.id}/{call.key}",
            rank=question.approver_rank,
        )
        if line is None:
            return None
        ref, _, number = line.partition(":")
        plan = await self.approvals.get(ref)
        if plan is None or not shows_line(plan, int(number), name, call.arguments):
            log.warning("plan=<%s>, tool=<%s> | its line is not what was shown", line, name)
            return None
        return f"{PLAN}{line}"

    def _needs_more(self, one: RunningCall, approval: Approval) -> bool:
        """Whether a rule that was added since the yes asks somebody of a higher rank."""
        run = one.run
        now = self.gate.check(one.call, run.toolset, run.live_scope(), context=run.provenance)
        if not isinstance(now, Ask | Later):
            return False
        question = now.needed if isinstance(now, Ask) else now.deferred
        person = run.scope.person
        own = person.role.rank if approval.decided_by == person.id else 0
        return question.approver_rank > max(approval.approver_rank, own)

    async def _afforded(self, one: RunningCall, ticket: Ticket) -> Verdict | Unaffordable:
        """The gate's verdict, then the budgets: refused or questioned calls cost nothing yet."""
        verdict = await self._check(one)
        if (
            not ticket.limited
            or not isinstance(verdict, Allowed)
            or verdict.definition.name in ALWAYS_AFFORDED
        ):
            return verdict
        payer, spent = one.run.context.payer, one.run.spending
        reached = await self.purse.meter.reached(payer, spent, BEFORE_TOOL, ticket)
        return verdict if reached is None else Unaffordable(reached)

    async def _unaffordable(self, one: RunningCall, found: Unaffordable) -> Recorded:
        reached, session = found.reached, one.turn.session
        asked, unit = await self.purse.ask_for_more(one.run, one.call.key, session, reached)
        refused = Refused(refusal(reached), rule_of(reached))
        recorded = self.records.record(one, ToolResult(refused.text, is_error=True), refused)
        value = cast("JsonObject", recorded.value)
        return Recorded({**value, "approval": asked.ref} if asked else value, recorded.unit + unit)

    async def _outcome(
        self, one: RunningCall, verdict: Verdict, approval: Approval | None = None
    ) -> ToolOutcome:
        match verdict:
            case Allowed(definition, rule):
                return await self._execute(one, definition, approval, rule)
            case Refused():
                return ToolResult(verdict.text, is_error=True)
            case Ask(needed):
                return needed
            case Later(deferred):
                return deferred

    async def _execute(
        self, one: RunningCall, definition: ToolDefinition, approval: Approval | None, rule: str
    ) -> ToolOutcome:
        context = call_context(one.run, one.call, self.clock.now(), one.turn)
        if approval is not None:
            context = replace(
                context, approved_rank=approval.approver_rank, asked_at=approval.asked_at
            )
        elif rule.startswith(PLANNED):
            approval = await self.approvals.get(rule.removeprefix(PLANNED).partition(":")[0])
        if approval is not None and approval.decided_by == context.person.id:
            context = replace(context, confirmed=True)
        if definition.requires:
            tokens = await self.tokens(context.person, definition.requires)
            context = replace(context, integrations=tokens)
        return await self.executor.execute(definition, context)

    async def repeated(self, run: Run, turn: Turn, call: ToolCall, text: str) -> ToolResult:
        """Refuse a repeated call."""
        return await self.refused(run, turn, call, Refused(text, REPEATED))

    async def refused(self, run: Run, turn: Turn, call: ToolCall, why: Refused) -> ToolResult:
        """Refuse a call before the gate sees it; it is recorded like the gate's refusals."""
        one = RunningCall(run, turn, call, self.clock.monotonic())

        async def perform() -> Recorded:
            return self.records.record(one, ToolResult(why.text, is_error=True), why)

        value = await turn.step(call.key, perform)
        outcome = outcome_from_json(value["outcome"])
        return outcome if isinstance(outcome, ToolResult) else ToolResult(why.text, is_error=True)

    async def run_approved(
        self, run: Run, turn: Turn, approval: Approval, call: ToolCall
    ) -> ToolResult:
        """Run a stored call after somebody's yes: every check but the confirmation is made again.

        See docs/rules.md#approvals.
        """
        one = RunningCall(run, turn, call, self.clock.monotonic())

        async def perform() -> Recorded:
            verdict = await self._check(one, confirmed=True)
            if approval.shown != digest_of_approval(approval):
                verdict = Refused(NOT_SHOWN, UNSHOWN)
            elif isinstance(verdict, Allowed) and self._needs_more(one, approval):
                verdict = Refused(NEEDS_MORE, UNSHOWN)
            outcome = await self._outcome(one, verdict, approval)
            if isinstance(outcome, NeedsApproval | Deferred):
                outcome = ToolResult(NEEDS_MORE, is_error=True)
            recorded = self.records.record(one, outcome, verdict)
            return Recorded(recorded.value, recorded.unit + self.approvals.done_unit(approval.ref))

        try:
            with turn.stoppable():
                value = await turn.step(call.key, perform, once=run.toolset.once(call))
        except OutcomeUnknown:
            return ToolResult(UNKNOWN_OUTCOME, is_error=True)
        except UnitRejected as error:
            _log_rejected(turn, call, error)
            return ToolResult(CHANGED, is_error=True)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not turn.stop_requested or task is None:
                raise
            task.uncancel()
            return ToolResult(INTERRUPTED, is_error=True)
        outcome = outcome_from_json(value["outcome"])
        return outcome if isinstance(outcome, ToolResult) else ToolResult("(done)")


def _without_secrets(outcome: ToolOutcome) -> ToolOutcome:
    """No question about a call with a secret of this installation: no card may show one."""
    if isinstance(outcome, NeedsApproval | Deferred):
        found = secret_arguments(outcome.call.arguments)
        if found:
            return ToolResult(HOLDS_KEY.format(names=", ".join(found)), is_error=True)
    return outcome


def _without_effect(call: ToolCall) -> bool:
    """Calls without an effect of their own: an agent's own calls are recorded one by one."""
    return call.name.startswith("agent_") or call.name in ALWAYS_AFFORDED


_ABOUT = ("query", "title", "goal", "url", "path", "expression")
"""The arguments by which a person knows what a call is about, the most telling first."""


def _started(call: ToolCall, toolset: Toolset) -> ToolStarted:
    given = (call.arguments.get(name) for name in _ABOUT)
    about = next((one for one in given if isinstance(one, str) and one.strip()), "")
    about, native = redact(" ".join(about.split()))[:120], toolset.native(call.name)
    doing = native.doing if native is not None else None
    return ToolStarted(call.id, call.name, summarise(call), about, doing)


def summarise(call: ToolCall) -> str:
    """`manage_todos create "buy milk"`: a call in one redacted line, at most 120 characters."""
    words = [call.name]
    for value in call.arguments.values():
        if isinstance(value, str) and value:
            folded = " ".join(value.split())
            words.append(folded if " " not in folded else f'"{folded}"')
        elif isinstance(value, int | float) and not isinstance(value, bool):
            words.append(str(value))
    return shortened(redact(" ".join(words)), 120)


def _note(run: Run, call: ToolCall, result: ToolResult) -> None:
    run.record.tools_used.append(call.name)
    run.deeds.extend(result.deeds)
    to_other = str(call.arguments.get("to") or "").strip()
    if call.name == "send" and not result.is_error and not to_other:
        run.record.sent.append(str(call.arguments.get("text", "")))


def _waiting_still(earlier: Approval) -> str:
    return (
        f"this very call is waiting for approval {earlier.ref} already; its card is shown again "
        "below your answer. It is not done yet. Go on without its result."
    )


def _log_rejected(turn: Turn, call: ToolCall, error: UnitRejected) -> None:
    log.info(
        "session=<%s>, tool=<%s>, error=<%s> | a write failed because the data had changed",
        turn.session,
        call.name,
        error,
    )
