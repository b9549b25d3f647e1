"""Budgets: hard limits in money and calls, for a turn and for a day.

Days follow the setting `timezone`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self, assert_never

from bot.domain.access import Person, Role
from bot.domain.budget_words import MODEL_CALLS, TOOL_CALLS, WHOSE
from bot.domain.languages import Language, decimal
from bot.domain.messages import Conversation, Place
from bot.tools.budget.settings import NANO, BudgetSettings, GivenLimitSettings, LimitSettings

TOLD = 0.5
"""A model is told about a budget of which less than this share is left,"""
LOW = 0.2
"""and to be brief below this one."""
EVERYBODY = "*"
STRANGERS = "strangers"


class Measure(StrEnum):
    USD = "usd"
    MODEL_CALLS = "model_calls"
    TOOL_CALLS = "tool_calls"


class Span(StrEnum):
    TURN = "per_turn"
    PERSON = "per_person_day"
    CHANNEL = "per_channel_day"
    GUEST = "per_guest_day"
    STRANGERS = "strangers_day"
    TOTAL = "total_day"
    SCHEDULE = "per_schedule_month"


@dataclass(frozen=True)
class Limit:
    """One budget.

    `quantum` is what the settings grant, and what each extension adds: nano-dollars, or calls.
    """

    span: Span
    measure: Measure
    quantum: int

    @property
    def name(self) -> str:
        return f"{self.span}_{self.measure}"


@dataclass(frozen=True)
class Payer:
    """The payer of a call.

    `channel` is empty in a private conversation, which has no budget of its own.
    """

    person: str
    conversation: str
    channel: str = ""
    limits: "tuple[Limit, ...]" = field(default=(), compare=False)
    """Budgets of this place, beside those that apply everywhere."""
    guest: bool = False
    schedule: str = ""
    """The running scheduled task's reference; it has its own budget beside its owner's."""
    stranger: bool = False
    """Whether it is a guest outside contacts.yaml; such people share one budget."""

    @classmethod
    def of(
        cls, person: Person, conversation: Conversation, limits: "tuple[Limit, ...]" = ()
    ) -> Self:
        """The threads of a channel share its budget."""
        channel = "" if conversation.place is Place.DM else conversation.channel_key
        guest = person.role is Role.GUEST
        return cls(
            person.id,
            conversation.key,
            channel,
            limits,
            guest=guest,
            stranger=guest and not person.known,
        )

    def subject(self, span: Span) -> str:
        """The owner of this span's budget, or ""; a turn's extensions are the person's."""
        match span:
            case Span.GUEST:
                return self.person if self.guest else ""
            case Span.STRANGERS:
                return STRANGERS if self.stranger else ""
            case Span.TURN | Span.PERSON:
                return self.person
            case Span.CHANNEL:
                return self.channel
            case Span.TOTAL:
                return EVERYBODY
            case Span.SCHEDULE:
                return self.schedule


@dataclass
class Spent:
    """The turn's usage so far, delegated agents included; counted from journalled results."""

    nano_usd: int = 0
    model_calls: int = 0
    tool_calls: int = 0

    def of(self, measure: Measure) -> int:
        match measure:
            case Measure.USD:
                return self.nano_usd
            case Measure.MODEL_CALLS:
                return self.model_calls
            case Measure.TOOL_CALLS:
                return self.tool_calls


@dataclass(frozen=True)
class BudgetStanding:
    """The state of one budget for a payer."""

    limit: Limit
    subject: str
    day: str
    spent: int
    extensions: int
    reserved: int = 0
    """Of dollars: the maximum cost of the calls that run now."""

    @property
    def allowed(self) -> int:
        return self.limit.quantum * (1 + self.extensions)

    @property
    def reached(self) -> bool:
        return self.spent + self.reserved >= self.allowed

    @property
    def may_recede(self) -> bool:
        """Whether only the calls' maximum cost reaches it: most cost less, so waiting helps."""
        return self.spent < self.allowed <= self.spent + self.reserved

    @property
    def left(self) -> float:
        """Share of it, from 0 to 1."""
        return max(0.0, 1 - self.spent / self.allowed)

    def whose(self) -> str:
        """`today's budget of $5.00 for you`."""
        amount = amount_of(self.limit.measure, self.allowed)
        return WHOSE[self.limit.span].said(Language.EN, text=amount)


def limits_of(settings: BudgetSettings) -> tuple[Limit, ...]:
    """The configured budgets."""
    return tuple(_limits(settings))


def with_own(limits: Sequence[Limit], own_calls: int) -> tuple[Limit, ...]:
    """The budgets of a schedule with the owner's own limit of calls, if that is lower."""
    given = Limit(Span.SCHEDULE, Measure.MODEL_CALLS, own_calls)
    kept = [limit for limit in limits if (limit.span, limit.measure) != (given.span, given.measure)]
    least = [given.quantum, *(limit.quantum for limit in limits if limit not in kept)]
    return (*kept, replace(given, quantum=min(least)))


def _limits(settings: BudgetSettings) -> Iterator[Limit]:
    table: Mapping[Span, LimitSettings | GivenLimitSettings] = {
        Span.TURN: settings.per_turn,
        Span.PERSON: settings.per_person_day,
        Span.CHANNEL: settings.per_channel_day,
        Span.GUEST: settings.per_guest_day,
        Span.STRANGERS: settings.strangers_day,
        Span.TOTAL: settings.total_day,
        Span.SCHEDULE: settings.per_schedule_month,
    }
    for span, given in table.items():
        if given.usd is not None:
            yield Limit(span, Measure.USD, round(given.usd * NANO))
        if given.model_calls:
            yield Limit(span, Measure.MODEL_CALLS, given.model_calls)
        if isinstance(given, LimitSettings) and given.tool_calls is not None:
            yield Limit(span, Measure.TOOL_CALLS, given.tool_calls)


def guests_have(settings: BudgetSettings) -> str:
    """The daily limits of guests in words, for the operator of Bellhop."""
    limits = limits_of(settings)
    each = _amounts(limit for limit in limits if limit.span is Span.GUEST)
    together = _amounts(limit for limit in limits if limit.span is Span.STRANGERS)
    first = f"a guest may use {each} a day" if each else "a guest has no limit of their own"
    rest = f"{together} together" if together else "no limit together"
    return f"{first}, and all guests that contacts.yaml does not name have {rest}"


def _amounts(limits: Iterable[Limit]) -> str:
    return " and ".join(amount_of(limit.measure, limit.quantum) for limit in limits)


def amount_of(measure: Measure, value: int, language: Language = Language.EN) -> str:
    """`$1.50`, `40 model calls`."""
    match measure:
        case Measure.USD:
            places = 2 if value >= NANO // 100 else 4
            return f"${decimal(value / NANO, places, language)}"
        case Measure.MODEL_CALLS:
            return MODEL_CALLS.said(language, value)
        case Measure.TOOL_CALLS:
            return TOOL_CALLS.said(language, value)
        case _:
            assert_never(measure)


def low_note(standings: Sequence[BudgetStanding]) -> str:
    """A sentence for the model about the scarcest budget; empty while enough is left."""
    low = [standing for standing in standings if standing.left < TOLD]
    if not low:
        return ""
    worst = min(low, key=lambda standing: standing.left)
    return (
        f" Of {worst.whose()}, {worst.left:.0%} is left{': be brief' if worst.left < LOW else ''}."
    )
