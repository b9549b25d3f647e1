"""Own cost of a dispatch in this process, and whether a delegation survives the end of the process at every write.

    python bench/dispatch.py [--turns 200]
    python bench/dispatch.py --campaign [--rounds 7]

The model answers at once, so what is measured is Bellhop's own: opening the specialist's run, its journal, its loop.
The campaign ends the process before and after each write of a request that has an agent work in the background, starts
it again, and counts what its person sees.
"""

import argparse
import asyncio
import json
import shutil
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from bot.agents.run import Run
from bot.domain.agents import Brief
from bot.domain.tools import ToolResult
from bot.domain.turns import Turn
from bot.testing.background_lives import furnish, play
from bot.testing.crash_points import crash_points
from bot.testing.harness import Harness, running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import call, say

GOAL_MS = 10.0
WARM_UP = 5
PEOPLE = 20


def make_home(folder: Path) -> Path:
    folder.mkdir()
    people = [f'- {{id: p{n}, name: P{n}, role: Friend, ids: {{discord: ["p{n}"]}}}}' for n in range(PEOPLE)]
    people.append('- {id: ann, name: Ann, role: Friend, ids: {discord: ["ann"]}}')
    (folder / "contacts.yaml").write_text("\n".join(people) + "\n")
    (folder / "bellhop.yaml").write_text("tools: {shell: {sandbox: none}}\n")
    furnish(folder)
    return folder


def timed(house: Harness, took: list[float]) -> None:
    """Note how long each dispatch takes, from the call to its result."""
    dispatch = house.app.house.dispatch
    plain = dispatch.perform

    async def perform(name: str, brief: Brief, run: Run, turn: Turn) -> ToolResult:
        started = time.perf_counter()
        result = await plain(name, brief, run, turn)
        took.append((time.perf_counter() - started) * 1000)
        return result

    dispatch.perform = perform


async def measure(folder: Path, people: int, turns: int) -> dict[str, Any]:
    plans = {
        "ask": [call("agent_scribe", {"instruction": "do:scribble"}), say("Done.")],
        "scribble": [say("It is written.")],
        "alone": [call("current_time", {}), say("Done.")],
    }
    took: list[float] = []
    cpu: dict[str, float] = {}
    async with running_app(make_home(folder), PlanModel(plans)) as house:
        timed(house, took)

        async def person(number: int, words: str, count: int) -> None:
            for _ in range(count):
                await house.chat.say_and_wait(f"p{number}", words)

        await asyncio.gather(*(person(number, "do:ask", WARM_UP) for number in range(people)))
        for words in ("do:alone", "do:ask"):
            took.clear()
            started = time.process_time()
            await asyncio.gather(*(person(number, words, turns // people) for number in range(people)))
            cpu[words] = (time.process_time() - started) * 1000 / (turns // people * people)
    wall = sorted(took)
    return {
        "at once": people,
        "dispatches": len(wall),
        "wall_ms": round(median(wall), 2),
        "wall_95_ms": round(wall[len(wall) * 95 // 100], 2),
        "cpu_ms_more_than_a_tool_call": round(cpu["do:ask"] - cpu["do:alone"], 2),
    }


async def overhead(folder: Path, turns: int) -> None:
    for people in (1, PEOPLE):
        found = await measure(folder / f"at-{people}", people, turns)
        print(json.dumps(found))
        if people == 1:
            print(f"goal: under {GOAL_MS:g} ms -> {'met' if found['wall_ms'] < GOAL_MS else 'MISSED'}")


async def campaign(folder: Path, rounds: int) -> None:
    template = make_home(folder / "template")
    whole, _ = await play(shutil.copytree(template, folder / "whole"), None)
    points = list(crash_points(whole.commits))
    tried = struck = 0
    lost: list[str] = []
    for turn in range(rounds):
        for number, point in enumerate(points):
            home = shutil.copytree(template, folder / f"life-{turn}-{number}")
            try:
                _, crashed = await play(home, point)
                struck += crashed
            except AssertionError as error:
                lost.append(str(error))
            tried += 1
            shutil.rmtree(home)
    print(json.dumps({"delegations": tried, "ends of the process": struck, "lost or doubled": len(lost)}))
    for line in lost:
        print(line)


def main() -> None:
    options = argparse.ArgumentParser(description="Cost of a dispatch, and its campaign of crashes.")
    options.add_argument("--turns", type=int, default=200)
    options.add_argument("--campaign", action="store_true")
    options.add_argument("--rounds", type=int, default=7)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = campaign(Path(name), given.rounds) if given.campaign else overhead(Path(name), given.turns)
        asyncio.run(work)


if __name__ == "__main__":
    main()
