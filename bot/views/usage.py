"""Use and cost by day, and by model, person, channel, agent or tool."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from bot.agents.cycle_log.events import usage_of
from bot.agents.cycle_log.log_store import CycleLog
from bot.domain.cycles import CycleEvent
from bot.domain.database import Database
from bot.plugin.views import Looker, UseBy, UseRow, UseView
from bot.tools.budget.usage import Meter
from bot.tools.budget.usage_store import UsedBy, use_since

MOST_CALLS = 5_000
"""Model calls of agents that are told: the newest ones of the span."""


@dataclass(frozen=True)
class HouseUsage:
    """Implements `bot.plugin.views.ShowsUsage`."""

    database: Database
    meter: Meter
    log: CycleLog

    async def look(self, who: Looker, by: UseBy, days: int) -> UseView:
        today = date.fromisoformat(self.meter.day())
        span = [(today - timedelta(days=ago)).isoformat() for ago in reversed(range(days))]
        person = None if who.operator else who.person.id
        if by is UseBy.AGENT:  # the table of use has none, so their calls in the cycle log are told
            begin = datetime.combine(date.fromisoformat(span[0]), time(), self.meter.zone)
            calls = await self.log.model_calls(person, begin, MOST_CALLS)
            return UseView(span, [*map(self._call, calls)], cut=len(calls) == MOST_CALLS)
        found = await use_since(self.database, span[0], UsedBy(by), person)
        names = ("calls", "tokens", "nano_usd", "failed", "unpriced")
        return UseView(
            span,
            [
                UseRow(str(row["day"]), str(row["name"]), *(int(row.get(one, 0)) for one in names))
                for row in map(dict, found)
            ],
        )

    def _call(self, call: CycleEvent) -> UseRow:
        usage, model = usage_of(call), call.data.get("model")
        nano = self.meter.cost(str(model), usage) if model else 0
        return UseRow(
            call.at.astimezone(self.meter.zone).date().isoformat(),
            call.agent,
            calls=1,
            tokens=usage.total_input + usage.output_tokens,
            nano_usd=nano or 0,
            failed=int(not model),
            unpriced=int(nano is None),
        )
