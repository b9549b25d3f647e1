"""Bellhop on loopback Discord beside three floors, in one run: `python bench/platforms.py`.

    python bench/platforms.py [--turns 100] [--passes 3] [--sessions 1,10,100]

The floors are a script on discord.py and the anthropic SDK, and one on bare aiohttp. Each side runs
in a process of its own, on uvloop, with aiohttp towards the model and one bare call per post. The
third floor, "plain", is the first as the SDKs' documents show it, with none of the three. Sides
alternate within a pass; figures are medians of the passes with their range, and ratios are taken
within a pass.

Per turn each side does the same: one message in a DM, a streamed sample that calls current_time,
its result, a streamed sample with the answer, one post. All send the whole conversation with each
sample. What only Bellhop has: its prompt and tools (11 KB per request), roles, and everything on
disk before it goes on. Its pace for Discord's 50 calls a second is off here, as the floors have
none.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bytecode import compile_program
from figures import Figures, shown, spread

from bot.loopback.discord import Channel, DiscordPlatform, Person

HERE = Path(__file__).parent
TICKS = os.sysconf("SC_CLK_TCK")
SIDES = ("bellhop", "sdk", "raw", "plain")
CROWD = 50
IDLE_S = 2.0
PATIENCE_S = 60.0
QUESTION = "what time is it?"
SLOW_QUESTION = f"(slow) {QUESTION}"
HANGING_QUESTION = f"(hangs) {QUESTION}"


FLOORS = {"sdk": "bare_bot.py", "raw": "raw_bot.py", "plain": "bare_bot.py"}


class Measured:
    """A bot in a process of its own."""

    def __init__(
        self, command: list[str], env: dict[str, str], terminal: int = subprocess.DEVNULL
    ) -> None:
        self.process = subprocess.Popen(
            command,
            env={**os.environ, **env},
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
        )

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return (
            next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
            / 1024
        )

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


class Town:
    """People who each talk with the bot in a DM of their own."""

    def __init__(self, platform: DiscordPlatform) -> None:
        self._platform = platform
        self._people: list[tuple[Person, Channel]] = []

    def person(self, number: int) -> tuple[Person, Channel]:
        while len(self._people) <= number:
            person = self._platform.person(f"p{len(self._people)}")
            self._people.append((person, person.dm))
        return self._people[number]

    async def ask(self, number: int, question: str = QUESTION) -> float:
        """One message and its answer; seconds. Raises TimeoutError when nothing comes."""
        person, channel = self.person(number)
        before = _answers(person, channel)
        started = time.perf_counter()
        person.say(channel, question)
        await self._platform.until(lambda: _answers(person, channel) > before, PATIENCE_S)
        return time.perf_counter() - started


def _answers(person: Person, channel: Channel) -> int:
    """Whole answers that are visible; a draft that grows is none yet."""
    return sum(message.content.endswith("answers you.") for message in person.sees(channel))


@dataclass
class Pass:
    """What one side did in one pass, by the name of the figure."""

    figures: dict[str, float] = field(default_factory=dict[str, float])
    unanswered: int = 0


async def load(town: Town, bot: Measured, sessions: int, turns: int, into: Pass) -> None:
    await asyncio.gather(*(town.ask(number) for number in range(sessions)))
    walls: list[float] = []

    async def person(number: int) -> None:
        for _ in range(turns):
            try:
                walls.append(await town.ask(number))
            except TimeoutError:
                into.unanswered += 1

    cpu, wall = bot.cpu_s(), time.perf_counter()
    await asyncio.gather(*(person(number) for number in range(sessions)))
    cpu, wall = bot.cpu_s() - cpu, time.perf_counter() - wall
    done = len(walls)
    into.figures |= {
        f"cpu {sessions}": cpu / done * 1000,
        f"median {sessions}": median(walls) * 1000,
        f"p95 {sessions}": quantiles(walls, n=20)[-1] * 1000,
        f"turns/s {sessions}": done / wall,
    }


async def crowd(town: Town, into: Pass) -> None:
    """People who were never there before write at once, and the model takes its time."""
    waits = await asyncio.gather(
        *(town.ask(1_000 + number, SLOW_QUESTION) for number in range(CROWD)),
        return_exceptions=True,
    )
    into.unanswered += sum(isinstance(wait, BaseException) for wait in waits)
    into.figures["crowd"] = max(wait for wait in waits if isinstance(wait, float))


async def killed(platform: DiscordPlatform, town: Town, bot: Measured, again: Any) -> float:
    """Seconds from the new start to the answer of a turn in whose middle the process was killed."""
    asking = asyncio.create_task(town.ask(0, HANGING_QUESTION))
    await asyncio.sleep(1)
    bot.stop()
    began = time.perf_counter()
    again()
    await asking
    return time.perf_counter() - began


async def run(side: str, model_url: str, plan: Sequence[tuple[int, int]]) -> Pass:
    found = Pass()
    async with DiscordPlatform() as platform:
        platform.guild()
        with tempfile.TemporaryDirectory() as folder:
            town = Town(platform)
            running: list[Measured] = []

            def begin() -> None:
                running.append(start(side, platform, model_url, Path(folder)))

            try:
                began = time.perf_counter()
                begin()
                await platform.until(lambda: platform.gateway.connected, PATIENCE_S)
                await town.ask(0)
                found.figures["first answer"] = time.perf_counter() - began
                await asyncio.sleep(IDLE_S)
                found.figures["idle MB"] = running[0].memory_mb()
                for sessions, turns in plan:
                    await load(town, running[0], sessions, turns, found)
                found.figures["full MB"] = running[0].memory_mb()
                await crowd(town, found)
                if side == "bellhop":
                    found.figures["killed"] = await killed(platform, town, running[0], begin)
            finally:
                for bot in running:
                    bot.stop()
    return found


def start(side: str, platform: DiscordPlatform, model_url: str, home: Path) -> Measured:
    if side != "bellhop":
        env = {
            "MODEL_URL": model_url,
            "API_BASE": platform.api_base,
            "GATEWAY_URL": platform.gateway_url,
            **({"PLAIN": "1"} if side == "plain" else {}),
        }
        return Measured(
            [sys.executable, str(HERE / "loopback" / FLOORS[side]), platform.options.token], env
        )
    (home / "bellhop.yaml").write_text(
        f"model: {{provider: compatible, name: bench, base_url: '{model_url}', context_tokens: "
        f"1000000}}\n"
        f"discord: {{enabled: true, api_base: '{platform.api_base}',"
        " calls_per_s: 1000}\n"
        "sessions: {idle_minutes: 600}\n"
        "budgets: {per_guest_day: {model_calls: 0}, strangers_day: {model_calls: 0}}\n"
    )
    env = {"DISCORD_TOKEN": platform.options.token, "ANTHROPIC_API_KEY": "bench"}
    return Measured([sys.executable, "-m", "bot", "--home", str(home), "run"], env)


def judge(passes: dict[str, list[Pass]], plan: Sequence[tuple[int, int]]) -> Figures:
    figures = Figures()

    def of(side: str, name: str) -> list[float]:
        return [one.figures[name] for one in passes[side]]

    def ratio(name: str, floor: str = "sdk") -> float:
        pairs = zip(of("bellhop", name), of(floor, name), strict=True)
        return median(ours / theirs for ours, theirs in pairs)

    def beside(name: str, unit: str) -> str:
        parts = [
            f"{side} {shown(median(of(side, name)))} {spread(of(side, name))}" for side in SIDES
        ]
        return f"{', '.join(parts)} {unit}"

    most = plan[-1][0]
    figures.told("start to first answer", beside("first answer", "s"))
    figures.at_most("start to first answer, times the SDK floor", ratio("first answer"), 1.0)
    figures.told("resident, idle", beside("idle MB", "MB"))
    more = [a - b for a, b in zip(of("bellhop", "idle MB"), of("sdk", "idle MB"), strict=True)]
    figures.at_most("resident, idle, above the SDK floor", median(more), 15, "MB")
    figures.told(f"resident after {most} sessions", beside("full MB", "MB"))
    figures.at_most(f"resident after {most} sessions", median(of("bellhop", "full MB")), 115, "MB")
    for sessions, _ in plan:
        name = f"{sessions} sessions" if sessions > 1 else "one session"
        figures.told(f"{name}: latency, median", beside(f"median {sessions}", "ms"))
        figures.told(f"{name}: latency, p95", beside(f"p95 {sessions}", "ms"))
        figures.told(f"{name}: turns per second", beside(f"turns/s {sessions}", ""))
        figures.told(f"{name}: CPU per turn", beside(f"cpu {sessions}", "ms"))
        cpu = f"cpu {sessions}"
        figures.at_most(f"{name}: CPU per turn, times the SDK floor", ratio(cpu), 1.0)
        plain = ratio(cpu, "plain")
        figures.at_most(f"{name}: CPU per turn, times the plain script", plain, 1.0)
    figures.at_least(
        f"{most} sessions: turns per second", median(of("bellhop", f"turns/s {most}")), 80
    )
    figures.at_most(f"{most} sessions: p95", median(of("bellhop", f"p95 {most}")), 1_330, "ms")
    figures.told(f"{CROWD} people at once, model of 2 s", beside("crowd", "s"))
    figures.at_most(
        f"{CROWD} people at once, model of 2 s", median(of("bellhop", "crowd")), 4.4, "s"
    )
    back = of("bellhop", "killed")
    figures.at_most(
        "kill -9 in a turn: answered after the restart", median(back), 1.5, "s", spread(back)
    )
    unanswered = sum(one.unanswered for one in passes["bellhop"])
    figures.at_most("unanswered", unanswered, 0)
    return figures


async def compare(plan: Sequence[tuple[int, int]], count: int) -> dict[str, list[Pass]]:
    passes: dict[str, list[Pass]] = {side: [] for side in SIDES}
    for number in range(count):
        for side in SIDES if number % 2 == 0 else reversed(SIDES):
            with model_server() as url:
                passes[side].append(await run(side, url, plan))
    return passes


@contextmanager
def model_server() -> Generator[str]:
    """A loopback model in a process of its own, as it is for nobody else; gives its URL."""
    server: Any = subprocess.Popen(
        [sys.executable, str(HERE / "loopback" / "model_server.py")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield server.stdout.readline().strip()
    finally:
        server.terminate()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=100, help="turns in the single session")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--sessions", default="1,10,100")
    given = parser.parse_args()
    plan = [(count, max(3, given.turns // count)) for count in map(int, given.sessions.split(","))]
    compile_program()
    return judge(asyncio.run(compare(plan, given.passes)), plan).close()


if __name__ == "__main__":
    sys.exit(main())
