"""What the turn journal costs: `python bench/engine.py [--turns N]`.

The same turn (accept, take, model, tool, take, model, send, finish; no step takes time of its own)
runs on the journal and on a stand-in that remembers nothing, in the same process and on the loop
that `bellhop run` uses. CPU is that of all threads. Results share commits where those of the
program do: five per turn (accepted and begun; model; tool; answer and intent; receipt and end).
"""

import argparse
import asyncio
import contextlib
import resource
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    nullcontext,
)
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

import uvloop

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bot.clock import SystemClock
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.turns import Answer, Recorded, RunTurn, StepFunction, Turn, Waiting
from bot.storage.home import open_database
from bot.turns.engine import JournalEngine
from bot.turns.settings import TurnSettings

GOAL_MS = 1.0
REPLY = {
    "role": "assistant",
    "content": [{"type": "text", "text": "A reply of a usual length. " * 15}],
}
RESULT = {"content": "A line of a tool's result.\n" * 15}


class Engine(Protocol):
    """As much of `domain.turns.TurnEngine` as both sides have."""

    async def submit(
        self,
        session: str,
        key: str,
        body: JsonObject,
        *,
        due: datetime | None = None,
        unit: Unit = Unit(),
    ) -> bool: ...

    def running(self, session: str) -> bool: ...


# --- the turn ---


async def model() -> Recorded:
    return Recorded(REPLY)


async def answer() -> Recorded:
    return Recorded(REPLY, soon=True)  # as the loop does with a reply that calls no tool


async def tool() -> Recorded:
    return Recorded(RESULT)


class Turns:
    """The runner, and the count of what it has finished."""

    def __init__(self) -> None:
        self.begun: dict[str, float] = {}
        self.latencies: list[float] = []
        self._ended: dict[str, asyncio.Event] = {}

    async def submit(self, engine: Engine, session: str, key: str) -> asyncio.Event:
        ended = self._ended[key] = asyncio.Event()
        self.begun[key] = time.perf_counter()
        await engine.submit(session, key, {"kind": "message", "text": "What is on my list today?"})
        return ended

    async def run(self, turn: Turn) -> None:
        async def send() -> Recorded:
            self.latencies.append(time.perf_counter() - self.begun.pop(turn.key))
            return Recorded(
                {"message": turn.key}, soon=True
            )  # as the outbox does with what a platform took

        await turn.take(1)
        await turn.step("model:1", model)
        await turn.step("tool:1.1", tool)
        await turn.take(2)
        await turn.step("model:2", answer)
        await turn.step("send:answer", send, once=True)
        await turn.finish()
        self._ended.pop(turn.key).set()


# --- the stand-in ---


@dataclass(frozen=True)
class ForgetfulTurn:
    """A turn whose steps are just run."""

    id: int
    session: str
    key: str
    body: JsonObject
    attempt: int = 1
    ref: str = "t1"
    prefix: str = ""
    stop_requested: bool = False

    def stoppable(self) -> AbstractContextManager[None]:
        return nullcontext()

    def away(self) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    def scope(self, prefix: str) -> Turn:
        return self

    def done(self, key: str) -> bool:
        return False

    async def step(
        self,
        key: str,
        fn: StepFunction,
        *,
        once: bool = False,
        pure: bool = False,
        recover: StepFunction | None = None,
    ) -> JsonValue:
        return (await fn()).value

    def begun(self, key: str) -> bool:
        return False

    async def take(
        self, n: int, among: Callable[[Sequence[Waiting]], int] | None = None
    ) -> list[Waiting]:
        return []

    async def ask(
        self, key: str, person: str, conversation: str, text: str, options: tuple[str, ...] = ()
    ) -> Answer:
        return Answer("")

    def keep_joined(self) -> None:
        return

    async def finish(self, unit: Unit = Unit()) -> None:
        await asyncio.sleep(0)


