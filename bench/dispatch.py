"""Own cost of a dispatch, in this process and as a program; and its crash safety.

    python bench/dispatch.py [--turns 200]
    python bench/dispatch.py --campaign [--rounds 7]

The model answers at once and checks nothing, so the figures are Bellhop's own: opening the
specialist's run, its journal, its loop, its program. For comparison the same run starts a bare
subprocess of asyncio: the same Python, which does nothing. In this process the CPU of a turn with a
dispatch is judged by that of a turn with a plain tool call, measured alternately, so that the load
of the machine hardly matters.
`bench/delegation.py` counts the model calls and tokens of delegation.

The campaign ends the process before and after each write of a request with a background agent, and
of one with an agent's program, starts it again, and counts what its person sees.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeAlias

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
MOST_TIMES = 2.0
"""A dispatch runs one turn's work inside another, so it may take the CPU of two."""
MOST_PROGRAM_MS = 400.0
WARM_UP = 5
ROUNDS = 5
"""In each, everybody calls a tool first, and dispatches then."""
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

    object.__setattr__(dispatch, "perform", perform)  # it is frozen


@dataclass(frozen=True)
class Dispatches:
    """What dispatches cost, and turns that call a tool instead, alternating in one run."""

    took_ms: list[float]
    """Of each dispatch, from the call to its result."""
    cpu_ms: dict[str, list[float]]
    """Of this process for one turn, by what was asked and round."""

    @property
    def times(self) -> float:
        """CPU of a turn that dispatches, times that of one that calls a tool."""
        return median(self.cpu_ms["do:ask"]) / median(self.cpu_ms["do:alone"])

    def __str__(self) -> str:
        asked, alone = (median(self.cpu_ms[words]) for words in ("do:ask", "do:alone"))
        cpu = f"turn {shown(asked)} ms of CPU here, with a tool {shown(alone)} ms"
        return f"{described(self.took_ms)}; {cpu}"


async def measure(home: Path, people: int, turns: int) -> Dispatches:
    plans = {
        "ask": [call("agent_scribe", {"instruction": "do:scribble"}), say("Done.")],
        "scribble": [say("It is written.")],
        "alone": [call("current_time", {}), say("Done.")],
    }
    each = max(turns // people // ROUNDS, 1)
    cpu: dict[str, list[float]] = {"do:alone": [], "do:ask": []}
    took: list[float] = []
    async with running_app(home, PlanModel(plans, checked=False)) as house:
        timed(house, took)

        async def person(number: int, words: str, count: int) -> None:
            for _ in range(count):
                await house.chat.say_and_wait(f"p{number}", words)

        for words in cpu:
            await asyncio.gather(*(person(number, words, WARM_UP) for number in range(people)))
        took.clear()
        for _ in range(ROUNDS):
            for words, spent in cpu.items():
                on_cpu = time.process_time()
                await asyncio.gather(*(person(number, words, each) for number in range(people)))
                spent.append((time.process_time() - on_cpu) * 1000 / (each * people))
    return Dispatches(took, cpu)


async def bare(at_once: int, count: int) -> list[float]:
    """Milliseconds of the same Python as a program that does nothing, started and waited for."""
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

    await asyncio.gather(*(one() for _ in range(at_once)))
    return took


async def overhead(folder: Path, turns: int) -> int:
    """What a dispatch costs, alone and among others."""
    figures = Figures()
    for people in (1, PEOPLE):
        when = "alone" if people == 1 else f"{people} at once"
        figures.told(f"bare subprocess, {when}", described(await bare(people, turns)))
        for name, settings in (("in process", ""), ("subprocess", AS_PROGRAM)):
            home = make_home(folder / f"{name}-{people}".replace(" ", "-"), settings)
            found, what = await measure(home, people, turns), f"{name}, {when}"
            figures.told(what, str(found))
            if name == "in process":
                figures.at_most(f"{what}: CPU, times a tool's", found.times, MOST_TIMES)
            elif people == 1:
                figures.at_most(f"{what}: median", median(found.took_ms), MOST_PROGRAM_MS, "ms")
    return figures.close()


def described(took_ms: Sequence[float]) -> str:
    """The times in words."""
    ordered = sorted(took_ms)
    p95 = ordered[len(ordered) * 95 // 100]
    return f"median {shown(median(ordered))}, p95 {shown(p95)} ms"


async def campaign(
    figures: Figures, folder: Path, rounds: int, name: str, furnished: Furnish, play: Play
) -> None:
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
    most = tried * 9 / 10  # agents work side by side, so a write may come in another order
    figures.at_least(f"{name}: ends of the process", struck, most, more=f"of {tried} lives")
    figures.at_most(f"{name}: lost or doubled", len(lost), 0)
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
        if not given.campaign:
            sys.exit(asyncio.run(overhead(Path(name), given.turns)))
        figures = Figures()
        for what, furnished, played in (
            ("delegations in the background", furnish, play),
            ("as a program", furnish_program, play_program),
        ):
            folder = Path(name) / what.replace(" ", "-")
            asyncio.run(campaign(figures, folder, given.rounds, what, furnished, played))
    sys.exit(figures.close())


if __name__ == "__main__":
    main()
