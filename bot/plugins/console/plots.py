"""Sums by day as stacked bars, drawn by the server."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

from bot.plugin.views import UseRow, UseView

SERIES = 6
"""PeopleNames with a colour of their own; the others are one series together."""
OTHERS = "others"
HIGH = 200.0
STEP = 20.0
"""Of a day, in the drawing's own units."""
GAP = 4.0


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
