"""Own cost of a dispatch, in this process and as a program; and its crash safety.

    python bench/dispatch.py [--turns 200]
    python bench/dispatch.py --campaign [--rounds 7]

The model answers at once and checks nothing, so the figures are Bellhop's own: opening the
specialist's run, its journal, its loop, its program. For comparison the same run starts a bare
subprocess of asyncio: the same Python, which does nothing. At 20 at once each dispatch waits for
its share of the processors; "ms each" is the whole time divided by their number, without that of
a plain tool call.
`bench/delegation.py` counts the model calls and tokens of delegation.

The campaign ends the process before and after each write of a request with a background agent, and
of one with an agent's program, starts it again, and counts what its person sees.
"""

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

from figures import Figures, shown

from bot.agents.loop.run import Run
from bot.domain.agents import Brief
from bot.domain.tool_outcomes import ToolResult
from bot.domain.turns import Turn
from bot.testing.app_lives import AppLives
from bot.testing.background_lives import furnish, play
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.harness import Harness, running_app
from bot.testing.plan_model import PlanModel
from bot.testing.program_lives import furnish_program, play_program
from bot.testing.scripted_model import call, say

Furnish: TypeAlias = Callable[[Path], None]
Play: TypeAlias = Callable[[Path, CrashPoint | None], Awaitable[tuple[AppLives, bool]]]
GOALS_MS = {"in process": 10.0, "subprocess": 400.0}
WARM_UP = 5
PEOPLE = 20
AS_PROGRAM = "agents: {overrides: {scribe: {command: bellhop specialist}}}\n"


def make_home(folder: Path, settings: str = "") -> Path:
    folder.mkdir(parents=True)
    people = [
        f'- {{id: p{n}, name: P{n}, role: Friend, ids: {{discord: ["p{n}"]}}}}'
        for n in range(PEOPLE)
    ]
    people.append('- {id: ann, name: Ann, role: Friend, ids: {discord: ["ann"]}}')
    (folder / "contacts.yaml").write_text("\n".join(people) + "\n")
    (folder / "bellhop.yaml").write_text(f"tools: {{shell: {{sandbox: none}}}}\n{settings}")
    furnish(folder)
    return folder


def timed(house: Harness, took: list[float]) -> None:
    """Note how long each dispatch takes, from the call to its result."""
    dispatch = house.app.house.crew.dispatch
    plain = dispatch.perform

    async def perform(name: str, brief: Brief, run: Run, turn: Turn) -> ToolResult:
        started = time.perf_counter()
        result = await plain(name, brief, run, turn)
        took.append((time.perf_counter() - started) * 1000)
        return result

    dispatch.perform = perform


async def measure(home: Path, people: int, turns: int) -> dict[str, Any]:
    plans = {
        "ask": [call("agent_scribe", {"instruction": "do:scribble"}), say("Done.")],
        "scribble": [say("It is written.")],
        "alone": [call("current_time", {}), say("Done.")],
    }
    took: list[float] = []
    cpu: dict[str, float] = {}
    wall: dict[str, float] = {}
    each = max(turns // people, 1)
    async with running_app(home, PlanModel(plans, checked=False)) as house:
        timed(house, took)

        async def person(number: int, words: str, count: int) -> None:
            for _ in range(count):
                await house.chat.say_and_wait(f"p{number}", words)

        await asyncio.gather(*(person(number, "do:ask", WARM_UP) for number in range(people)))
        for words in ("do:alone", "do:ask"):
            took.clear()
            on_cpu, started = time.process_time(), time.perf_counter()
            await asyncio.gather(*(person(number, words, each) for number in range(people)))
            wall[words] = (time.perf_counter() - started) * 1000 / (each * people)
            cpu[words] = (time.process_time() - on_cpu) * 1000 / (each * people)
    return {
        "at once": people,
        **summary(took),
        "ms_each": round(wall["do:ask"] - wall["do:alone"], 2),
        "cpu_ms_more_than_a_tool_call": round(cpu["do:ask"] - cpu["do:alone"], 2),
    }


def summary(took: list[float]) -> dict[str, Any]:
    ordered = sorted(took)
    return {
        "count": len(ordered),
        "median_ms": round(median(ordered), 2),
        "p95_ms": round(ordered[len(ordered) * 95 // 100], 2),
    }


async def bare(at_once: int, count: int) -> dict[str, Any]:
    """The same Python as a program of its own that does nothing, started and waited for."""
    took: list[float] = []

    async def one() -> None:
        for _ in range(max(count // at_once, 1)):
            started = time.perf_counter()
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-I",
                "-S",
                "-c",
                "pass",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            await process.communicate()
            took.append((time.perf_counter() - started) * 1000)

    started = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(at_once)))
    each = (time.perf_counter() - started) * 1000 / len(took)
    return {"at once": at_once, **summary(took), "ms_each": round(each, 2)}


async def overhead(folder: Path, turns: int) -> int:
    """What a dispatch costs, alone and among others."""
    figures = Figures()
    for people in (1, PEOPLE):
        idle = await bare(people, turns)
        when = "alone" if people == 1 else f"{people} at once"
        figures.told(f"bare subprocess, {when}", described(idle))
        for name, settings in (("in process", ""), ("subprocess", AS_PROGRAM)):
            home = make_home(folder / f"{name}-{people}".replace(" ", "-"), settings)
            found = await measure(home, people, turns)
            what = f"{name}, {when}"
            if people == 1:
                figures.at_most(f"{what}: median", found["median_ms"], GOALS_MS[name], "ms")
            figures.told(what, described(found))
    return figures.close()


def described(found: dict[str, Any]) -> str:
    """The times in words."""
    told = f"median {shown(found['median_ms'])}, p95 {shown(found['p95_ms'])} ms"
    more = found.get("cpu_ms_more_than_a_tool_call")
    cpu = "" if more is None else f"; {shown(more)} ms of CPU more than a tool call"
    return f"{told}, {shown(found['ms_each'])} ms each{cpu}"


async def campaign(folder: Path, rounds: int, name: str, furnished: Furnish, play: Play) -> None:
    template = make_home(folder / "template")
    furnished(template)
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
    print(json.dumps({name: tried, "ends of the process": struck, "lost or doubled": len(lost)}))
    for line in lost:
        print(line)


def main() -> None:
    options = argparse.ArgumentParser(
        description="Cost of a dispatch, and its campaign of crashes."
    )
    options.add_argument("--turns", type=int, default=200)
    options.add_argument("--campaign", action="store_true")
    options.add_argument("--rounds", type=int, default=7)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if given.campaign:
            asyncio.run(
                campaign(
                    Path(name) / "later",
                    given.rounds,
                    "delegations in the background",
                    furnish,
                    play,
                )
            )
            programs = campaign(
                Path(name) / "now", given.rounds, "as a program", furnish_program, play_program
            )
            asyncio.run(programs)
        else:
            sys.exit(asyncio.run(overhead(Path(name), given.turns)))


if __name__ == "__main__":
    main()
