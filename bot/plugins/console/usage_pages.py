"""Use and cost, by day and by what somebody chooses."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.plugin.site import PageAnswer
from bot.plugin.views import UseBy, UseRow
from bot.plugins.console.plots import Plot
from bot.plugins.console.templates import money
from bot.plugins.console.visits import Visit

DAYS = (7, 30, 90)


@dataclass(frozen=True)
class Total:
    name: str
    calls: int
    tokens: int
    nano_usd: int
    failed: int
    unpriced: int


async def usage(visit: Visit) -> PageAnswer:
    by = next((one for one in UseBy if one == visit.asked("by")), UseBy.MODEL)
    days = next((one for one in DAYS if str(one) == visit.asked("days")), DAYS[1])
    view = await visit.views.usage.look(visit.who, by, days)
    if by is UseBy.PERSON:
        name = await visit.called({row.name for row in view.rows})
        view = replace(view, rows=[replace(row, name=name(row.name)) for row in view.rows])
    if by is UseBy.TOOL or not any(row.nano_usd for row in view.rows):
        plot, of = Plot.of(view, lambda row: row.calls, lambda calls: f"{calls:,} calls"), "calls"
    else:
        plot, of = Plot.of(view, lambda row: row.nano_usd, money), "cost"
    totals = _totals(view.rows)
    return visit.page(
        "usage",
        by=by,
        choices=list(UseBy),
        days=days,
        spans=DAYS,
        plot=plot,
        of=of,
        most=money(plot.most) if of == "cost" else f"{plot.most:,} calls",
        totals=totals,
        whole=_sum("all", view.rows),
        cut=view.cut,
        title="Usage",
        here="usage",
    )


def _totals(rows: Sequence[UseRow]) -> list[Total]:
    """The dearest first."""
    by_name: dict[str, list[UseRow]] = {}
    for row in rows:
        by_name.setdefault(row.name, []).append(row)
    totals = [_sum(name, some) for name, some in by_name.items()]
    return sorted(totals, key=lambda one: (-one.nano_usd, -one.calls, one.name))


def _sum(name: str, rows: Sequence[UseRow]) -> Total:
    sums: Counter[str] = Counter()
    for row in rows:
        sums.update(
            calls=row.calls,
            tokens=row.tokens,
            nano=row.nano_usd,
            failed=row.failed,
            unpriced=row.unpriced,
        )
    return Total(
        name, sums["calls"], sums["tokens"], sums["nano"], sums["failed"], sums["unpriced"]
    )
