"""What happens now, the newest runs, and the way of one message."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from bot.plugin.site import PageAnswer
from bot.plugin.views import RunSpan, RunView
from bot.plugins.console.visits import Visit, live, missing

WIDE = 1_000.0
"""Of the drawing, in its own units."""
LEAST = 4.0
"""So that something that took no time is seen."""
MOST_DEPTH = 5


@dataclass(frozen=True)
class Bar:
    span: RunSpan
    x: float
    width: float
    depth: int

    @property
    def ms(self) -> float:
        return self.span.end - self.span.begin


@dataclass(frozen=True)
class Waterfall:
    bars: Sequence[Bar]
    ms: float
    """From the acceptance to the last end."""

    @classmethod
    def of(cls, spans: Sequence[RunSpan]) -> Self:
        ms = max((one.end for one in spans), default=0.0)
        return cls([_bar(one, ms or 1.0) for one in spans], ms)


def _bar(span: RunSpan, ms: float) -> Bar:
    width = max((span.end - span.begin) / ms * WIDE, LEAST)
    x = min(span.begin / ms * WIDE, WIDE - width)
    return Bar(span, round(max(x, 0.0), 1), round(width, 1), min(span.depth, MOST_DEPTH))


async def now(visit: Visit) -> PageAnswer:
    return visit.page("now", inner=await _now(visit), title="Now", here="now")


async def now_live(visit: Visit) -> PageAnswer:
    return live(visit, lambda: _now(visit))


async def _now(visit: Visit) -> str:
    shown = await visit.views.now.look(visit.who)
    newest = await visit.views.runs.newest(visit.who)
    rows = newest.rows[:10]
    people = [*(one.person for one in shown.work), *(one.person for one in rows)]
    return visit.fill("now_inner", shown=shown, runs=rows, name=await visit.called(people))


async def runs(visit: Visit) -> PageAnswer:
    person, failed = visit.asked("person"), visit.asked("failed") == "1"
    found = await visit.views.runs.newest(
        visit.who, behind=visit.asked("behind"), person=person, failed=failed
    )
    name = await visit.called([one.person for one in found.rows])
    return visit.page(
        "runs", found=found, name=name, person=person, failed=failed, title="Runs", here="runs"
    )


async def run(visit: Visit) -> PageAnswer:
    found = await visit.views.runs.one(visit.who, visit.asked("run"))
    if found is None:
        return missing(visit)
    title = f"Run {found.row.ref}"
    return visit.page("run", inner=await _run(visit, found), run=found, title=title, here="runs")


async def run_live(visit: Visit) -> PageAnswer:
    if await visit.views.runs.one(visit.who, visit.asked("run")) is None:
        return missing(visit)

    async def look() -> str:
        found = await visit.views.runs.one(visit.who, visit.asked("run"))
        return "" if found is None else await _run(visit, found)

    return live(visit, look)


async def _run(visit: Visit, found: RunView) -> str:
    name = await visit.called([found.row.person])
    return visit.fill("run_inner", run=found, fall=Waterfall.of(found.spans), name=name)
