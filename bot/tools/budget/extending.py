"""More of a budget that is used up: the question to a MasterAdmin, and the effect of a yes."""

from datetime import UTC, datetime, time, timedelta

from bot.domain.access import Role
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.budget_words import BUDGET_OF
from bot.domain.card_words import About
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.languages import Phrase, Translations
from bot.tools.budget import usage_store
from bot.tools.budget.budgets import BudgetStanding, Payer, amount_of
from bot.tools.budget.usage import Meter
from bot.turns.refs import hashed_ref

EXTEND_BUDGET = "extend_budget"
"""Stands in place of a tool's name in an approval: a yes adds one more quantum for the day."""


def extension(
    meter: Meter,
    standing: BudgetStanding,
    *,
    session: str,
    agent: str,
    payer: Payer,
    envelope: JsonObject,
) -> Approval:
    """The question for one more quantum today; the same one until it is answered."""
    now, limit = meter.clock.now(), standing.limit
    more = amount_of(limit.measure, limit.quantum)
    return Approval(
        ref=hashed_ref("b", standing.day, limit.name, standing.subject, str(standing.extensions)),
        session=session,
        person=payer.person,
        agent=agent,
        tool=EXTEND_BUDGET,
        arguments={
            "budget": limit.name,
            "of": standing.subject,
            "day": standing.day,
            "more": more,
        },
        risk=None,
        reason=f"the budget is used up; a yes adds {more}",
        about=About.told(
            Translations.by(
                lambda language: Phrase("use {more} more: {budget}").said(
                    language,
                    more=amount_of(limit.measure, limit.quantum, language),
                    budget=BUDGET_OF[limit.span].said(
                        language, of=standing.subject, day=standing.day
                    ),
                )
            )
        ),
        approver_rank=Role.MASTER_ADMIN.rank,
        state=ApprovalState.OPEN,
        asked_at=now,
        expires_at=max(_day_end(meter, now), now + timedelta(minutes=30)),
        private=False,
        conversation=payer.conversation,
        envelope=envelope,
        each_time=True,
    )


def extend_unit(approval: Approval, person: str) -> Unit:
    """The effect of a yes to such a question, to be committed with the decision."""
    given = approval.arguments
    return Unit.of(
        usage_store.extend(
            str(given["day"]), str(given["budget"]), str(given["of"]), approval.ref, person
        )
    )


def _day_end(meter: Meter, now: datetime) -> datetime:
    tomorrow = now.astimezone(meter.zone).date() + timedelta(days=1)
    return datetime.combine(tomorrow, time(), meter.zone).astimezone(UTC)
