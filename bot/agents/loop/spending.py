"""Checks the budget before a call, and asks MasterAdmin for more when it is used up.

See docs/rules.md#order-of-checks. `SPENT` tells the English words of the log to people in
their language.
"""

from bot.agents.cycle_log.store import events_unit
from bot.agents.loop.run import Run
from bot.domain.approvals import Approval
from bot.domain.budget_words import BUDGETS
from bot.domain.database import Unit
from bot.domain.languages import Language, Phrase
from bot.domain.retelling import Retelling
from bot.tools.budget.budgets import BudgetStanding, Span
from bot.tools.budget.extending import extension
from bot.tools.budget.usage import Meter
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.gate import BUDGET

_NEXT_MONTH = Phrase("I stopped: {text} is used up. It goes on next month.")
_TOMORROW = Phrase(
    "I stopped: {text} is used up. I have asked those who run me whether I may use more; when they"
    " say yes I go on. Tomorrow there is a new one."
)
_ASKED = Phrase(
    "I stopped: {text} is used up. I have asked those who run me whether I may use more; when they"
    " say yes I go on."
)
SPENT = Retelling((_NEXT_MONTH, _TOMORROW, _ASKED, *BUDGETS))


class Purse:
    """The checks of loop and pipeline before a call; holds no state of a run."""

    def __init__(self, meter: Meter, approvals: ApprovalStore) -> None:
        self.meter = meter
        self._approvals = approvals

    async def ask_for_more(
        self, run: Run, step: str, session: str, reached: BudgetStanding
    ) -> tuple[Approval | None, Unit]:
        """The question to a MasterAdmin and its unit; None if it was asked or may not be.

        `step` is the step under which the cycle log records the wait for the answer.
        """
        if reached.limit.span is Span.SCHEDULE:
            return None, Unit()
        approval = extension(
            self.meter,
            reached,
            session=session,
            agent=run.agent.name,
            payer=run.context.payer,
            envelope=run.context.envelope,
        )
        event = run.cycle.approval(
            step, approval.tool, approval.ref, approval.state.value, approval.risk
        )
        logged = events_unit([event])
        if await self._approvals.get(approval.ref) is not None:
            return None, logged
        return approval, self._approvals.store_unit(approval) + logged


def rule_of(reached: BudgetStanding) -> str:
    """The name of a used-up budget in the log and in `/why`."""
    return f"{BUDGET}:{reached.limit.name}"


def told(reached: BudgetStanding) -> str:
    """The sentence for the person; `SPENT` tells it in their language."""
    match reached.limit.span:
        case Span.SCHEDULE:
            phrase = _NEXT_MONTH
        case Span.TURN:
            phrase = _ASKED
        case _:
            phrase = _TOMORROW
    return phrase.said(Language.EN, text=reached.whose())


def refusal(reached: BudgetStanding) -> str:
    """The sentence for the model, in place of a tool's result."""
    if reached.limit.span is Span.SCHEDULE:
        return f"not run: {reached.whose()} is used up. Say what you have and what is missing."
    return (
        f"not run: {reached.whose()} is used up. Those who run this have been asked for more. "
        "Don't call tools again; tell the person what you have and what is missing."
    )
