"""Whether people wait for each other: `python bench/fairness.py`.

Exits with 1 where a goal is missed.

A whole Bellhop with a fake chat and a model that takes its time. Measured are a crowd that writes
at once (each turn has two model calls of `--model-s` seconds, with a tool call between them),
people who write while 40 requests to the model are stalled, people who write while one person
floods 2,000 threads, one message after the other or all at once, and people who write while 10,000
old turns are purged.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import uvloop

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from figures import Figures

from bot.clock import SystemClock
from bot.domain.database import Unit, Write
from bot.domain.messages import Place
from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.sessions.upkeep.housekeeping import Purging
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say

SETTINGS = "budgets: {per_guest_day: {model_calls: 0}, strangers_day: {model_calls: 0}}\n"
CROWDS = ((50, 4.4), (300, 6.0))
"""People at once, and seconds to the last answer, with a model of two seconds."""
BYSTANDERS = 20
PASSES = 3
"""The one in the middle counts: a machine that others use has spikes."""
QUIET_TIMES = 2.0
"""How many times its quiet value the p95 of bystanders may be."""
FLOOD = 2_000
STALLED = 40
OLD = 10_000
PURGE = f"beside a purge of {OLD:,}"
LASTING = {PURGE}
"""What must still be under way when the last bystander is answered, or it measures nothing."""
FLOOR_S = 0.25
"""Below this nobody notices a difference, and a loaded machine makes one."""


class SlowModel(ScriptedModel):
    """Calls a tool, then answers. Requests of `stalling` people never end."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds
        self.never = asyncio.Event()

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        last = str(request.messages[-4:])
        if "stall" in last:
            await self.never.wait()
        await asyncio.sleep(self.seconds)
        return say("An answer.") if "tool_result" in last else call("current_time", {})


@dataclass(frozen=True)
class Waits:
    """How long people waited for their answers, in seconds."""

    seconds: Sequence[float]

    def at(self, share: float) -> float:
        return sorted(self.seconds)[min(len(self.seconds) - 1, int(len(self.seconds) * share))]

    def __str__(self) -> str:
        return f"median {self.at(0.5):.2f}, p95 {self.at(0.95):.2f}, last {max(self.seconds):.2f} s"


@asynccontextmanager
async def house(seconds: float) -> AsyncGenerator[Harness]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "bellhop.yaml").write_text(SETTINGS)
        model = SlowModel(seconds)
        async with running_app(home, model, FakeChat()) as running:
            await running.until_idle()
            await running.ask_own("warm", "hello")
            yield running
            model.never.set()


async def crowd(running: Harness, names: Sequence[str]) -> Waits:
    async def ask(name: str) -> float:
        began = time.perf_counter()
        await running.ask_own(name, "what time is it?")
        return time.perf_counter() - began

    return Waits(await asyncio.gather(*(ask(name) for name in names)))


async def crowds(figures: Figures, seconds: float) -> None:
    for people, goal in CROWDS:
        async with house(seconds) as running:
            waits = await crowd(running, [f"p{number}" for number in range(people)])
        # The goals are for two seconds; what a turn adds to its two calls stays the same.
        allowed = goal - 4.0 + 2 * seconds
        figures.at_most(
            f"{people} people at once: the last answer",
            max(waits.seconds),
            allowed,
            "s",
            f"({waits})",
        )


async def nothing(_running: Harness) -> None:
    """The house needs no preparation."""


