"""Meter: records use in the unit that caused it, and checks budgets before each call."""

import asyncio
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bot.domain.clock import Clock
from bot.domain.database import Database, Read, Unit
from bot.domain.models import Usage
from bot.tools.budget import usage_store
from bot.tools.budget.budgets import (
    BudgetStanding,
    Limit,
    Measure,
    Payer,
    Span,
    Spent,
    limits_of,
    low_note,
    with_own,
)
from bot.tools.budget.settings import BudgetSettings, Price, price_of
from bot.turns.schedules import tasks_store

SPARED = 4
"""Work that nobody waits for stops when one part in so many of a day's budget is used."""
BEFORE_MODEL = (Measure.USD, Measure.MODEL_CALLS)
BEFORE_TOOL = (Measure.USD, Measure.TOOL_CALLS)
_READS = 5
"""The number of repeated reads after a call ended meanwhile."""
_CHARS_PER_TOKEN = 2
"""A low value, so that a request never has more tokens than are reserved for it."""
_COUNTED = frozenset({
    *("calls", "input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens"),
    *("nano_usd", "unpriced", "failed", "handed_calls", "handed_tokens", "handed_nano_usd"),
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Ticket:
    """The place of a running call among those that are counted."""

    limited: bool
    """Whether a budget counts its payer's calls; else nothing needs to be asked or waited for."""


@dataclass(frozen=True)
class _Recorded:
    """What a day's rows say: the use, and how often budgets were extended, by name and subject."""

    used: Mapping[tuple[Span, Measure], int]
    extended: Mapping[tuple[str, str], int]


@dataclass(frozen=True)
class _Held:
    payer: Payer
    measure: Measure
    nano_usd: int
    turn: Spent | None

    def of(self, limit: Limit) -> int:
        """The call's usage while it runs."""
        return self.nano_usd if limit.measure is Measure.USD else int(self.measure is limit.measure)


def _nothing() -> int:
    return 0


class Meter:
    """The usage of one installation. Without budgets, calls begin without a read."""

    def __init__(
        self, database: Database, clock: Clock, timezone: str, settings: BudgetSettings
    ) -> None:
        self._database = database
        self.clock = clock
        self.zone = ZoneInfo(timezone)
        self.limits = limits_of(settings)
        self._prices: Mapping[str, Price] = {
            name: price.price() for name, price in settings.prices.items()
        }
        self._price_of: dict[str, Price | None] = {}
        self._held: dict[Ticket, _Held] = {}
        self._released = 0
        """The number of ended calls: shows whether one ended while the numbers were read."""
        self._ended = asyncio.Event()
        """Set, and replaced, when a call ends."""

    def day(self) -> str:
        """Today, by the setting `timezone` (docs/rules.md#time)."""
        return self.clock.now().astimezone(self.zone).date().isoformat()

    def month(self) -> str:
        return self.day()[:7]

    def cost(self, model: str, usage: Usage) -> int | None:
        """In nano-dollars; None when the price of the model is unknown."""
        price = self._price(model)
        return None if price is None else price.nano_usd(usage)

    def _price(self, model: str) -> Price | None:
        if model not in self._price_of:
            self._price_of[model] = price_of(model, self._prices)
        return self._price_of[model]

    def _limits_for(self, payer: Payer) -> list[Limit]:
        """The budgets that count this payer's usage, but for a schedule's own."""
        return [one for one in (*self.limits, *payer.limits) if payer.subject(one.span)]

    def most(self, model: str, chars: int, max_tokens: int) -> int:
        """The maximum cost of a call, in nano-dollars; 0 when its price is unknown.

        `chars` are the request's.
        """
        price = self._price(model)
        if price is None:
            return 0
        read = chars // _CHARS_PER_TOKEN
        return max(
            price.nano_usd(Usage(read, 0, 0, max_tokens)),
            price.nano_usd(Usage(0, 0, read, max_tokens)),
        )

    def unpriced(self, models: Sequence[str], limits: Iterable[Limit]) -> tuple[str, ...]:
        """Models with an unknown price that these limits need, if they are in money."""
        if not any(limit.measure is Measure.USD for limit in limits):
            return ()
        return tuple(dict.fromkeys(model for model in models if self._price(model) is None))

    async def of_schedule(self, ref: str) -> list[BudgetStanding]:
        """The current month's state of a schedule's budgets."""
        payer = Payer("", "", schedule=ref)
        standings = await self.standings(payer, Spent(), BEFORE_MODEL)
        return [standing for standing in standings if standing.limit.span is Span.SCHEDULE]

    # --- counting ---

    def model_unit(self, payer: Payer, model: str, usage: Usage, *, handed: bool = False) -> Unit:
        """To be committed with the step of the model call; `handed`: for a delegated agent."""
        where = payer.channel or payer.conversation
        nano = self.cost(model, usage)
        call = usage_store.add_model_call(
            self.day(), payer, where, model, usage, nano, handed=handed
        )
        if not payer.schedule:
            return Unit.of(call)
        return Unit.of(call, tasks_store.spend(payer.schedule, self.month(), nano or 0))

    def tool_unit(self, payer: Payer, tool: str, *, failed: bool) -> Unit:
        """To be committed with the step of the tool call."""
        where = payer.channel or payer.conversation
        return Unit.of(
            usage_store.add_tool_call(self.day(), payer.person, where, tool[:80], failed=failed)
        )

    @contextmanager
    def held(
        self,
        payer: Payer,
        measure: Measure,
        *,
        most: Callable[[], int] = _nothing,
        turn: Spent | None = None,
    ) -> Generator[Ticket]:
        """Counts a running, unrecorded call, so that parallel sessions don't share the last one.

        `most` gives its maximum cost in nano-dollars, asked where a budget in dollars counts it;
        `turn` is the use of its turn: parallel agents share a budget.
        """
        limits = self._limits_for(payer)
        ticket = Ticket(bool(limits or payer.schedule))
        if not ticket.limited:
            yield ticket
            return
        dollars = any(limit.measure is Measure.USD for limit in limits)
        self._held[ticket] = _Held(payer, measure, most() if dollars else 0, turn)
        try:
            yield ticket
        finally:
            self._held.pop(ticket, None)
            self._released += 1
            self._ended.set()
            self._ended = asyncio.Event()

    # --- asking ---

    async def reached(
        self, payer: Payer, turn: Spent, measures: Sequence[Measure], ticket: Ticket | None = None
    ) -> BudgetStanding | None:
        """The budget that leaves no room for one more call, if there is one.

        Money may be overdrawn by the last call.

        Calls that began before `ticket` was drawn and still run are counted as used. Before a model
        call, it waits for calls that only may reach the limit: nobody is refused dollars that the
        others turn out not to need.
        """
        while True:
            ended = self._ended
            if _first_reached(await self.standings(payer, turn, measures, ticket)) is None:
                return None
            # Look again before a no: both numbers may have counted a call that ended just now.
            reached = _first_reached(await self.standings(payer, turn, measures, ticket))
            if reached is None or not reached.may_recede:
                return reached
            await ended.wait()

    async def spares(self, payer: Payer) -> bool:
        """Whether background work may ask a model: only while most of each day's budget is left."""
        days = await self.standings(payer, Spent(), BEFORE_MODEL)
        return all(
            SPARED * (one.spent + one.reserved + (one.limit.measure is Measure.MODEL_CALLS))
            <= one.allowed
            for one in days
            if one.limit.span is not Span.TURN
        )

    async def note(self, payer: Payer) -> str:
        """The note to the model at the start of a turn when little is left.

        See docs/rules.md#what-is-appended.
        """
        standings = await self.standings(payer, Spent(), tuple(Measure))
        days = [one for one in standings if one.limit.span is not Span.TURN]
        return low_note(days) if days else ""

    async def standings(
        self, payer: Payer, turn: Spent, measures: Sequence[Measure], ticket: Ticket | None = None
    ) -> list[BudgetStanding]:
        given: Sequence[Limit] = self._limits_for(payer)
        if payer.schedule and (own := await tasks_store.own_budget(self._database, payer.schedule)):
            given = with_own(given, own)
        limits = [limit for limit in given if limit.measure in measures]
        if not limits:
            return []
        day = self.day()
        running, recorded = await self._beside(payer, turn, day, limits, ticket)
        found: list[BudgetStanding] = []
        for limit, beside in zip(limits, running, strict=True):
            subject = payer.subject(limit.span)
            spent = (
                turn.of(limit.measure)
                if limit.span is Span.TURN
                else recorded.used[limit.span, limit.measure]
            )
            reserved = 0
            if limit.measure is not Measure.USD:
                spent += beside
            elif (
                Measure.MODEL_CALLS in measures
            ):  # a tool costs nothing itself, and waits for no call
                reserved = beside
            extended = recorded.extended.get((limit.name, subject), 0)
            found.append(BudgetStanding(limit, subject, day, spent, extended, reserved))
        return found

    async def _beside(
        self,
        payer: Payer,
        turn: Spent,
        day: str,
        limits: Sequence[Limit],
        ticket: Ticket | None,
        tries: int = _READS,
    ) -> tuple[list[int], _Recorded]:
        """For each limit, the running calls' share and the recorded use; every call is in one."""
        released = self._released
        running = [
            self._running(limit, payer.subject(limit.span), turn, ticket) for limit in limits
        ]
        recorded = await self._recorded(payer, day, limits)
        if released != self._released and tries > 1:  # one ended meanwhile, and may be in both
            return await self._beside(payer, turn, day, limits, ticket, tries - 1)
        return running, recorded

    async def _recorded(self, payer: Payer, day: str, limits: Sequence[Limit]) -> _Recorded:
        measures = {limit.measure for limit in limits if limit.span is not Span.TURN}
        reads = [Read(usage_store.EXTENSIONS, (day,))]
        if calls_models := bool(measures - {Measure.TOOL_CALLS}):
            params = (payer.person, payer.person, payer.channel, payer.channel, day)
            reads.append(Read(usage_store.SPENT, params))
        if calls_tools := Measure.TOOL_CALLS in measures:
            reads.append(Read(usage_store.TOOLS_SPENT, (payer.person, payer.channel, day)))
        extensions, *sums = await self._database.read_all(*reads)
        used: dict[tuple[Span, Measure], int] = {}
        if calls_models:
            (row,) = sums[0]
            names = {
                Span.TOTAL: ("usd", "model_calls"),
                Span.PERSON: ("person_usd", "person_calls"),
            }
            names[Span.CHANNEL] = ("channel_usd", "channel_calls")
            names[Span.GUEST] = names[Span.PERSON]
            names[Span.STRANGERS] = ("strangers_usd", "strangers_calls")
            for span, (usd, calls) in names.items():
                used[span, Measure.USD] = int(row[usd])
                used[span, Measure.MODEL_CALLS] = int(row[calls])
        if payer.schedule:
            spent = await tasks_store.spent_in(self._database, payer.schedule, day[:7])
            used[Span.SCHEDULE, Measure.USD], used[Span.SCHEDULE, Measure.MODEL_CALLS] = (
                spent.nano_usd,
                spent.calls,
            )
        if calls_tools:
            (row,) = sums[-1]
            for span, name in (
                (Span.TOTAL, "tool_calls"),
                (Span.PERSON, "person_calls"),
                (Span.CHANNEL, "channel_calls"),
            ):
                used[span, Measure.TOOL_CALLS] = int(row[name])
        return _Recorded(used, usage_store.extended(extensions))

    def _running(self, limit: Limit, subject: str, turn: Spent, ticket: Ticket | None) -> int:
        count = 0
        for other, held in self._held.items():  # in the order in which they were drawn
            if other is ticket:
                break
            same = (
                held.turn is turn
                if limit.span is Span.TURN
                else held.payer.subject(limit.span) == subject
            )
            count += held.of(limit) if same else 0
        return count

    # --- reporting ---

    async def of_person(self, person: str, days: int) -> Counter[str]:
        """One person's use in the last days including today, by the columns of `usage`."""
        used: Counter[str] = Counter()
        for row in await self.report("person", days):
            if row["person"] == person:
                used.update({name: row[name] for name in _COUNTED & row.keys()})
        return used

    async def report(self, by: str, days: int) -> list[dict[str, Any]]:
        """Sums of the last days including today, by `day`, `person`, `channel`, `model` or `tool`.

        The dearest first, then the most called; days are newest first.
        """
        first = self.clock.now().astimezone(self.zone).date() - timedelta(days=days - 1)
        sql = usage_store.TOOL_ROWS if by == "tool" else usage_store.ROWS
        sums: dict[str, Counter[str]] = {}
        for row in await self._database.read(sql, (first.isoformat(),)):
            counted = {name: int(row[name]) for name in _COUNTED & set(row.keys())}
            sums.setdefault(str(row[by]), Counter()).update(counted)
        found = [{by: name, **sums[name]} for name in sorted(sums, reverse=by == "day")]
        return (
            found
            if by == "day"
            else sorted(found, key=lambda row: (-row.get("nano_usd", 0), -row["calls"]))
        )


def _first_reached(standings: Sequence[BudgetStanding]) -> BudgetStanding | None:
    return next((standing for standing in standings if standing.reached), None)