class ForgetfulEngine:
    """One turn at a time per session, in memory only."""

    def __init__(self, run_turn: RunTurn) -> None:
        self._run_turn = run_turn
        self._queues: dict[str, list[ForgetfulTurn]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._count = 0

    async def submit(
        self,
        session: str,
        key: str,
        body: JsonObject,
        *,
        due: datetime | None = None,
        unit: Unit = Unit(),
    ) -> bool:
        self._count += 1
        queue = self._queues.setdefault(session, [])
        queue.append(ForgetfulTurn(self._count, session, key, body))
        if len(queue) == 1:
            task = asyncio.create_task(self._work(queue))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return True

    def running(self, session: str) -> bool:
        return bool(self._queues.get(session))

    async def _work(self, queue: list[ForgetfulTurn]) -> None:
        while queue:
            await self._run_turn(queue[0])
            queue.pop(0)


# --- measuring ---


@dataclass(frozen=True)
class Figures:
    turns: int
    wall_s: float
    cpu_s: float
    latency_ms: float

    @property
    def cpu_ms(self) -> float:
        return self.cpu_s / self.turns * 1000

    @property
    def wall_ms(self) -> float:
        return self.wall_s / self.turns * 1000


async def measure(engine: Engine, turns: Turns, count: int, sessions: int, name: str) -> Figures:
    """Each session sends its next message when its last one is answered, as people do."""
    turns.latencies.clear()

    async def person(session: int) -> None:
        for number in range(max(1, count // sessions)):
            ended = await turns.submit(engine, f"{name} {session}", f"{name}:{session}:{number}")
            await ended.wait()
            # Nobody answers in the moment between the end of a turn and its rest.
            while engine.running(f"{name} {session}"):  # noqa: ASYNC110 - engines have no event for this
                await asyncio.sleep(0)

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(person(session) for session in range(sessions)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    latencies = sorted(turns.latencies)
    return Figures(len(latencies), wall, cpu, latencies[len(latencies) // 2] * 1000)


async def nobody(turn: Turn, reason: str) -> None:
    raise AssertionError(f"{turn.key} failed: {reason}")


@asynccontextmanager
async def journal(folder: Path, run_turn: RunTurn) -> AsyncGenerator[JournalEngine]:
    database = await open_database(folder / "bench.db")
    engine = JournalEngine(database, SystemClock(), owner="bench", limits=TurnSettings(begun=2_000))
    task = asyncio.create_task(engine.run(run_turn, nobody))
    try:
        yield engine
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await database.close()


async def compare(folder: Path, count: int) -> None:
    turns = Turns()
    forgetful = ForgetfulEngine(turns.run)
    print("               |  with the journal                    |  added by the journal, per turn")
    print("sessions turns |  turns/s  median latency  CPU ms/turn |  CPU ms  wall ms  goal met")
    async with journal(folder, turns.run) as engine:
        await measure(engine, turns, 50, 5, "warm")
        for sessions in (1, 50, 500):
            name = f"run{sessions}"
            plain = await measure(forgetful, turns, max(count, sessions), sessions, name)
            durable = await measure(engine, turns, max(count, sessions), sessions, name)
            added = durable.cpu_ms - plain.cpu_ms
            print(
                f"{sessions:>8} {durable.turns:>5} | {durable.turns / durable.wall_s:>8.0f}"
                f" {durable.latency_ms:>12.1f} ms {durable.cpu_ms:>12.2f} | {added:>7.2f}"
                f" {durable.wall_ms - plain.wall_ms:>8.2f}  {'yes' if added < GOAL_MS else 'no'}"
            )
    print(f"(goal: under {GOAL_MS:g} ms of CPU; with one session no two writes can share a commit)")


async def idle(seconds: float) -> float:
    """CPU in percent of one core while nothing happens."""
    cpu = time.process_time()
    await asyncio.sleep(seconds)
    return (time.process_time() - cpu) / seconds * 100


def resident_mb() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def suspend(folder: Path, count: int) -> None:
    asked = asyncio.Semaphore(0)
    answered = asyncio.Event()

    async def run(turn: Turn) -> None:
        await turn.step("model:1", model)
        try:
            await turn.ask("ask:1", turn.session, "room", "Which one?")
            answered.set()
        finally:
            asked.release()

    async with journal(folder, run) as engine:
        print(f"idle engine: {await idle(2):.2f} % CPU")
        before = resident_mb()
        for number in range(count):
            await engine.submit(f"person {number}", f"k{number}", {})
        for _ in range(count):
            await asked.acquire()
        grown = resident_mb()
        cpu = await idle(2)
        print(
            f"{count} suspended turns: {cpu:.2f} % CPU, {grown:.0f} MB resident "
            f"({grown - before:+.1f} MB)"
        )
        delays: list[float] = []
        for number in range(min(count, 100)):
            question = await engine.open_question("room", f"person {number}")
            assert question is not None
            answered.clear()
            start = time.perf_counter()
            await engine.answer(question.ref, f"a{number}", "the red one")
            await answered.wait()
            delays.append(time.perf_counter() - start)
        print(f"answer to resumed: median {sorted(delays)[len(delays) // 2] * 1000:.1f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=1000, help="turns per row (default 1000)")
    parser.add_argument(
        "--suspended", type=int, default=500, help="turns that wait for a person (default 500)"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        uvloop.run(compare(Path(folder), options.turns))
    with tempfile.TemporaryDirectory() as folder:
        uvloop.run(suspend(Path(folder), options.suspended))
    return 0


if __name__ == "__main__":
    sys.exit(main())
