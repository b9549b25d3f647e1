"""The waterfall of a run: each part as a bar on one scale of time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from bot.plugin.views import RunSpan

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
