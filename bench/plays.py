"""Everyday scenarios that a reader with judgement played in the model's place.

    python bench/plays.py

`plays.json` holds them; no script can repeat them. Each has what the person said, where, their
role, whether its words were planned, and the model calls of the turn, with mrtool's and without a
researcher's (`ideal`: what a model needs that guesses nothing). `before` and `after` are plays of
the texts as they were before and after the last mending, with the bytes of the session's first
request: a scenario on both sides was played on both. `misled` says what cost calls or the answer,
before unless `after` is not good. The reader also wrote the texts, so another one may need more
calls. Add plays when texts that models read change, and keep the old ones.
Exits with 1 when a goal is missed.
"""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from figures import Figures

PLAYS = Path(__file__).with_name("plays.json")
GOAL_TIMES = 1.15
GOAL_BYTES = 11_000
SIDES = ("before", "after")


def times(plays: Sequence[dict[str, Any]], side: str) -> float:
    """Calls of one side against the ideal."""
    return sum(play[side]["calls"] for play in plays) / sum(play["ideal"] for play in plays)


def verdicts(plays: Sequence[dict[str, Any]], side: str) -> str:
    counted = Counter(play[side]["verdict"] for play in plays)
    return ", ".join(f"{counted[name]} {name}" for name in ("good", "poor", "bad"))


def row(play: dict[str, Any]) -> tuple[str, str]:
    sides = [
        f"{side} {play[side]['calls']} ({play[side]['verdict']}, {play[side]['bytes']:,} bytes)"
        for side in SIDES
        if play[side]
    ]
    misled = f"; {play['misled']}" if play["misled"] else ""
    where = f"{play['door']}, {play['role']}"
    return play["said"], f"{where}: {', '.join(sides)}, ideal {play['ideal']}{misled}"


def main() -> int:
    plays: list[dict[str, Any]] = json.loads(PLAYS.read_text(encoding="utf-8"))
    figures = Figures()
    for play in plays:
        figures.told(*row(play))
    for side in SIDES:
        played = [play for play in plays if play[side]]
        figures.told(f"{side}: {len(played)} scenarios", verdicts(played, side))
    both = [play for play in plays if play["before"] and play["after"]]
    after = [play for play in plays if play["after"]]
    was = f"(before {times(both, 'before'):.2f}, of {len(both)} played on both sides)"
    figures.at_most("calls after, times the ideal", times(after, "after"), GOAL_TIMES, more=was)
    worse = [play for play in both if play["after"]["calls"] > play["before"]["calls"]]
    figures.at_most("scenarios that got worse", len(worse), 0)
    bad = [play for play in after if play["after"]["verdict"] == "bad"]
    figures.at_most("bad scenarios", len(bad), 0)
    figures.at_most(
        "largest first request", max(play["after"]["bytes"] for play in after), GOAL_BYTES, "bytes"
    )
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())
