"""Own cost of a warm turn with one tool call, against the same turn by a bare script, in one run.

    python bench/turn.py [--turns 200] [--sessions 1,10,100] [--quick]

Exits with 1 where a goal is missed. The window is so large that no turn is a summary's.

Three processes: the loopback model server, Bellhop (the real client, database and journal, a fake
chat), and the bare script (the anthropic SDK and a list). CPU is process time of the measured
process alone.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

from figures import Figures

MOST_CPU = 1.0
"""How many times the CPU of a bare script's turn one of Bellhop's may take."""
MOST_GROWTH = 1.2
"""Maximum growth from the first to the last tenth of turns, relative to the bare script."""
MOST_RESIDENT_MB = 130


def resident_mb() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


async def measure(
    ask: Callable[[int], Awaitable[None]], sessions: int, turns: int
) -> dict[str, Any]:
    """`turns` turns in each of `sessions` parallel sessions; wall time as the person sees it.

    The first and the last tenth are those of each session: of all turns, the first to end are those
    of the sessions that happen to be served first.
    """
    for session in range(sessions):
        await ask(session)
    walls: list[list[float]] = [[] for _ in range(sessions)]

    async def person(session: int) -> None:
        for _ in range(turns):
            started = time.perf_counter()
            await ask(session)
            walls[session].append((time.perf_counter() - started) * 1000)

    cpu, wall = time.process_time(), time.perf_counter()
    await asyncio.gather(*(person(session) for session in range(sessions)))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    count, tenth = sessions * turns, max(1, turns // 10)
    return {
        "sessions": sessions,
        "turns": count,
        "cpu_ms": round(cpu / count * 1000, 2),
        "wall_ms": round(median(chain(*walls)), 2),
        "first_tenth_ms": round(median(chain(*(of_one[:tenth] for of_one in walls))), 2),
        "last_tenth_ms": round(median(chain(*(of_one[-tenth:] for of_one in walls))), 2),
        "turns_per_s": round(count / wall, 1),
        "resident_mb": round(resident_mb(), 1),
    }


async def bellhop(url: str, plan: list[tuple[int, int]]) -> list[dict[str, Any]]:
    began = time.perf_counter()
    from bot.testing.fake_chat import FakeChat  # noqa: PLC0415 - the import is part of what is measured
    from bot.testing.harness import running_app  # noqa: PLC0415

    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "bellhop.yaml").write_text(
            f"model: {{provider: compatible, name: bench, base_url: '{url}', context_tokens: "
            f"1000000}}\n"
            "sessions: {idle_minutes: 600}\n"
            "budgets: {per_guest_day: {model_calls: 0}, strangers_day: {model_calls: 0}}\n"
        )
        (home / ".env").write_text("ANTHROPIC_API_KEY=bench\n")
        chat = FakeChat()
        async with running_app(home, None, chat) as house:
            ready = time.perf_counter() - began
            rows.append({"ready_s": round(ready, 2), "resident_mb": round(resident_mb(), 1)})

            async def ask(session: int) -> None:
                await house.ask_own(f"p{session}", "what time is it?")

            for sessions, turns in plan:
                rows.append(await measure(ask, sessions, turns))
    return rows


async def bare(url: str, plan: list[tuple[int, int]]) -> list[dict[str, Any]]:
    began = time.perf_counter()
    import anthropic  # noqa: PLC0415 - the import is part of what is measured

    client = anthropic.AsyncAnthropic(api_key="bench", base_url=url, max_retries=0)
    tool: Any = {
        "name": "current_time",
        "description": "The time.",
        "input_schema": {"type": "object"},
    }
    histories: dict[int, list[Any]] = {}

    async def sample(messages: list[Any]) -> Any:
        async with client.messages.stream(
            model="bench", max_tokens=1000, messages=messages, tools=[tool], system="Be brief."
        ) as stream:
            return await stream.get_final_message()

    async def ask(session: int) -> None:
        messages = histories.setdefault(session, [])
        messages.append({"role": "user", "content": "what time is it?"})
        reply = await sample(messages)
        messages.append(
            {"role": "assistant", "content": [block.to_dict() for block in reply.content]}
        )
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": time.ctime()}
            for block in reply.content
            if block.type == "tool_use"
        ]
        messages.append({"role": "user", "content": results})
        final = await sample(messages)
        messages.append(
            {"role": "assistant", "content": [block.to_dict() for block in final.content]}
        )

    rows: list[dict[str, Any]] = [
        {"ready_s": round(time.perf_counter() - began, 2), "resident_mb": round(resident_mb(), 1)}
    ]
    rows += [await measure(ask, sessions, turns) for sessions, turns in plan]
    return rows


def run_role(role: str, url: str, plan: list[tuple[int, int]]) -> list[dict[str, Any]]:
    command = [sys.executable, __file__, "--role", role, "--url", url, "--plan", json.dumps(plan)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=200, help="turns in the single session")
    parser.add_argument("--sessions", default="1,10,100")
    parser.add_argument("--quick", action="store_true", help="20 turns, and 10 sessions at most")
    parser.add_argument("--role", choices=("bellhop", "bare"))
    parser.add_argument("--url", default="")
    parser.add_argument("--plan", default="[]")
    given = parser.parse_args()
    if given.role:
        work = bellhop if given.role == "bellhop" else bare
        print(json.dumps(asyncio.run(work(given.url, json.loads(given.plan)))))
        return
    turns, sessions = (20, "1,10") if given.quick else (given.turns, given.sessions)
    plan = [(count, max(3, turns // count)) for count in map(int, sessions.split(","))]
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / "loopback" / "model_server.py")],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        ours, theirs = run_role("bellhop", url, plan), run_role("bare", url, plan)
        report(ours, theirs)
    finally:
        server.terminate()
    sys.exit(judged(ours[1:], theirs[1:]).close())


def report(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> None:
    print(f"start to ready: bellhop {ours[0]['ready_s']} s ({ours[0]['resident_mb']} MB),"
          f" bare script {theirs[0]['ready_s']} s ({theirs[0]['resident_mb']} MB)")  # fmt: skip
    head = (
        "sessions",
        "turns",
        "cpu_ms",
        "wall_ms",
        "first_tenth_ms",
        "last_tenth_ms",
        "turns_per_s",
        "resident_mb",
    )
    print("        " + "".join(f"{name:>15}" for name in head))
    for mine, other in zip(ours[1:], theirs[1:], strict=True):
        print("bellhop " + "".join(f"{mine[name]:>15}" for name in head))
        print("bare    " + "".join(f"{other[name]:>15}" for name in head))
        print(
            f"ratio   cpu {mine['cpu_ms'] / other['cpu_ms']:.2f}, wall "
            f"{mine['wall_ms'] / other['wall_ms']:.2f},"
            f" own overhead {mine['wall_ms'] - other['wall_ms']:.1f} ms"
        )


def judged(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> Figures:
    figures = Figures()
    for mine, other in zip(ours, theirs, strict=True):
        name = f"{mine['sessions']} sessions"
        cpu = mine["cpu_ms"] / other["cpu_ms"]
        more = f"({mine['cpu_ms']} and {other['cpu_ms']} ms)"
        figures.at_most(f"{name}: CPU, times the bare script", cpu, MOST_CPU, more=more)
        growth = grown(mine) / max(1.0, grown(other))
        figures.at_most(f"{name}: the last turns, times the first", growth, MOST_GROWTH)
        figures.at_most(f"{name}: resident", mine["resident_mb"], MOST_RESIDENT_MB, "MB")
        figures.told(f"{name}: turns per second", f"{mine['turns_per_s']}")
    return figures


def grown(row: dict[str, Any]) -> float:
    return row["last_tenth_ms"] / row["first_tenth_ms"]


if __name__ == "__main__":
    main()
