"""The cost of 1,000 skills: start-up, prompt bytes, reloading one, auditing an import.

    python bench/skills.py

Skills are made up from a fixed list of words with a fixed seed. The goals: 1,000 skills load in
under 1 s, their bytes in a session's first request do not grow with their number, and a changed
file is read in under 100 ms. Times are CPU time, except the time until the app is open.
"""

import asyncio
import json
import logging
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from figures import Figures

from bot.skills.library import SkillLibrary
from bot.testing.harness import running_app
from bot.testing.import_home import ADMIN, ImportHome
from bot.testing.scripted_model import ScriptedModel, say

SIZES = (10, 100, 1_000)
WORDS = (
    "report",
    "week",
    "channel",
    "notes",
    "customer",
    "draft",
    "plan",
    "budget",
    "release",
    "table",
    "meeting",
    "list",
)
EQUALLY_LONG = [word for word in WORDS if len(word) == 5]
"""For descriptions: what a prompt lists of them must not depend on chance."""
LOAD_S, RELOAD_MS = 1.0, 100.0


def made_up(number: int, chance: random.Random) -> str:
    about = " ".join(chance.choices(EQUALLY_LONG, k=24))
    steps = "\n".join(f"{step}. {' '.join(chance.choices(WORDS, k=20))}." for step in range(1, 30))
    return (
        f"---\nname: skill-{number}\ndescription: Use it for {about}.\ncommand: "
        f"skill_{number}\n---\n{steps}\n"
    )


def write(root: Path, count: int) -> None:
    chance = random.Random(1)  # noqa: S311 - repeatable, not secret
    for number in range(count):
        folder = root / f"skill-{number}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(made_up(number, chance))


async def seconds(action: Callable[[], Awaitable[object]]) -> float:
    """CPU time of this process, threads included: other processes' noise is not ours."""
    started = time.process_time()
    await action()
    return time.process_time() - started


async def prompt_bytes(home: Path) -> tuple[float, int]:
    """Seconds until the app is open, and the bytes of the first request's system part."""
    model = ScriptedModel([say("Hello.")])
    started = time.perf_counter()
    async with running_app(home, model) as house:
        opened = time.perf_counter() - started
        await house.ask("somebody", "Hello")
    return opened, len(json.dumps([model.requests[0].system, model.requests[0].tools]).encode())


async def measure(count: int, figures: Figures) -> int:
    """Bytes of the first request."""
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        write(home / "skills", count)
        library = SkillLibrary([home / "skills"])
        load = await seconds(library.load)
        still = await seconds(library.reload_changed)
        changed = home / "skills" / "skill-0" / "SKILL.md"
        changed.write_text(changed.read_text() + "31. One more.\n")
        change = await seconds(library.reload_changed)
        opened, size = await prompt_bytes(home)
        name = f"{count:,} skills"
        figures.at_most(f"{name}: load", load, LOAD_S, "s")
        more = f"(nothing changed {still * 1e3:.1f} ms)"
        figures.at_most(f"{name}: one changed", change * 1e3, RELOAD_MS, "ms", more)
        figures.told(f"{name}: app open after", f"{opened * 1e3:.0f} ms")
        figures.told(f"{name}: system and tools of a first request", f"{size:,} bytes")
        return size


async def imports(count: int, figures: Figures) -> None:
    """What staging costs: read, audit, write anew, each skill with its files and provenance."""
    with tempfile.TemporaryDirectory() as directory:
        source, path = Path(directory) / "source", Path(directory) / "home"
        path.mkdir()
        write(source, count)
        home = ImportHome(path)
        first = await seconds(lambda: home.take(source))
        again = await seconds(lambda: home.take(source))
        approve = await seconds(lambda: home.desk.approve(ADMIN, "skill-0"))
        figures.told(
            f"import of {count} skills",
            f"{first * 1e3 / count:.1f} ms each, again {again * 1e3 / count:.1f} ms each,"
            f" one approval {approve * 1e3:.1f} ms",
        )


async def main() -> int:
    logging.disable(logging.WARNING)
    figures = Figures()
    sizes = [await measure(count, figures) for count in SIZES]
    await imports(200, figures)
    what = f"bytes of a first request that {SIZES[-1]:,} skills add to those of {SIZES[1]}"
    figures.at_most(what, max(sizes[1:]) - min(sizes[1:]), len(str(SIZES[-1])))
    return figures.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
