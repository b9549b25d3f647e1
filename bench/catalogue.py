"""What a catalogue of 10 to 10,000 tools costs: loads, searches, toolsets and first requests.

    python bench/catalogue.py

Searches know 2,000 past requests, so that learning from use is paid for as well.

Files are made up from a fixed list of words with a fixed seed. Searches are measured in thread CPU
time, because a search runs on the event loop and other processes' noise is not its own; the goal is
p95 <= 5 ms at 10,000 tools.
"""

import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from figures import Figures, shown
from first_request import GOAL as GOAL_BYTES
from first_request import endpoint_of, first_bodies, sizes_of

from bot.domain.access import Role
from bot.domain.database import Database
from bot.domain.models import Unlock
from bot.storage.home import open_database
from bot.testing.tools import ToolFolder, a_scope, native
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.catalog.past_requests import PastRequests, normalised
from bot.tools.catalog.past_requests_store import Lesson
from bot.tools.toolset.toolset import Toolset

SIZES = (10, 100, 1_000, 10_000)
SEARCHES = 500
GOAL_MS = 5.0
LISTING_BYTES = 600 * 4
"""What one-liners of a home's own tools may add to a first request, however many tools there are.

The catalogue has room for 600 tokens, of four characters each.
"""
SYLLABLES = (
    "ba",
    "cor",
    "del",
    "fin",
    "gra",
    "hol",
    "ka",
    "lum",
    "mer",
    "no",
    "pri",
    "qua",
    "ri",
    "sen",
    "tu",
    "vo",
)


def vocabulary(chance: random.Random) -> tuple[list[str], list[float]]:
    """2,000 words whose frequencies fall like those of a language."""
    words = sorted(
        {"".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(2_500)}
    )[:2_000]
    chance.shuffle(words)
    return words, [1 / (rank + 10) for rank in range(len(words))]


def write_files(folder: ToolFolder, count: int, chance: random.Random) -> None:
    words, weights = vocabulary(chance)
    for number in range(count):
        name = "_".join(chance.sample(words, 2)) + f"_{number}"
        about = " ".join(chance.choices(words, weights, k=60))
        hint = " ".join(chance.choices(words, weights, k=8))
        access = "## Access\nPartner\n" if chance.random() < 0.3 else ""
        folder.put(
            f"shared/{name}",
            f"# {name}\n## Description\n{about}\n## Parameters\n"
            f'{{"type": "object", "properties": {{"a": {{"type": "string", "description": '
            f'"{hint}"}}}}}}\n{access}',
        )


async def seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    result = action()
    if asyncio.iscoroutine(result):
        await result
    return time.perf_counter() - started


def searched(toolset: Toolset, chance: random.Random) -> dict[str, list[float]]:
    words, weights = vocabulary(random.Random(1))  # noqa: S311 - repeatable, not secret
    times: dict[str, list[float]] = {"query": [], "glob": [], "both": []}
    for _ in range(SEARCHES):
        query = " ".join(chance.choices(words, weights, k=chance.randint(2, 10)))
        pattern = f"*{chance.choice(words)[:4]}*"
        for kind, arguments in {
            "query": (None, query),
            "glob": (pattern, None),
            "both": (pattern, query),
        }.items():
            started = time.thread_time()
            toolset.search(*arguments)
            times[kind].append(time.thread_time() - started)
    return times


async def a_home(folder: Path) -> Path:
    """A home that holds these files, each served by one script."""
    tools = folder / "prompts" / "tools" / "shared"
    tools.parent.mkdir(parents=True)
    (folder / "shipped" / "tools" / "shared").rename(tools)
    for path in await asyncio.to_thread(lambda: list(tools.iterdir())):
        path.write_text(f"{path.read_text().rstrip()}\n## Implementation\nshell: run.sh\n")
    (tools / "run.sh").write_text("cat\n")
    (folder / "bellhop.yaml").write_text("tools: {shell: {sandbox: none}}\n")
    return folder


def used(database: Database, names: list[str], chance: random.Random) -> PastRequests:
    """Past requests of 200 tools."""
    words, weights = vocabulary(random.Random(1))  # noqa: S311 - repeatable, not secret
    past = PastRequests(database)
    for name in chance.sample(names, min(200, len(names))):
        for _ in range(10):
            request = normalised(" ".join(chance.choices(words, weights, k=12)))
            past.learn(Lesson("ann", (name,), (request,)))
    return past


async def measure(count: int, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as directory:
        folder = ToolFolder(Path(directory))
        write_files(folder, count, random.Random(1))  # noqa: S311 - repeatable, not secret
        catalog: ToolCatalog = folder.catalog()
        load = await seconds(catalog.load)
        again = await seconds(catalog.reload_changed)
        folder.put("shared/changed")
        change = await seconds(catalog.reload_changed)
        natives = native(*{tool.definition.name for tool in catalog.snapshot.tools})
        cold = await seconds(lambda: Toolset(catalog, a_scope(Role.FRIEND), natives=natives))
        name = f"{count:,} tools"
        figures.told(
            f"{name}: load, nothing changed, one changed",
            f"{load:.2f} s, {again * 1e3:.0f} ms, {change * 1e3:.0f} ms",
        )
        figures.told(f"{name}: first toolset of a role", f"{cold * 1e3:.1f} ms")
        database = await open_database(Path(directory) / "past.db")
        catalog.past = used(database, sorted(natives.handlers(a_scope())), random.Random(3))  # noqa: S311
        toolset = Toolset(catalog, a_scope(Role.FRIEND), natives=natives)
        for kind, times in searched(toolset, random.Random(2)).items():  # noqa: S311 - see above
            ordered = sorted(value * 1e3 for value in times)
            more = f"(median {shown(ordered[len(ordered) // 2])})"
            p95 = ordered[int(len(ordered) * 0.95)]
            figures.at_most(f"{name}: search by {kind}, p95", p95, GOAL_MS, "ms", more)
        await database.close()
        home = await a_home(Path(directory))
        for mode in Unlock:
            shutil.rmtree(home / "data", ignore_errors=True)
            sizes = sizes_of(await first_bodies(endpoint_of("anthropic", mode), home))
            role = max(sizes, key=lambda role: sizes[role])
            more = f"({role}; {', '.join(f'{one} {size:,}' for one, size in sizes.items())})"
            most = GOAL_BYTES + LISTING_BYTES
            figures.at_most(f"{name}: first request, {mode}", sizes[role], most, "bytes", more)


async def main() -> int:
    figures = Figures()
    for count in SIZES:
        await measure(count, figures)
    return figures.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
