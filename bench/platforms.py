"""A warm turn with a tool on loopback Discord, against a bare discord.py + anthropic script.

    python bench/platforms.py [--turns 100] [--sessions 1,10,100]

The loopback Discord and the people live in this process, the loopback model in another, the
measured bot in a third. Latency is from a person's message to the visible answer; CPU and memory
are the measured process's own.

Both sides do the same per turn: one message in a DM, a streamed sample that calls current_time, its
result, a streamed sample with the answer, one post of the answer. Both send the whole conversation
so far with each sample, since neither has a reason to shorten it (`context_tokens`). Only Bellhop
has its prompt and tools (11 KB per request), roles, and everything on disk before it continues. Its
pace for Discord's 50 calls a second is off here, as the bare script has none and the loopback
platform sets no such limit. The bare script keeps lists in memory and forgets them when it ends.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bot.loopback.discord import Channel, DiscordPlatform, Person

HERE = Path(__file__).parent
TICKS = os.sysconf("SC_CLK_TCK")
GOALS = (
    "goals: at most 1.5 in CPU and 2 in latency, 80 turns/s at 100 sessions, nothing unanswered, "
    "130 MB"
)


@dataclass(frozen=True)
class Row:
    sessions: int
    turns: int
    cpu_ms: float
    median_ms: float
    p95_ms: float
    per_s: float
    memory_mb: float
    unanswered: int


class Measured:
    """A bot in a process of its own."""

    def __init__(self, command: list[str], env: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command, env={**os.environ, **env}, stderr=subprocess.DEVNULL
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

    async def ask(self, number: int) -> float:
        """One message and its answer; seconds. Raises TimeoutError when nothing comes."""
        person, channel = self.person(number)
        before = _answers(person, channel)
        started = time.perf_counter()
        person.say(channel, "what time is it?")
        await self._platform.until(lambda: _answers(person, channel) > before)
        return time.perf_counter() - started


def _answers(person: Person, channel: Channel) -> int:
    """Whole answers that are visible; a draft that grows is none yet."""
    return sum(message.content.endswith("answers you.") for message in person.sees(channel))


async def measure(town: Town, bot: Measured, sessions: int, turns: int) -> Row:
    await asyncio.gather(*(town.ask(number) for number in range(sessions)))
    walls: list[float] = []
    unanswered = 0

    async def person(number: int) -> None:
        nonlocal unanswered
        for _ in range(turns):
            try:
                walls.append(await town.ask(number))
            except TimeoutError:
                unanswered += 1

    cpu, wall = bot.cpu_s(), time.perf_counter()
    await asyncio.gather(*(person(number) for number in range(sessions)))
    cpu, wall = bot.cpu_s() - cpu, time.perf_counter() - wall
    done = len(walls)
    p95 = quantiles(walls, n=20)[-1] * 1000
    return Row(
        sessions,
        done,
        cpu / done * 1000,
        median(walls) * 1000,
        p95,
        done / wall,
        bot.memory_mb(),
        unanswered,
    )


async def run(name: str, model_url: str, plan: list[tuple[int, int]]) -> tuple[float, list[Row]]:
    async with DiscordPlatform() as platform:
        platform.guild()
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            bot = start(name, platform, model_url, Path(folder))
            try:
                town = Town(platform)
                await platform.ready()
                ready = time.perf_counter() - began
                return ready, [
                    await measure(town, bot, sessions, turns) for sessions, turns in plan
                ]
            finally:
                bot.stop()


def start(name: str, platform: DiscordPlatform, model_url: str, home: Path) -> Measured:
    if name == "bare":
        env = {
            "MODEL_URL": model_url,
            "API_BASE": platform.api_base,
            "GATEWAY_URL": platform.gateway_url,
        }
        return Measured(
            [sys.executable, str(HERE / "loopback" / "bare_bot.py"), platform.options.token], env
        )
    (home / "bellhop.yaml").write_text(
        f"model: {{provider: compatible, name: bench, base_url: '{model_url}', context_tokens: "
        f"1000000}}\n"
        f"discord: {{enabled: true, api_base: '{platform.api_base}', gateway_url: "
        f"'{platform.gateway_url}',"
        " calls_per_s: 1000}\n"
        "sessions: {idle_minutes: 600}\n"
        "budgets: {per_guest_day_model_calls: 0, strangers_day_model_calls: 0}\n"
    )
    env = {"DISCORD_TOKEN": platform.options.token, "ANTHROPIC_API_KEY": "bench"}
    return Measured([sys.executable, "-m", "bot", "--home", str(home), "run"], env)


def report(name: str, ready: float, rows: list[Row]) -> None:
    print(f"{name}: start to ready {ready:.2f} s")
    for row in rows:
        print(
            f"  {row.sessions:>4} sessions, {row.turns:>5} turns: cpu {row.cpu_ms:6.1f} ms, "
            f"latency median"
            f" {row.median_ms:7.1f} p95 {row.p95_ms:7.1f} ms, {row.per_s:6.1f} turns/s, "
            f"{row.memory_mb:6.1f} MB,"
            f" unanswered {row.unanswered}"
        )


async def compare(plan: list[tuple[int, int]], model_url: str) -> None:
    ready, ours = await run("bellhop", model_url, plan)
    report("bellhop", ready, ours)
    ready, theirs = await run("bare", model_url, plan)
    report("bare discord.py + anthropic script", ready, theirs)
    for mine, other in zip(ours, theirs, strict=True):
        print(
            f"  {mine.sessions:>4} sessions: ratio cpu {mine.cpu_ms / other.cpu_ms:.2f},"
            f" latency {mine.median_ms / other.median_ms:.2f}"
        )
    print(GOALS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=100, help="turns in the single session")
    parser.add_argument("--sessions", default="1,10,100")
    given = parser.parse_args()
    plan = [(count, max(3, given.turns // count)) for count in map(int, given.sessions.split(","))]
    server: Any = subprocess.Popen(
        [sys.executable, str(HERE / "loopback" / "model_server.py")],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        asyncio.run(compare(plan, server.stdout.readline().strip()))
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
