"""The cost of 10 to 10,000 tool files: loading, changes, toolsets, searches, first request.

    python bench/catalogue.py

Also what a prompt cache serves of a long session (`bench/prefix_cache.py`). Searches know 2,000
past requests, so learning from use is paid for as well.

Files are made up from a fixed list of words with a fixed seed. Searches are measured in thread CPU
time, because a search runs on the event loop and other processes' noise is not its own; the goal is
p95 <= 5 ms at 10,000 tools.
"""

import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import prefix_cache

from bot.domain.access import Role
from bot.domain.database import Database
from bot.domain.models import Unlock
from bot.storage.home import open_database
from bot.testing.harness import running_app
from bot.testing.scripted_model import CAPABILITIES, ScriptedModel, say
from bot.testing.tools import ToolFolder, a_scope, native
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.catalog.past_requests import PastRequests, normalised
from bot.tools.catalog.past_requests_store import Lesson
from bot.tools.toolset.toolset import Toolset

SIZES = (10, 100, 1_000, 10_000)
SEARCHES = 500
GOAL_MS = 5.0
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


def percentiles(times: list[float]) -> str:
    ordered = sorted(times)
    return (
        f"{ordered[len(ordered) // 2] * 1e3:6.2f} / {ordered[int(len(ordered) * 0.95)] * 1e3:6.2f}"
    )


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


async def first_request(folder: Path, mode: Unlock) -> int:
    """Bytes of the first request of a Friend's session on a home that holds these files."""
    tools = folder / "prompts" / "tools" / "shared"
    if not tools.exists():
        tools.parent.mkdir(parents=True)
        (folder / "shipped" / "tools" / "shared").rename(tools)
        for path in await asyncio.to_thread(lambda: list(tools.iterdir())):
            path.write_text(path.read_text() + "## Implementation\nshell: run.sh\n")
        (tools / "run.sh").write_text("cat\n")
        (folder / "contacts.yaml").write_text(
            '- {id: ann, name: Ann, role: Friend, ids: {discord: ["ann"]}}\n'
        )
        (folder / "bellhop.yaml").write_text("tools: {shell: {sandbox: none}}\n")
    model = ScriptedModel([say("Hello.")], capabilities=replace(CAPABILITIES, unlock=mode))
    async with running_app(folder, model) as house:
        await house.ask("ann", "hello", key=f"first:{mode}")
    return len(
        json.dumps(
            prefix_cache.body(model.requests[0]), ensure_ascii=False, separators=(",", ":")
        ).encode()
    )


def used(database: Database, names: list[str], chance: random.Random) -> PastRequests:
    """Past requests of 200 tools."""
    words, weights = vocabulary(random.Random(1))  # noqa: S311 - repeatable, not secret
    past = PastRequests(database)
    for name in chance.sample(names, min(200, len(names))):
        for _ in range(10):
            request = normalised(" ".join(chance.choices(words, weights, k=12)))
            past.learn(Lesson("ann", (name,), (request,)))
    return past


async def measure(count: int) -> bool:
    """Print one line; says whether the goal is met."""
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
        database = await open_database(Path(directory) / "past.db")
        catalog.past = used(database, sorted(natives.handlers(a_scope())), random.Random(3))  # noqa: S311
        toolset = Toolset(catalog, a_scope(Role.FRIEND), natives=natives)
        times = searched(toolset, random.Random(2))  # noqa: S311 - repeatable, not secret
        print(
            f"{count:>6} tools | load {load:5.2f} s, nothing changed {again * 1e3:6.1f} ms, one "
            f"changed {change:5.2f} s"
            f" | first toolset of a role {cold * 1e3:6.1f} ms | "
            + ", ".join(
                f"{kind} p50/p95 {percentiles(values)} ms" for kind, values in times.items()
            )
        )
        await database.close()
        sizes = {mode: await first_request(Path(directory), mode) for mode in Unlock}
        print(
            " " * 13
            + "first request: "
            + ", ".join(f"{mode} {size:,} B" for mode, size in sizes.items())
        )
        return all(
            sorted(values)[int(len(values) * 0.95)] * 1e3 <= GOAL_MS for values in times.values()
        )


async def main() -> int:
    met = [await measure(count) for count in SIZES]
    print(f"goal p95 <= {GOAL_MS:g} ms: {'met' if all(met) else 'MISSED'}")
    missed = await prefix_cache.main()
    return 0 if all(met) and not missed else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
