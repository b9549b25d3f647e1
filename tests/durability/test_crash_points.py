"""The process ends before and after every write; the next one finishes the work.

Over PostgreSQL a life takes half a second. So only some of the points are tried there, unless the
environment says ALL_CRASH_POINTS=1.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.turns import OutcomeUnknown, Recorded, Turn
from bot.testing.crash_points import CrashingDatabase, CrashPoint, crash_points
from bot.testing.engine_lives import Life, Lives
from bot.testing.fake_clock import run_ready
from bot.testing.kept_databases import KeptDatabases, PostgresDatabases, PostgresKept
from bot.turns.engine import TurnEngine
from bot.turns.standing.engine import StandingEngine
from tests.thoroughness import is_thorough

ALL = "ALL_CRASH_POINTS"
WAKE = "select wake_session"
"""A process writes it at its start, and again where a job ends before its session's work does."""
FINISHED = "CREATE TABLE finished (n INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT)"


def make(database: Database, clock: Clock) -> TurnEngine:
    return TurnEngine(database, clock, owner="the one process")


def some(databases: KeptDatabases, points: Iterator[CrashPoint]) -> Iterator[CrashPoint]:
    """Those that are tried: every one, or one of several with alternating moments."""
    if os.environ.get(ALL):
        return points
    every = 7 if isinstance(databases, PostgresDatabases) else 1
    return islice(points, 0, None, every if is_thorough() else 2 * every + 1)


async def begin(databases: KeptDatabases) -> Lives:
    """Lives with the engine that belongs to the kind of database."""
    lives = await Lives.begin(databases, make)
    if isinstance(lives.kept, PostgresKept):
        lives.make = partial(StandingEngine, server=lives.kept.server)
    return lives


@dataclass
class World:
    """The world outside of the process, with a memory: a platform, a bank, a paid model."""

    soon: bool = False
    """Whether samples and posts share their commits with what follows them."""
    everybody_spoke: asyncio.Event = field(default_factory=asyncio.Event)
    """Set in each life once all is accepted; the model waits for it, so the order is certain."""
    posts: list[str] = field(default_factory=list[str])
    payments: Counter[str] = field(default_factory=Counter[str])
    unknown: Counter[str] = field(default_factory=Counter[str])
    samples: Counter[str] = field(default_factory=Counter[str])
    steered: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


class Bot:
    """A runner in one life of the process; its effects check that this process still lives."""

    def __init__(self, world: World, database: CrashingDatabase) -> None:
        self.world = world
        self.database = database

    async def run_turn(self, turn: Turn) -> None:
        match turn.body["does"]:
            case "answer":
                await self.sample(turn)
                await self.steer(turn)
                await self.pay(turn)
                await self.post(turn, "send:answer", f"answer to {turn.key}")
            case "ask":
                await self.sample(turn)
                await self.post(turn, "send:question", f"question of {turn.key}")
                answer = (await turn.ask("ask:1", "ann", "room", "Which?")).text
                await asyncio.gather(
                    self.pay(turn), turn.scope("tool:2.0").step("look", self.looked)
                )
                await self.post(turn, "send:answer", f"answer to {turn.key}: {answer}")
            case _:
                await self.wait_for_stop(turn)
        await turn.finish(Unit.of(Write("INSERT INTO finished (key) VALUES (?)", (turn.key,))))

    async def wait_for_stop(self, turn: Turn) -> None:
        await self.post(turn, "send:busy", f"busy with {turn.key}")
        try:
            with turn.stoppable():
                if not turn.stop_requested:
                    await asyncio.Event().wait()
        except asyncio.CancelledError:
            if not turn.stop_requested:
                raise
        await self.post(turn, "send:answer", f"stopped {turn.key}")

    async def sample(self, turn: Turn) -> None:
        async def model() -> Recorded:
            await self.world.everybody_spoke.wait()
            self.database.alive()
            self.world.samples[turn.key] += 1
            return Recorded({"text": "hm"}, soon=self.world.soon)

        await turn.step("model:1", model)

    async def looked(self) -> Recorded:
        self.database.alive()
        return Recorded("seen")

    async def steer(self, turn: Turn) -> None:
        taken = [item.key for item in await turn.take(1)]
        before = self.world.steered.setdefault(turn.key, taken)
        if turn.done("tool:pay"):
            assert taken == before, "a replay was handed other messages"
        self.world.steered[turn.key] = taken

    async def pay(self, turn: Turn) -> None:
        async def effect() -> Recorded:
            self.database.alive()
            self.world.payments[turn.key] += 1
            await run_ready(2)
            return Recorded("paid")

        try:
            await turn.step("tool:pay", effect, once=True)
        except OutcomeUnknown:
            self.world.unknown[turn.key] += 1

    async def post(self, turn: Turn, key: str, text: str) -> None:
        async def send() -> Recorded:
            self.database.alive()
            self.world.posts.append(text)
            await run_ready(2)
            return Recorded(text, soon=self.world.soon)

        async def look_first() -> Recorded:
            self.database.alive()
            return (
                Recorded(text, soon=self.world.soon) if text in self.world.posts else await send()
            )

        await turn.step(key, send, once=True, recover=look_first)


