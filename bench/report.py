"""Runs the benches and writes docs/performance.md: `python bench/report.py [NAME ...]`.

Without names it runs all of them, which takes hours; with names it renews their parts of the page.
Exits with 1 where a bench failed or missed a goal.
"""

import argparse
import ast
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from figures import KEPT_IN, Figure

HERE = Path(__file__).parent
BY_NAME_ALONE = ("embedding_server", "skill_meaning")
"""What runs only where it is named: a server, and what needs one."""
PAGE = HERE.parent / "docs" / "performance.md"
FIRST = ("platforms", "turn", "fairness", "starts", "engine", "growth")
"""What people ask first; the others follow by name."""
INTRODUCTION = """# Performance

For whoever chooses a machine for Bellhop, or makes it faster. `make bench` writes this page;
`python bench/report.py NAME` renews one part. All figures come from loopback servers on one
machine, so compare those of one part, and ratios rather than times. A load above the number of
cores means that others used the machine meanwhile: seconds then say little, CPU and bytes still do.
"""


@dataclass(frozen=True)
class Run:
    """One bench that has ended."""

    name: str
    seconds: float
    status: int
    figures: tuple[Figure, ...]
    load: float


def names() -> list[str]:
    """Every bench there is."""
    found = [
        path.stem
        for path in sorted(HERE.glob("*.py"))
        if path != Path(__file__) and 'if __name__ == "__main__"' in path.read_text()
    ]
    return [*(name for name in FIRST if name in found), *(n for n in found if n not in FIRST)]


def every() -> list[str]:
    """What runs without a name."""
    return [name for name in names() if name not in BY_NAME_ALONE]


def run(name: str) -> Run:
    print(f"== {name}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "figures.json"
        began, load = time.perf_counter(), os.getloadavg()[0]
        done = subprocess.run(
            [sys.executable, str(HERE / f"{name}.py")],
            env={**os.environ, KEPT_IN: str(kept)},
            check=False,
        )
        seconds = time.perf_counter() - began
        found: list[Any] = json.loads(kept.read_text()) if kept.exists() else []
    figures = tuple(Figure(**one) for one in found)
    return Run(name, seconds, done.returncode, figures, load)


def part(found: Run) -> str:
    """The part of the page about one bench."""
    text = (HERE / f"{found.name}.py").read_text()
    about = (ast.get_docstring(ast.parse(text)) or "").split("\n")
    verdict = "goals met" if found.status == 0 else "goals missed"
    day = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    lines = [
        f"## {found.name}",
        "",
        about[0].split(": `python")[0].rstrip(".") + ".",
        "",
        textwrap.fill(
            f"{verdict.capitalize()}. {day}, commit {commit()}, {found.seconds:,.0f} s, load "
            f"{found.load:.1f} on {machine()}.",
            100,
        ),
    ]
    if found.figures:
        lines += ["", "| | measured | goal | |", "|---|---|---|---|", *map(row, found.figures)]
    return "\n".join(lines) + "\n"


def row(figure: Figure) -> str:
    verdict = "" if figure.met is None else "met" if figure.met else "**missed**"
    return f"| {figure.what} | {figure.measured} | {figure.goal} | {verdict} |"


def commit() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE).stdout[:8]


def machine() -> str:
    """Processor, cores and Python, in a few words."""
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    name = " ".join(found[1].split()) if found else platform.machine()
    return f"{os.cpu_count()} cores of {name}, Python {platform.python_version()}"


def write(runs: list[Run]) -> None:
    """Put these parts into the page; those of other benches stay."""
    text = PAGE.read_text() if PAGE.exists() else ""
    parts = {
        found.split("\n", 1)[0]: f"## {found}".rstrip() + "\n" for found in text.split("\n## ")[1:]
    }
    parts |= {found.name: part(found) for found in runs}
    order = [name for name in names() if name in parts]
    PAGE.write_text("\n".join([INTRODUCTION, *(parts[name] for name in order)]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*names(), []], help="benches, default all")
    runs: list[Run] = []
    for name in parser.parse_args().names or every():
        runs.append(run(name))
        write(runs)
    missed = [found.name for found in runs if found.status]
    if missed:
        sys.stderr.write(f"Goals missed: {' '.join(missed)}\n")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
