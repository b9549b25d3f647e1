"""Figures of a bench, judged by their goals: printed here, gathered by `bench/report.py`."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

KEPT_IN = "BELLHOP_BENCH_FIGURES"
"""The environment variable that names the file in which `report.py` expects the figures."""


@dataclass(frozen=True)
class Figure:
    """One line of a table; `met` None where there is no goal."""

    what: str
    measured: str
    goal: str = ""
    met: bool | None = None

    def __str__(self) -> str:
        verdict = "      " if self.met is None else "ok    " if self.met else "MISSED"
        goal = f"   goal {self.goal}" if self.goal else ""
        return f"{verdict} {self.what:<52} {self.measured}{goal}"


@dataclass
class Figures:
    """What one run of a bench found. End with `sys.exit(figures.close())`."""

    found: list[Figure] = field(default_factory=list[Figure])

    def at_most(self, what: str, value: float, most: float, unit: str = "", more: str = "") -> None:
        """`more` follows the value: a range, or what it is made of."""
        measured = f"{shown(value)} {unit} {more}".strip()
        self.add(Figure(what, measured, f"≤ {shown(most)} {unit}".strip(), value <= most))

    def at_least(
        self, what: str, value: float, least: float, unit: str = "", more: str = ""
    ) -> None:
        measured = f"{shown(value)} {unit} {more}".strip()
        self.add(Figure(what, measured, f"≥ {shown(least)} {unit}".strip(), value >= least))

    def told(self, what: str, measured: str) -> None:
        """A figure that has no goal."""
        self.add(Figure(what, measured))

    def add(self, figure: Figure) -> None:
        self.found.append(figure)
        print(figure, flush=True)

    def close(self) -> int:
        """Keep the figures for the page; the exit status of the bench: 1 where a goal is missed."""
        if path := os.environ.get(KEPT_IN):
            Path(path).write_text(json.dumps([asdict(figure) for figure in self.found]))
        return int(any(figure.met is False for figure in self.found))


def shown(value: float) -> str:
    """A number with as many digits as say something."""
    if value == int(value) or abs(value) >= 1_000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def spread(values: list[float]) -> str:
    """The range of several passes, for `more`."""
    return f"({shown(min(values))} to {shown(max(values))})" if len(values) > 1 else ""