Drive = Callable[[Life, World], Awaitable[None]]


async def settled(life: Life, keys: Sequence[str]) -> None:
    async def are_settled() -> bool:
        rows = await life.database.read("SELECT key FROM inbox WHERE settled_at IS NOT NULL")
        return {row["key"] for row in rows} >= set(keys)

    await life.until(are_settled)


async def idle(life: Life) -> None:
    """Until no turn is on its way to its end: what is accepted now begins at once."""
    await life.until(lambda: not life.engine.busy)


async def posted(life: Life, world: World, text: str) -> None:
    await life.until(lambda: text in world.posts)


async def live(lives: Lives, world: World, drive: Drive, point: CrashPoint | None) -> list[str]:
    """One process; returns what it wrote. Raises AssertionError when it did not go at `point`."""
    made: list[Bot] = []
    world.everybody_spoke.clear()

    async def run_turn(turn: Turn) -> None:
        await made[0].run_turn(turn)

    async with lives.life(run_turn, point=point) as life:
        made.append(Bot(world, life.database))
        await life.started()
        await drive(life, world)
    assert life.database.gone is (point is not None), f"{point} of {life.database.commits}"
    return life.database.commits


async def every_point(
    databases: KeptDatabases,
    drive: Drive,
    check: Callable[[World, list[str], CrashPoint | None], None],
    *,
    soon: bool = False,
) -> int:
    """Run the story once without a crash, then once per crash point with a second life."""

    async def story(point: CrashPoint | None) -> list[str]:
        lives = await begin(databases)
        lives.between_lives(FINISHED)
        world = World(soon)
        commits = await live(lives, world, drive, point)
        if point is not None:
            await live(lives, world, drive, None)
        check(world, lives.between_lives("SELECT key FROM finished ORDER BY n"), point)
        assert lives.between_lives("SELECT key FROM inbox WHERE settled_at IS NULL") == []
        return commits

    commits = await story(None)
    certain = [name for n, name in enumerate(commits) if name != WAKE or WAKE not in commits[:n]]
    for point in some(databases, crash_points(certain)):
        await story(point)
    return len(commits)


@pytest.mark.parametrize(("soon", "least"), [(False, 12), (True, 9)])
@pytest.mark.thorough
async def test_an_answer_with_steering_is_given_once_and_in_order(
    soon: bool, least: int, databases: KeptDatabases
):
    async def drive(life: Life, world: World) -> None:
        for key in ("m1", "m2", "m3"):
            await life.engine.submit("s", key, {"does": "answer"})
        await life.engine.submit("t", "n1", {"does": "answer"})
        world.everybody_spoke.set()
        await settled(life, ["m1", "m2", "m3", "n1"])
        await idle(life)
        assert not await life.engine.submit("s", "m2", {"does": "answer"})

    def check(world: World, finished: list[str], point: CrashPoint | None) -> None:
        joined = [key for keys in world.steered.values() for key in keys]
        ran = [key for key in ("m1", "m2", "m3", "n1") if key not in joined]
        assert len(set(joined)) == len(joined), point
        assert sorted(finished) == ran, point
        assert [key for key in finished if key != "n1"] == ran[:-1], point
        assert sorted(world.posts) == sorted(f"answer to {key}" for key in ran), point
        order = [post for post in world.posts if "n1" not in post]
        assert order == [f"answer to {key}" for key in ran[:-1]], point
        for key in ran:
            assert world.payments[key] <= 1, point
            assert world.payments[key] == 1 or world.unknown[key], point
            assert world.samples[key] <= 2, point

    assert await every_point(databases, drive, check, soon=soon) >= least


