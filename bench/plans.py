"""Crash safety of a plan at every write, and its cost compared with a plain request.

    python bench/plans.py [--rounds 5]

The crashes use scripted workers and the real journal: a retry, a replan, a sub-plan and an added
task. After each crash a second process must bring the plan to the same result, without repeating
stored work. The cost is that of four sums and their total, made in one run and as a plan of five
tasks: what a model is asked and reads, four characters to a token. Exits with 1 where a goal is
missed.
"""

import argparse
import asyncio
import json
import logging
import sys
import tempfile
from pathlib import Path

from figures import Figures

from bot.testing.crash_points import crash_points
from bot.testing.harness import running_app
from bot.testing.plan_lives import play
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import call, calls, say

MOST_TIMES = 3.5


async def campaign(figures: Figures, folder: Path, rounds: int) -> None:
    """End the process before and after every write, `rounds` times."""
    points = list(crash_points(await play(folder, None)))
    wrong: list[str] = []
    for _ in range(rounds):
        for point in points:
            try:
                await play(folder, point)
            except AssertionError as error:
                wrong.append(str(error))
            _clear(folder)
    ends = f"ends of the process: {rounds * len(points)}, of these ended otherwise"
    figures.at_most(ends, len(wrong), 0)
    for line in wrong:
        print(line)


def _clear(folder: Path) -> None:
    for made in folder.glob("[0-9]*.db*"):
        made.unlink()


SUMS = [f"{number} * 7" for number in (3, 5, 11, 13)]
TASKS = [
    *(
        {"id": str(number), "description": f"Work out {sum_}. do:sum{number}"}
        for number, sum_ in enumerate(SUMS)
    ),
    {
        "id": "total",
        "description": "Add the four results up. do:total",
        "depends_on": ["0", "1", "2", "3"],
    },
]
TOTAL = call("calculate", {"expression": "21 + 35 + 77 + 91"})
REPLIES: dict[str, list[PlanStep]] = {
    "plain": [calls(*(("calculate", {"expression": sum_}) for sum_ in SUMS)), TOTAL, say("224")],
    "planned": [
        call("get_capabilities", {"names": ["plan"]}),
        call("plan", {"goal": "Four sums and their total", "tasks": TASKS}),
        say("224"),
    ],
    "total": [TOTAL, say("224")],
    **{
        f"sum{number}": [call("calculate", {"expression": sum_}), say("Done.")]
        for number, sum_ in enumerate(SUMS)
    },
}


async def cost(figures: Figures, folder: Path) -> None:
    """The same work in one run and as a plan."""
    found: dict[str, dict[str, int]] = {}
    for name in ("plain", "planned"):
        model = PlanModel(REPLIES)
        home = folder / name
        home.mkdir()
        (home / "contacts.yaml").write_text(
            '- {id: ann, name: Ann, role: Friend, ids: {discord: ["ann"]}}\n'
        )
        async with running_app(home, model) as house:
            if "224" not in await house.ask("ann", f"Four sums and their total, please. do:{name}"):
                raise RuntimeError(f"{name}: the answer is wrong")
        read = sum(len(json.dumps([one.system, one.tools, one.messages])) for one in model.requests)
        found[name] = {"model calls": len(model.requests), "tokens read": read // 4}
    ratio = found["planned"]["tokens read"] / found["plain"]["tokens read"]
    figures.at_most("tokens of a plan, times plain", ratio, MOST_TIMES, more=f"({found})")


def main() -> int:
    options = argparse.ArgumentParser(
        description="A plan in processes that end at every write, and its cost."
    )
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--cost", action="store_true", help="only the cost")
    given = options.parse_args()
    logging.getLogger(
        "asyncio"
    ).disabled = True  # writes of a process that is gone, which nobody waits for
    figures = Figures()
    with tempfile.TemporaryDirectory() as name:
        if not given.cost:
            asyncio.run(campaign(figures, Path(name), given.rounds))
        asyncio.run(cost(figures, Path(name)))
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())
