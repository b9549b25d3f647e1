"""Which turns are given up, and what becomes of the messages that they had taken."""

import asyncio
import errno
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.turns import Recorded, Turn
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.engine_lives import Life, Lives, gives, no_apology
from bot.testing.fake_clock import run_ready, settle
from bot.testing.waiting import until
from bot.turns.engine import TurnEngine
from bot.turns.trials import PATIENCE_S


def make(database: Database, clock: Clock) -> TurnEngine:
    return TurnEngine(database, clock, owner="test", drain_s=0)


@pytest.fixture
async def lives(tmp_path: Path) -> Lives:
    return await Lives.begin(tmp_path, make)


class Apologies:
    """Who was told that a turn was given up, and why."""

    def __init__(self, *, answered: bool = False) -> None:
        self.told: list[str] = []
        self.reasons: list[str] = []
        self.alive: Callable[[], None] = lambda: None
        self._answered = answered

    async def __call__(self, turn: Turn, reason: str) -> None:
        self.alive()
        if self._answered:
            turn.keep_joined()
        self.told.append(turn.key)
        self.reasons.append(reason)


class Town:
    """Runs turns; the process dies in those named `poison`, once all have begun."""

    def __init__(self, together: int, apologies: Apologies) -> None:
        self.together = together
        self.apologies = apologies
        self.begun: set[str] = set()
        self.answered: list[str] = []
        self.ran: Counter[str] = Counter()
        self.company: list[set[str]] = []
        """With whom the poison ran each time."""
        self.life: Life | None = None

    def life_begins(self, life: Life) -> None:
        self.begun.clear()
        self.life = life
        self.apologies.alive = life.database.alive

    async def run_turn(self, turn: Turn) -> None:
        self.begun.add(turn.key)
        self.ran[turn.key] += 1
        if turn.key.startswith("poison"):
            for _ in range(40):
                if len(self.begun) >= self.together:
                    break
                await run_ready(1)
            self.company.append(self.begun - {turn.key})
            await self.die()
        await run_ready(20)
        if any(
            key.startswith("poison") for key in self.begun
        ):  # the model takes longer than the process lives
            await asyncio.Event().wait()
        await turn.step("model:1", gives("answer"))
        self.answered.append(turn.key)

    async def die(self) -> None:
        """Let what was answered or apologised be settled first, or the next life does it again."""
        assert self.life is not None
        database = self.life.database
        ended = {*self.apologies.told, *self.answered}

        async def are_settled() -> bool:
            rows = await database.read("SELECT key FROM inbox WHERE settled_at IS NULL")
            return ended.isdisjoint(row["key"] for row in rows)

        await until(are_settled)
        database.end()


async def test_only_the_turn_that_ends_the_process_by_itself_is_given_up(lives: Lives):
    apologies = Apologies()
    town = Town(5, apologies)
    keys = ["poison", "a", "b", "c", "d"]
    for _ in range(7):
        async with lives.life(town.run_turn, apologies) as life:
            town.life_begins(life)
            await life.started()
            for key in keys:
                await life.submit(key, session=key)
            await life.all_settled()
    assert apologies.told == ["poison"]
    assert sorted(town.answered) == ["a", "b", "c", "d"]
    assert town.company[-1] == set(), "it ran alone when it was found out"
    assert lives.between_lives("SELECT count(*) FROM inbox WHERE state = 'done'") == [4]


async def test_two_turns_that_end_the_process_are_both_found(lives: Lives):
    apologies = Apologies()
    town = Town(4, apologies)
    for _ in range(9):
        async with lives.life(town.run_turn, apologies) as life:
            town.life_begins(life)
            await life.started()
            for key in ("poison 1", "a", "poison 2", "b"):
                await life.submit(key, session=key)
            await life.all_settled()
    assert sorted(apologies.told) == ["poison 1", "poison 2"]
    assert sorted(town.answered) == ["a", "b"]