@pytest.mark.parametrize(("soon", "least"), [(False, 15), (True, 12)])
@pytest.mark.thorough
async def test_a_question_is_asked_once_and_its_answer_is_used_once(
    soon: bool, least: int, databases: KeptDatabases
):
    async def drive(life: Life, world: World) -> None:
        world.everybody_spoke.set()
        await life.engine.submit("s", "m1", {"does": "ask"})
        await posted(life, world, "question of m1")
        while "answer to m1: the red one" not in world.posts:
            life.database.alive()
            question = await life.engine.open_question("room", "ann")
            if question is not None:
                await life.engine.answer(question.ref, "a1", "the red one")
                assert not await life.engine.answer(question.ref, "a1", "the red one")
        await idle(life)
        await life.engine.submit("s", "m2", {"does": "answer"})
        await settled(life, ["m1", "m2", "a1"])

    def check(world: World, finished: list[str], point: CrashPoint | None) -> None:
        assert finished == ["m1", "m2"], point
        assert world.posts == ["question of m1", "answer to m1: the red one", "answer to m2"], point
        assert world.payments["m1"] <= 1, point
        assert world.payments["m1"] == 1 or world.unknown["m1"], point

    assert await every_point(databases, drive, check, soon=soon) >= least


@pytest.mark.thorough
async def test_a_stop_is_remembered(databases: KeptDatabases):
    async def drive(life: Life, world: World) -> None:
        world.everybody_spoke.set()
        await life.engine.submit("s", "m1", {"does": "wait"})
        await life.engine.submit("s", "m2", {"does": "answer"})
        await posted(life, world, "busy with m1")
        if "stopped m1" not in world.posts:
            await life.engine.stop_turn("s", {1})
        await posted(life, world, "stopped m1")
        await settled(life, ["m1", "m2"])

    def check(world: World, finished: list[str], point: CrashPoint | None) -> None:
        assert finished == ["m1", "m2"], point
        assert world.posts == ["busy with m1", "stopped m1", "answer to m2"], point

    assert await every_point(databases, drive, check) >= 8


@pytest.mark.thorough
async def test_a_turn_that_kills_the_process_is_given_up_with_one_apology(
    databases: KeptDatabases,
):
    async def story(point: CrashPoint | None) -> list[str]:
        lives = await begin(databases)
        apologies: list[str] = []
        deaths: list[int] = []

        async def live_once(point: CrashPoint | None) -> CrashingDatabase:
            made: list[CrashingDatabase] = []

            async def run_turn(turn: Turn) -> None:
                deaths.append(turn.attempt)
                made[0].end()

            async def apologise(turn: Turn, reason: str) -> None:
                async def send() -> Recorded:
                    made[0].alive()
                    apologies.append(f"{turn.key}: {reason}")
                    return Recorded(None)

                async def look_first() -> Recorded:
                    return Recorded(None) if apologies else await send()

                await turn.step("send:apology", send, once=True, recover=look_first)

            async with lives.life(run_turn, apologise, point) as life:
                made.append(life.database)
                await life.started()
                await life.submit("poison")
                await settled(life, ["poison"])
            return life.database

        for _ in range(3):
            await live_once(None)
        last = await live_once(point)
        assert last.gone is (point is not None), f"{point} of {last.commits}"
        if point is not None:
            await live_once(None)
        assert deaths == [1, 2, 3], point
        assert apologies == ["poison: the process ended while this turn ran"], point
        assert lives.between_lives("SELECT state FROM inbox") == ["failed"], point
        return last.commits

    for point in some(databases, crash_points(await story(None))):
        await story(point)


@dataclass
class Release:
    """A version of the program: its steps before the question, and after the answer."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    ran: list[str] = field(default_factory=list[str])

    async def run_turn(self, turn: Turn) -> None:
        for name in self.before:
            await self.step(turn, name)
        answer = (await turn.ask("ask:1", "ann", "room", "Go on?")).text
        for name in (*self.after, f"answered {answer}"):
            await self.step(turn, name)

    async def step(self, turn: Turn, name: str) -> None:
        async def run() -> Recorded:
            self.ran.append(name)
            return Recorded(name)

        assert await turn.step(name, run) == name


async def test_a_turn_that_waits_survives_a_release_with_other_steps(tmp_path: Path):
    lives = await Lives.begin(tmp_path, make)
    old = Release(("model:1", "send:question"), ("model:2",))
    async with lives.life(old.run_turn) as life:
        await life.submit("m1")
        question = await life.asked()
    new = Release(("hello", "model:1", "audit", "send:question"), ("check", "model:2"))
    async with lives.life(new.run_turn) as life:
        assert await life.engine.answer(question.ref, "a1", "yes")
        await settled(life, ["m1", "a1"])
    assert old.ran == ["model:1", "send:question"]
    assert new.ran == ["hello", "audit", "check", "model:2", "answered yes"]
