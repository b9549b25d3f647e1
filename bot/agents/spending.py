"""Asks for the budget before a call, and asks MasterAdmin for more when there is none.

See docs/rules.md#order-of-checks.
"""

import logging
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager

from bot.agents.compaction import FrozenSizes, history_chars
from bot.agents.cycle_log import CycleLog
from bot.agents.effects import pure
from bot.agents.run import Failed, Run, Trouble
from bot.domain.approvals import Approval
from bot.domain.cycles import CycleEventType
from bot.domain.database import Unit
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tools import ToolCall
from bot.domain.turns import Recorded, Turn
from bot.tools.budget.budgets import BudgetStanding, Measure, Span
from bot.tools.budget.usage import BEFORE_MODEL, Meter
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.gate import BUDGET

log = logging.getLogger(__name__)


class Purse:
    """What the loop and the pipeline ask before a call; holds no state of a run."""

    def __init__(self, meter: Meter, approvals: ApprovalStore, cycle_log: CycleLog) -> None:
        self.meter = meter
        self._approvals = approvals
        self._log = cycle_log
        self._sizes = FrozenSizes()

    def model_call(self, run: Run, model: str) -> AbstractAsyncContextManager[object]:
        """Reserves the call's maximum cost in the budgets while it runs."""
        nano = 0
        if self.meter.counts_dollars(run.payer):
            chars = (
                self._sizes.chars(run.system)
                + self._sizes.chars(run.tools)
                + history_chars(run.history)
            )
            nano = self.meter.most(model, chars, run.agent.max_tokens)
        return self.meter.held(run.payer, Measure.MODEL_CALLS, nano_usd=nano, turn=run.spending)

    def lets_wait(self, run: Run, calls: Iterable[ToolCall]) -> bool:
        """Whether a reply that makes these calls may be recorded together with their results.

        A reply that a budget counts is recorded before anything else is allowed.
        """
        return not self.meter.limits_any(run.payer) and all(pure(run, call) for call in calls)

    async def before_model(self, run: Run, turn: Turn, n: int, ticket: object) -> Failed | None:
        """None when the model may be asked.

        Else MasterAdmin is asked for more, once, and the person is told why.
        """
        reached = await self.meter.reached(run.payer, run.spending, BEFORE_MODEL, ticket)
        if reached is None:
            return None
        key = step_key(StepKind.BUDGET, n)

        async def ask() -> Recorded:
            asked, unit = await self.ask_for_more(run, key, turn.session, reached)
            event = run.cycle.event(
                CycleEventType.POLICY_DECISION,
                key,
                gate="budget",
                verdict="deny",
                rule=rule_of(reached),
            )
            return Recorded(asked.ref if asked else None, unit + self._log.unit([event]))

        ref = await turn.step(key, ask)
        if ref and run.on_approval is not None and (stored := await self._approvals.get(ref)):
            await run.on_approval(turn, stored, run.origin.trust)
        log.warning(
            "session=<%s>, person=<%s>, budget=<%s>, of=<%s> | used up",
            turn.session, run.person.id, reached.limit.name, reached.subject,
        )  # fmt: skip
        return Failed(Trouble.SPENT, told(reached))

    async def ask_for_more(
        self, run: Run, step: str, session: str, reached: BudgetStanding
    ) -> tuple[Approval | None, Unit]:
        """The question to a MasterAdmin and its unit; None if it was asked, or is not to be.

        `step` is the step under which the cycle log records the wait for the answer.
        """
        if reached.limit.span is Span.SCHEDULE:
            return None, Unit()
        approval = self.meter.request(
            reached, session=session, agent=run.agent.name, payer=run.payer, envelope=run.envelope
        )
        event = run.cycle.approval(
            step, approval.tool, approval.ref, approval.state.value, approval.risk
        )
        logged = self._log.unit([event])
        if await self._approvals.get(approval.ref) is not None:
            return None, logged
        return approval, self._approvals.store_unit(approval) + logged


def rule_of(reached: BudgetStanding) -> str:
    """The name that the log and `/why` know a used-up budget by."""
    return f"{BUDGET}:{reached.limit.name}"


def told(reached: BudgetStanding) -> str:
    """The sentence for the person."""
    if reached.limit.span is Span.SCHEDULE:
        return f"I stopped: {reached.whose()} is used up. It goes on next month."
    again = "" if reached.limit.span == "per_turn" else " Tomorrow there is a new one."
    return (
        f"I stopped: {reached.whose()} is used up. I have asked those who run me whether I may use "
        f"more; when they say"
        f" yes I go on.{again}"
    )


def refusal(reached: BudgetStanding) -> str:
    """The sentence for the model, in place of a tool's result."""
    if reached.limit.span is Span.SCHEDULE:
        return f"not run: {reached.whose()} is used up. Say what you have and what is missing."
    return (
        f"not run: {reached.whose()} is used up. Those who run this have been asked for more. "
        f"Don't call tools again;"
        " tell the person what you have and what is missing."
    )