async def test_a_suspect_that_takes_long_lets_the_others_in(lives: Lives):
    ran: list[str] = []
    alone = asyncio.Event()

    async def run_turn(turn: Turn) -> None:
        if turn.key == "slow" and turn.attempt < 3:
            life.database.end()
        if turn.key == "slow":
            alone.set()
            await asyncio.Event().wait()
        ran.append(turn.key)

    for _ in range(2):
        async with lives.life(run_turn) as life:
            await life.started()
            await life.submit("slow")
            await life.all_settled()
    async with lives.life(run_turn) as life:
        await life.started()
        await life.submit("other", session="t")
        await alone.wait()
        await settle()
        assert ran == []
        await life.advance(PATIENCE_S)
        await until(lambda: ran == ["other"])
        assert await life.database.read("SELECT trial FROM inbox WHERE key = 'slow'") == [
            {"trial": 0}
        ]


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EMFILE, "Too many open files"),
        MemoryError(),
        OSError(errno.ENFILE, "Too many"),
    ],
)
async def test_a_machine_that_is_short_of_something_is_no_turns_fault(
    error: Exception, lives: Lives
):
    attempts: list[int] = []

    async def run_turn(turn: Turn) -> None:
        attempts.append(turn.attempt)
        if len(attempts) <= 6:
            raise RuntimeError("no connection") from error

    async with lives.life(run_turn, no_apology) as life:
        await life.submit("k")
        for _ in range(6):
            await life.advance(5)
        await life.all_settled()
    assert attempts == [1] * 7
    assert lives.between_lives("SELECT state FROM inbox") == ["done"]


async def takes_two_and_fails(turn: Turn) -> None:
    if turn.key == "first":

        async def two_wait() -> bool:
            return await waiting(turn) >= 2

        async def wait() -> Recorded:
            await until(two_wait)
            return Recorded(None)

        await turn.step("model:1", wait)
        taken = await turn.take(1)
        assert [item.key for item in taken] == ["second", "third"]
        raise ValueError("it is broken")


engine_of: dict[str, TurnEngine] = {}


async def waiting(turn: Turn) -> int:
    return await engine_of["now"].waiting(turn.session)


@pytest.mark.parametrize("answered", [False, True])
async def test_messages_of_a_given_up_turn_begin_anew(answered: bool, lives: Lives):
    """Unless its answer was out: that was the answer to all of them."""
    apologies, ran = Apologies(answered=answered), list[str]()

    async def run_turn(turn: Turn) -> None:
        ran.append(turn.key)
        await takes_two_and_fails(turn)

    async with lives.life(run_turn, apologies) as life:
        engine_of["now"] = life.engine
        await life.submit("first", "second", "third")
        await life.advance(1)
        await life.advance(5)
        await life.all_settled()
        await until(lambda: not life.engine.busy)
    assert apologies.told == ["first"]
    later = ran[ran.index("first") :]
    assert [key for key in later if key != "first"] == ([] if answered else ["second", "third"])
    states = lives.between_lives("SELECT state FROM inbox ORDER BY id")
    assert states == ["failed", *(["joined", "joined"] if answered else ["done", "done"])]


# --- what the database refuses, and what can't be read any more ---


