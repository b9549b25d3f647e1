"""What the shipped skills add to a start: one question in the terminal, with all and with five.

    python bench/skill_starts.py [--passes 20]

Each pass runs `bellhop chat --once` in two copies of the program, one with all shipped skills and
one with five of them, against a scripted model on loopback. Other programs on the machine make both
slow alike, so what counts is the median of the passes' ratios. Memory is the peak of what is
resident.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bytecode import PROGRAM, compile_program
from figures import Figures, shown

CHECKOUT = PROGRAM.parent
SERVER = Path(__file__).parent / "loopback" / "model_server.py"
FIVE = ("retro", "standup", "triage", "writing-skills", "writing-tools")
MOST_MORE = 5.0
ASKED = "what time is it in Tokyo?"


@dataclass
class Variant:
    """A copy of the program with some skills, and what each start of it took."""

    checkout: Path
    home: Path
    cpu_ms: list[float] = field(default_factory=list[float])
    peak_mb: list[float] = field(default_factory=list[float])

    def start(self) -> None:
        """Ask one thing; keeps CPU milliseconds and the peak of memory in megabytes."""
        command = (sys.executable, "-m", "bot", "--home", str(self.home), "chat", "--once", ASKED)
        told = self.home / "answer.txt"
        with told.open("wb") as out:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, cwd=self.checkout
            )
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0 or "noon" not in told.read_text():
            raise SystemExit(f"no answer: {told.read_text()}")
        self.cpu_ms.append((used.ru_utime + used.ru_stime) * 1e3)
        self.peak_mb.append(used.ru_maxrss / 1024)


def variant(root: Path, url: str, skills: list[Path]) -> Variant:
    """A copy with these skills, and a home that uses the model at `url`; started once."""
    checkout, home = root / "checkout", root / "home"
    home.mkdir(parents=True)
    for name in ("bot", "prompts"):
        shutil.copytree(CHECKOUT / name, checkout / name)
    for folder in skills:
        shutil.copytree(folder, checkout / "skills" / folder.name)
    (home / "bellhop.yaml").write_text(
        f"model: {{provider: compatible, name: bench, base_url: '{url}'}}\n"
        "tools: {shell: {sandbox: none}}\n"
    )
    (home / ".env").write_text("ANTHROPIC_API_KEY=bench\n")
    found = Variant(checkout, home)
    found.start()  # makes the database
    found.cpu_ms.clear()
    found.peak_mb.clear()
    return found


@contextmanager
def model_server() -> Generator[str]:
    process = subprocess.Popen((sys.executable, str(SERVER)), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=20)
    passes = parser.parse_args().passes
    compile_program()
    skills = sorted(path.parent for path in (CHECKOUT / "skills").glob("*/SKILL.md"))
    five = [CHECKOUT / "skills" / name for name in FIVE]
    figures = Figures()
    with tempfile.TemporaryDirectory() as folder, model_server() as url:
        every = variant(Path(folder) / "every", url, skills)
        few = variant(Path(folder) / "few", url, five)
        for number in range(passes):
            for one in (few, every) if number % 2 == 0 else (every, few):
                one.start()
    name = f"{len(skills)} skills add to the"
    for what, unit, base, more in (
        ("CPU", "ms", few.cpu_ms, every.cpu_ms),
        ("peak of memory", "MB", few.peak_mb, every.peak_mb),
    ):
        added = median(100 * (b / a - 1) for a, b in zip(base, more, strict=True))
        least = f"({shown(min(base))} {unit} with {len(five)}, {shown(min(more))} {unit} with all)"
        figures.at_most(f"{name} {what} of one question", added, MOST_MORE, "%", least)
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())
