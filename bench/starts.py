"""What large homes add to a start, and whether an edit of their files holds up a turn.

    python bench/starts.py [--passes 3]

Starts are whole processes, in alternating order; CPU until the HTTP server answers, medians of the
passes. Edits happen in a running home while people talk. Judged is what an edit adds to the longest
turn, because other programs on the machine make turns long as well.
"""

import argparse
import asyncio
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import catalogue
import uvloop
from bytecode import compile_program
from figures import Figures, shown, spread

from bot.cli.heap import freeze_start
from bot.testing.fake_chat import FakeChat
from bot.testing.free_port import free_port
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.tools import ToolFolder

TOOLS, PEOPLE = 10_000, 2_000
TICKS = os.sysconf("SC_CLK_TCK")
EDITS = 5
LONGEST_MS = 50.0
TALKING = 3


def person(number: int, name: str = "Person") -> str:
    return (
        f"- id: person-{number}\n  name: {name} {number}\n  role: Friend\n"
        f"  timezone: Europe/Berlin\n"
        f"  email: p{number}@example.org\n  ids:\n    discord: ['{10**17 + number}']\n"
        f"    slack: ['T0123:U{number:05}']\n"
    )


async def fill(home: Path, kind: str) -> None:
    if kind == "tools":
        catalogue.write_files(ToolFolder(home), TOOLS, random.Random(1))  # noqa: S311 - repeatable
        await catalogue.a_home(home)
    if kind == "people":
        (home / "contacts.yaml").write_text("".join(map(person, range(PEOPLE))))


def started(home: Path) -> tuple[float, float]:
    """CPU seconds of a start, and megabytes resident one second later."""
    port = free_port()
    (home / "bellhop.yaml").write_text(
        f"tools: {{shell: {{sandbox: none}}}}\nconsole: {{port: {port}}}\n"
    )
    quiet = subprocess.DEVNULL
    command = [sys.executable, "-m", "bot", "--home", str(home), "run"]
    process = subprocess.Popen(command, stdout=quiet, stderr=quiet)
    try:
        while not _answers(port):
            if process.poll() is not None:
                raise SystemExit(f"the program ended with {process.returncode}")
            time.sleep(0.01)
        fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        time.sleep(1)
        status = Path(f"/proc/{process.pid}/status").read_text()
        resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return (int(fields[11]) + int(fields[12])) / TICKS, int(resident.split()[1]) / 1024
    finally:
        process.kill()
        process.wait()


def _answers(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def homes() -> Generator[dict[str, Path]]:
    with tempfile.TemporaryDirectory() as folder:
        found = {kind: Path(folder) / kind for kind in ("empty", "tools", "people")}
        for kind, home in found.items():
            home.mkdir()
            asyncio.run(fill(home, kind))
        yield found


def starts(figures: Figures, passes: int) -> None:
    with homes() as found:
        cpu: dict[str, list[float]] = {kind: [] for kind in found}
        memory: dict[str, list[float]] = {kind: [] for kind in found}
        for number in range(passes):
            for kind in found if number % 2 == 0 else reversed(found):
                seconds, megabytes = started(found[kind])
                cpu[kind].append(seconds)
                memory[kind].append(megabytes)
    empty = cpu["empty"]
    figures.told("start of an empty home, CPU", f"{shown(median(empty))} s {spread(empty)}")

    def added(found: dict[str, list[float]], kind: str) -> list[float]:
        return [a - b for a, b in zip(found[kind], found["empty"], strict=True)]

    tools, megabytes = added(cpu, "tools"), added(memory, "tools")
    name = f"{TOOLS:,} tools add to"
    figures.at_most(f"{name} the start, CPU", median(tools), 1.0, "s", spread(tools))
    figures.at_most(f"{name} memory", median(megabytes), 30.0, "MB", spread(megabytes))
    people, megabytes = added(cpu, "people"), added(memory, "people")
    name = f"{PEOPLE:,} contacts add to"
    figures.told(f"{name} the start, CPU", f"{shown(median(people))} s {spread(people)}")
    figures.told(f"{name} memory", f"{shown(median(megabytes))} MB {spread(megabytes)}")


class Talk:
    """A few people who say one thing after the other; remembers the longest turn."""

    def __init__(self, house: Harness) -> None:
        self._house = house
        self.longest_ms = 0.0

    async def person(self, name: str) -> None:
        while True:
            began = time.perf_counter()
            await self._house.ask_own(name, "hello")
            self.longest_ms = max(self.longest_ms, (time.perf_counter() - began) * 1000)


async def edits(
    figures: Figures, what: str, kind: str, edited: Callable[[Path], list[tuple[Path, str]]]
) -> None:
    """The longest turn beside each edit, and beside none for as long."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        await fill(home, kind)
        versions = edited(home)  # before people talk: the editor works in another process
        settings = home / "bellhop.yaml"
        settings.write_text(
            "tools: {shell: {sandbox: none}}\n"
            "budgets: {per_guest_day: {model_calls: 0}, strangers_day: {model_calls: 0}}\n"
        )
        model = ScriptedModel([say("Hello.")] * 100_000)
        async with running_app(home, model, FakeChat()) as house:
            await house.until_idle()
            freeze_start()  # as the program does
            talk = Talk(house)
            people = [asyncio.create_task(talk.person(f"p{n}")) for n in range(TALKING)]
            await asyncio.sleep(3)
            quiet: list[float] = []
            beside: list[float] = []
            for path, text in versions:
                talk.longest_ms = 0.0
                await asyncio.sleep(2)
                quiet.append(talk.longest_ms)
                talk.longest_ms = 0.0
                path.write_text(text)
                await asyncio.sleep(2)
                beside.append(talk.longest_ms)
            for task in people:
                task.cancel()
            await asyncio.gather(*people, return_exceptions=True)
    added = [a - b for a, b in zip(beside, quiet, strict=True)]
    more = f"{spread(added)}; without an edit {shown(median(quiet))} {spread(quiet)}"
    name = f"an edit of {what} adds to the longest turn"
    figures.at_most(name, median(added), LONGEST_MS, "ms", more)


def edited_contacts(home: Path) -> list[tuple[Path, str]]:
    def text(number: int) -> str:
        one = (person(at, "Edited" if at == number else "Person") for at in range(PEOPLE))
        return "".join(one)

    return [(home / "contacts.yaml", text(number)) for number in range(EDITS)]


def edited_tools(home: Path) -> list[tuple[Path, str]]:
    paths = sorted((home / "prompts" / "tools" / "shared").glob("*.md"))[:EDITS]
    old, new = "## Description\n", "## Description\nedited "
    return [(path, path.read_text().replace(old, new)) for path in paths]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=3)
    given = parser.parse_args()
    compile_program()
    figures = Figures()
    starts(figures, given.passes)
    uvloop.run(edits(figures, f"{PEOPLE:,} contacts", "people", edited_contacts))
    uvloop.run(edits(figures, f"one of {TOOLS:,} tools", "tools", edited_tools))
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())