@pytest.mark.parametrize("soon", [False, True])
async def test_a_unit_that_the_database_refuses_fails_its_turn_and_nothing_else(
    soon: bool, lives: Lives
):
    apologies = Apologies()

    async def run_turn(turn: Turn) -> None:
        async def sample() -> Recorded:
            too_large = Write("UPDATE inbox SET attempts = ? WHERE id = -1", (10**19,))
            return Recorded("answer", Unit.of(too_large), soon=soon)

        if turn.key == "large":
            await turn.step("model:1", sample)
            await turn.step("send:answer", gives("sent"), once=True)

    async with lives.life(run_turn, apologies) as life:
        await life.submit("large")
        await life.submit("other", session="t")
        await life.advance(1)
        await life.advance(5)
        await life.all_settled()
        assert not life.task.done()
        await life.submit("next")
        await life.all_settled()
    assert apologies.told == ["large"]
    assert lives.between_lives("SELECT state FROM inbox ORDER BY id") == ["failed", "done", "done"]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE inbox SET body = '{'",
        "UPDATE inbox SET body = ''",
        "UPDATE inbox SET body = '[1]'",
        "UPDATE inbox SET body = X'00FF'",
    ],
)
async def test_a_row_that_cannot_be_read_is_set_aside_and_told(damage: str, lives: Lives):
    apologies, ran = Apologies(), list[str]()

    async def run_turn(turn: Turn) -> None:
        ran.append(turn.key)

    lives.between_lives(
        "INSERT INTO inbox (session, key, body, state, accepted_at)"
        " VALUES ('s', 'damaged', '{}', 'new', '2026-01-01T00:00:00.000Z')"
    )
    lives.between_lives(damage)
    async with lives.life(run_turn, apologies) as life:
        await life.started()
        await life.submit("next")
        await life.all_settled()
    assert ran == ["next"]
    assert apologies.told == ["damaged"]
    assert apologies.reasons == ["what was accepted can't be read any more"]


async def test_a_step_that_cannot_be_read_ends_its_turn_with_an_apology(lives: Lives):
    apologies, paid = Apologies(), list[str]()

    async def run_turn(turn: Turn) -> None:
        await turn.step("tool:pay", gives("paid", paid), once=True)
        life.database.end()

    async with lives.life(run_turn, apologies) as life:
        await life.started()
        await life.submit("k")
        await life.all_settled()
    lives.between_lives("UPDATE steps SET value = '{\"half' WHERE key = 'tool:pay'")
    async with lives.life(run_turn, apologies) as life:
        await life.all_settled()
    assert paid == ["paid"], "what may not run twice did not"
    assert apologies.reasons == ["what it did can't be read any more (step tool:pay)"]


class Posts:
    """What people see, once each, however often the process goes."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    async def post(self, turn: Turn, life: Life, key: str, text: str) -> None:
        async def send() -> Recorded:
            life.database.alive()
            self.seen.append(text)
            return Recorded(None)

        async def look_first() -> Recorded:
            return Recorded(None) if text in self.seen else await send()

        await turn.step(key, send, once=True, recover=look_first)


async def taken_and_given_up(lives: Lives, posts: Posts, point: CrashPoint | None) -> list[str]:
    """One life in which a turn takes two messages and fails for good; gives what it wrote."""
    made: list[Life] = []

    async def run_turn(turn: Turn) -> None:
        [life] = made
        if turn.key != "first":
            await posts.post(turn, life, "send:answer", f"answer to {turn.key}")
            return

        async def two_wait() -> bool:
            return turn.done("steer:1") or await life.engine.waiting("s") >= 2

        await life.until(two_wait)
        await turn.take(1)
        raise ValueError("it is broken")

    async def apologise(turn: Turn, reason: str) -> None:
        await posts.post(turn, made[0], "send:apology", f"sorry for {turn.key}")

    async with lives.life(run_turn, apologise, point) as life:
        made.append(life)
        await life.started()
        await life.submit("first", "second", "third")
        async with asyncio.timeout(60):
            while await life.database.read("SELECT 1 FROM inbox WHERE settled_at IS NULL"):
                life.database.alive()
                await run_ready(3)
                if lives.clock.sleepers:
                    await lives.clock.advance(5)
    return life.database.commits


async def test_a_given_up_turns_messages_are_seen_wherever_the_process_dies(tmp_path: Path):
    async def story(point: CrashPoint | None) -> list[str]:
        lives, posts = await Lives.begin(tmp_path, make), Posts()
        commits = await taken_and_given_up(lives, posts, point)
        if point is not None:
            await taken_and_given_up(lives, posts, None)
        assert posts.seen == ["sorry for first", "answer to second", "answer to third"], point
        assert lives.between_lives("SELECT state FROM inbox ORDER BY id") == [
            "failed",
            "done",
            "done",
        ], point
        return commits

    for point in crash_points(await story(None)):
        await story(point)