async def beside(
    figures: Figures,
    seconds: float,
    what: str,
    disturb: Callable[[Harness], "asyncio.Task[None]"],
    prepare: Callable[[Harness], Awaitable[None]] = nothing,
    floor_s: float = FLOOR_S,
) -> None:
    """Bystanders in a quiet house, then beside what disturbs it."""
    async with house(seconds) as running:
        await prepare(running)
        await running.ask_own("warm", "hello")  # the first one meets an index that has to catch up
        quiet = await crowd(running, [f"q{number}" for number in range(BYSTANDERS)])
        disturbing = disturb(running)
        await asyncio.sleep(1)
        passes = [
            await crowd(running, [f"b{turn}-{number}" for number in range(BYSTANDERS)])
            for turn in range(PASSES)
        ]
        waits = sorted(passes, key=lambda one: one.at(0.95))[PASSES // 2]
        if disturbing.done() and what in LASTING:
            raise SystemExit(f"{what}: it was over before the bystanders were")
        disturbing.cancel()
        await asyncio.gather(disturbing, return_exceptions=True)
        allowed = max(quiet.at(0.95) * QUIET_TIMES, quiet.at(0.95) + floor_s)
        more = f"({waits}; without it {quiet})"
        figures.at_most(f"{what}: p95", waits.at(0.95), allowed, "s", more)


def stalled(running: Harness) -> "asyncio.Task[None]":
    async def work() -> None:
        for number in range(STALLED):
            await running.chat.say(f"stalled{number}", "stall")

    return asyncio.create_task(work())


def flood(running: Harness) -> "asyncio.Task[None]":
    async def work() -> None:
        for number in range(FLOOD):
            await running.chat.say(
                "flood", "what time is it?", where=f"flood{number}", place=Place.THREAD
            )

    return asyncio.create_task(work())


def burst(running: Harness) -> "asyncio.Task[None]":
    """All at once, as a platform delivers what came in many channels."""

    async def work() -> None:
        threads = [f"burst{number}" for number in range(FLOOD)]
        say = running.chat.say
        await asyncio.gather(
            *(say("flood", "what time is it?", where=one, place=Place.THREAD) for one in threads)
        )

    return asyncio.create_task(work())


async def old_turns(running: Harness) -> None:
    """What years leave behind: settled turns with their steps and messages."""
    counted = "WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ?)"
    at = "strftime('%Y-%m-%dT%H:%M:%f000Z', '2020-01-01', n || ' minutes')"
    for sql in (
        f"{counted} INSERT INTO inbox (session, key, body, state, accepted_at, settled_at)"  # noqa: S608 - constants
        f" SELECT 'old', 'old:' || n, hex(randomblob(400)), 'done', {at}, {at} FROM count",
        f"{counted} INSERT INTO steps (turn, key, state, value)"  # noqa: S608
        " SELECT inbox.id, step.value, 'done', hex(randomblob(600)) FROM count JOIN inbox ON "
        "inbox.key = 'old:' || n,"
        """ json_each('["open","model:1","tool:1.0","model:2","send:answer"]') AS step""",
        f"{counted} INSERT INTO messages (key, conversation, author, author_name, trust, text, at)"  # noqa: S608
        f" SELECT 'old:' || n, 'discord:x:y', 'p', 'P', 3, hex(randomblob(200)), {at} FROM count",
    ):
        await running.app.database.write(Unit.of(Write(sql, (OLD,))))


def purge(running: Harness) -> "asyncio.Task[None]":
    app, clock = running.app, SystemClock()
    keep, window = timedelta(days=90), timedelta(days=1)

    async def work() -> None:
        gone = await Purging(app.database, clock, app.engine, app.cycle_log, keep, window).purge()
        print(f"purged {gone:,} rows")

    return asyncio.create_task(work())


async def work(seconds: float) -> int:
    figures = Figures()
    await crowds(figures, seconds)
    await beside(figures, 0.1, f"beside {STALLED} stalled", stalled)
    await beside(figures, 0.1, f"beside a flood of {FLOOD:,}", flood)
    await beside(figures, 0.1, f"beside a burst of {FLOOD:,}", burst)
    await beside(figures, 0.02, PURGE, purge, old_turns, floor_s=0.0)
    return figures.close()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--model-s", type=float, default=2.0, help="seconds of each model call of the crowds"
    )
    given = parser.parse_args()
    return uvloop.run(work(given.model_s))


if __name__ == "__main__":
    sys.exit(main())
