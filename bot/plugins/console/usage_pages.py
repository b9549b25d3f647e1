"""Use and cost, by day and by what somebody chooses."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from bot.plugin.site import PageAnswer
from bot.plugin.views import UseBy, UseRow, UseView
from bot.plugins.console.templates import money
from bot.plugins.console.visits import Visit

SERIES = 6
"""Names with a colour of their own; the others are one series together."""
OTHERS = "others"
HIGH = 200.0
STEP = 20.0
"""Of a day, in the drawing's own units."""


@dataclass(frozen=True)
class PlotBlock:
    """A part of a day's bar. `series` counts from 1 and names its colour."""

    x: float
    y: float
    height: float
    series: int
    told: str


@dataclass(frozen=True)
class Plot:
    blocks: Sequence[PlotBlock]
    series: Sequence[str]
    width: float
    most: int
    """Of the highest bar."""
    first: str
    last: str

    @classmethod
    def of(cls, view: UseView, value: Callable[[UseRow], int], words: Callable[[int], str]) -> Self:
        """`words` says a value for people."""
        totals: Counter[str] = Counter()
        for row in view.rows:
            totals[row.name] += value(row)
        named = [name for name, sum_ in totals.most_common(SERIES) if sum_]
        days: dict[str, Counter[str]] = {day: Counter() for day in view.days}
        for row in view.rows:
            if row.day in days:
                days[row.day][row.name if row.name in named else OTHERS] += value(row)
        most = max((sum(one.values()) for one in days.values()), default=0)
        rest = any(one[OTHERS] for one in days.values())
        series = [*named, *([OTHERS] if rest else [])]
        blocks = [
            block
            for place, (day, sums) in enumerate(days.items())
            for block in _bar(place * STEP, day, sums, series, most or 1, words)
        ]
        return cls(
            blocks, series, len(days) * STEP, most, view.days[0] if view.days else "",
            view.days[-1] if view.days else "",
        )  # fmt: skip


def _bar(
    x: float,
    day: str,
    sums: Counter[str],
    series: Sequence[str],
    most: int,
    words: Callable[[int], str],
) -> list[PlotBlock]:
    blocks: list[PlotBlock] = []
    top = HIGH
    for number, name in enumerate(series, 1):
        if not sums[name]:
            continue
        height = sums[name] / most * HIGH
        top -= height
        told = f"{day}: {name}, {words(sums[name])}"
        blocks.append(PlotBlock(x, round(top, 2), round(height, 2), number, told))
    return blocks


DAYS = (7, 30, 90)


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


def _totals(rows: Sequence[UseRow]) -> list[UseRow]:
    """The dearest first."""
    by_name: dict[str, list[UseRow]] = {}
    for row in rows:
        by_name.setdefault(row.name, []).append(row)
    totals = [_sum(name, some) for name, some in by_name.items()]
    return sorted(totals, key=lambda one: (-one.nano_usd, -one.calls, one.name))


def _sum(name: str, rows: Sequence[UseRow]) -> UseRow:
    """Of all days."""
    return UseRow(
        "",
        name,
        sum(row.calls for row in rows),
        sum(row.tokens for row in rows),
        sum(row.nano_usd for row in rows),
        sum(row.failed for row in rows),
        sum(row.unpriced for row in rows),
    )
