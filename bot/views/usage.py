"""Use and cost by day, and by model, person, channel, agent or tool."""

from collections import Counter
from collections.abc import Sequence
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
"""Model calls of agents that are added up: the newest ones of the span."""


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
        if by is UseBy.AGENT:
            rows, cut = await self._of_agents(person, span[0])
            return UseView(span, rows, cut=cut)
        found = await use_since(self.database, span[0], UsedBy(by), person)
        rows = [
            UseRow(
                str(row["day"]),
                str(row["name"]),
                int(row["calls"]),
                int(row.get("tokens", 0)),
                int(row.get("nano_usd", 0)),
                int(row.get("failed", 0)),
                int(row.get("unpriced", 0)),
            )
            for row in map(dict, found)
        ]
        return UseView(span, rows)

    async def _of_agents(self, person: str | None, first: str) -> tuple[list[UseRow], bool]:
        """The table of use has no agents, so their calls in the cycle log are added up."""
        begin = datetime.combine(date.fromisoformat(first), time(), self.meter.zone)
        calls = await self.log.model_calls(person, begin, MOST_CALLS)
        return self._summed(calls), len(calls) == MOST_CALLS

    def _summed(self, calls: Sequence[CycleEvent]) -> list[UseRow]:
        sums: dict[tuple[str, str], Counter[str]] = {}
        for call in calls:
            day = call.at.astimezone(self.meter.zone).date().isoformat()
            usage, model = usage_of(call), call.data.get("model")
            nano = self.meter.cost(str(model), usage) if model else 0
            sums.setdefault((day, call.agent), Counter()).update(
                calls=1,
                tokens=usage.total_input + usage.output_tokens,
                nano=nano or 0,
                failed=int(not model),
                unpriced=int(nano is None),
            )
        return [
            UseRow(
                day,
                agent,
                one["calls"],
                one["tokens"],
                one["nano"],
                one["failed"],
                one["unpriced"],
            )
            for (day, agent), one in sorted(sums.items())
        ]
