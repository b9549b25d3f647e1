"""The journal's own promises: fenced claims, retention, one life, order at random."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.turns import Recorded, Turn
from bot.errors import ClaimLost, TurnError, UnitRejected
from bot.storage.home import open_database
from bot.testing.engine_lives import Diary, Life, Lives, no_apology
from bot.testing.fake_clock import FakeClock, run_ready
from bot.testing.waiting import until
from bot.turns import store
from bot.turns.attempt import ATTEMPTS, PROCESS_ENDED
from bot.turns.engine import TurnEngine
from bot.turns.questions import Steering
from bot.turns.settings import TurnLimits
from bot.turns.store import Begun, Claim, RecordedStep
from tests.thoroughness import examples


def make(database: Database, clock: Clock) -> TurnEngine:
    # Not steerable: what waits behind a question stays a turn of its own.
    return TurnEngine(
        database,
        clock,
        owner="test",
        drain_s=0,
        limits=TurnLimits(working=3),
        steering=Steering(lambda _body: False),
    )


@pytest.fixture
async def lives(tmp_path: Path) -> Lives:
    return await Lives.begin(tmp_path, make)


async def nothing() -> Recorded:
    return Recorded(None)


async def test_steps_of_one_unit_are_stored_together_or_not_at_all(database: Database):
    begun = Begun(Claim("s", "test", 1), 7, "k", {}, 1, stop=False, error=None)
    lost = Begun(Claim("s", "test", 2), 8, "k", {}, 1, stop=False, error=None)
    await database.write(
        Unit.of(
            store.accept("s", "k", "{}", None, FakeClock().now()),
            Write("UPDATE inbox SET id = 7"),
            store.claim("s", "test"),
        )
    )
    await database.write(Unit(store.put_steps(begun, [("one", None)])))
    write, *more = store.put_steps(begun, [("one", "1"), ("two", "[2]"), ("three", None)])
    assert not more
    await database.write(Unit.of(write))
    with pytest.raises(UnitRejected):
        await database.write(Unit(store.put_steps(lost, [("one", "9"), ("four", "4")])))
    assert (await store.read_steps(database, 7)).past == {
        "one": RecordedStep(True, 1),
        "two": RecordedStep(True, [2]),
        "three": RecordedStep(False),
    }
    assert (await store.read_steps(database, 8)).past == {}
    assert store.put_steps(begun, []) == ()


async def test_an_engine_that_runs_again_wakes_up_for_work_that_is_due_later(tmp_path: Path):
    clock, diary = FakeClock(), Diary()
    database = await open_database(tmp_path / "data.db")
    engine = make(database, clock)
    await engine.submit("s", "later", {}, due=clock.now() + timedelta(seconds=60))
    for waited in (59, 1):
        running = asyncio.create_task(engine.run(diary.run, no_apology))
        await until(lambda: engine.started and clock.sleepers == 1)
        await clock.advance(waited)
        if waited == 1:
            await until(lambda: diary.ended == ["later"])
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
    await database.close()


async def test_an_owner_that_lost_its_claim_writes_nothing_more(lives: Lives):
    outcomes: list[str] = []
    running = asyncio.Event()
    taken_over = asyncio.Event()

    async def sleeper(turn: Turn) -> None:
        running.set()
        await taken_over.wait()
        for action in (
            turn.step("late", nothing),
            turn.finish(),
            turn.ask("q", "ann", "room", "?"),
            turn.take(1),
        ):
            try:
                await action
            except ClaimLost:
                outcomes.append("claim lost")
        await turn.step("late", nothing)

    async def successor(turn: Turn) -> None:
        outcomes.append(f"successor, attempt {turn.attempt}")

    async with lives.life(sleeper) as old:
        await old.engine.submit("s", "k", {})
        await running.wait()
        async with lives.life(successor):
            await until(lambda: len(outcomes) == 1)
            taken_over.set()
            await until(lambda: not old.engine.running("s"))
            assert not old.task.done()
    # An empty take writes nothing of its own, so it is the step after it that finds out.
    assert outcomes == ["successor, attempt 2", "claim lost", "claim lost", "claim lost"]
    assert lives.between_lives("SELECT state FROM inbox") == ["done"]
    assert lives.between_lives("SELECT count(*) FROM steps") == [0]


async def test_purge_deletes_what_is_settled_and_old_with_its_steps(lives: Lives):
    async def run(turn: Turn) -> None:
        await turn.step("a", nothing)
        if turn.body.get("ask"):
            await turn.ask("q", "ann", "room", "?")

    async with lives.life(run) as life:
        await life.engine.submit("asking", "waits", {"ask": True})
        for number in range(45):
            await life.submit(f"old {number}")
        await until(lambda: not life.engine.running("s") and not life.engine.running("asking"))
        await lives.clock.advance(3600)
        await life.submit("new")
        await until(lambda: not life.engine.running("s"))
        before = lives.clock.now() - timedelta(minutes=1)
        assert await life.engine.purge(before) == 45
        assert await life.engine.purge(before) == 0
        left = await life.database.read("SELECT key FROM inbox ORDER BY id")
        assert [row["key"] for row in left] == ["waits", "new"]
        steps = await life.database.read("SELECT DISTINCT turn FROM steps")
        assert len(steps) == 2
        await life.submit("later")
        await until(lambda: not life.engine.running("s"))
        assert (await life.database.read("SELECT max(id) AS id FROM inbox"))[0]["id"] == 48


async def test_an_engine_runs_once_at_a_time_and_again_after_its_end(lives: Lives):
    diary = Diary()
    async with lives.life(diary.run) as life:
        await until(lambda: not life.task.done())
        await asyncio.sleep(0)
        with pytest.raises(TurnError, match="already"):
            await life.engine.run(diary.run, no_apology)
        life.task.cancel()
        with suppress(asyncio.CancelledError):
            await life.task
        await life.submit("between")
        again = asyncio.create_task(life.engine.run(diary.run, no_apology))
        await until(lambda: diary.ran == ["between"])
        again.cancel()
        with suppress(asyncio.CancelledError):
            await again


# --- random events ---


@dataclass(frozen=True)
class Say:
    """Somebody says something; with `due` later, with `asks` the turn asks back."""

    session: str
    due: int = 0
    asks: bool = False


@dataclass(frozen=True)
class Pass:
    seconds: int


@dataclass(frozen=True)
class Crash:
    """The process is gone after it has made so many more writes."""

    writes: int


@dataclass(frozen=True)
class Again:
    """A platform delivers an old message once more."""

    number: int


@dataclass(frozen=True)
class Answer:
    pass


Event = Say | Pass | Crash | Again | Answer
SESSIONS = ("a", "b", "c", "d")
EVENTS = st.lists(
    st.one_of(
        st.builds(Say, st.sampled_from(SESSIONS), st.sampled_from([0, 0, 0, 2, 5]), st.booleans()),
        st.builds(Say, st.sampled_from(SESSIONS[:2])),
        st.builds(Pass, st.integers(1, 6)),
        st.builds(Crash, st.integers(0, 6)),
        st.builds(Again, st.integers(0, 9)),
        st.just(Answer()),
    ),
    max_size=25,
)


@dataclass
class Story:
    """What was said, and a runner that notes whatever breaks a promise."""

    lives: Lives
    said: dict[str, Say] = field(default_factory=dict[str, Say])
    accepted_at: dict[str, float] = field(default_factory=dict[str, float])
    active: set[str] = field(default_factory=set[str])

    async def run_turn(self, turn: Turn) -> None:
        assert turn.session not in self.active, "two turns of one session at once"
        say = self.said[turn.key]
        assert self.lives.clock.monotonic() >= self.accepted_at[turn.key] + say.due, "too early"
        self.active.add(turn.session)
        try:
            await turn.step("model:1", nothing)
            if say.asks:
                assert (await turn.ask("ask:1", turn.session, "room", "?")).text == "yes"
            await turn.finish(Unit.of(Write("INSERT INTO ledger (key) VALUES (?)", (turn.key,))))
        finally:
            self.active.discard(turn.session)

    async def give_up(self, turn: Turn, reason: str) -> None:
        assert reason == PROCESS_ENDED, "nothing else fails here"

    async def happen(self, life: Life, event: Event) -> None:
        match event:
            case Say():
                key = f"m{len(self.said)}"
                self.said[key] = event
                self.accepted_at[key] = self.lives.clock.monotonic()
                await self.deliver(life, key)
            case Pass(seconds):
                await self.lives.clock.advance(seconds)
            case Again(number):
                if f"m{number}" in self.said:
                    await self.deliver(life, f"m{number}")
            case Answer():
                await self.answer(life)
            case Crash(writes):
                enough = life.database.writes + writes
                for _ in range(200):
                    if life.database.writes >= enough:
                        break
                    await run_ready(1)
                life.database.end()

    async def deliver(self, life: Life, key: str) -> None:
        say = self.said[key]
        due = self.lives.clock.now() + timedelta(seconds=say.due) if say.due else None
        await life.engine.submit(say.session, key, {}, due=due)

    async def answer(self, life: Life) -> None:
        for session in SESSIONS:
            if question := await life.engine.open_question("room", session):
                await life.engine.answer(question.ref, f"answer {question.ref}", "yes")

    async def finish(self, life: Life) -> None:
        """Deliver everything again, as platforms do until acknowledged, and wait for the end."""
        for key in self.said:
            await self.deliver(life, key)
        async with asyncio.timeout(60):
            while await life.database.read(
                "SELECT key FROM inbox WHERE settled_at IS NULL LIMIT 1"
            ):
                await self.answer(life)
                await self.lives.clock.advance(1)


async def tell(events: Sequence[Event], folder: Path) -> None:
    lives = await Lives.begin(folder, make)
    lives.between_lives("CREATE TABLE ledger (n INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT)")
    story = Story(lives)
    rest = list(events)
    while rest:
        story.active.clear()
        async with lives.life(story.run_turn, story.give_up) as life:
            while rest:
                await story.happen(life, rest.pop(0))
    story.active.clear()
    async with lives.life(story.run_turn, story.give_up) as life:
        await story.finish(life)
    ledger = lives.between_lives("SELECT key FROM ledger ORDER BY n")
    given_up = lives.between_lives("SELECT key FROM inbox WHERE state = 'failed'")
    assert sorted([*ledger, *given_up]) == sorted(story.said), (
        "every message is settled exactly once"
    )
    crashes = sum(isinstance(event, Crash) for event in events)
    assert not given_up or crashes >= ATTEMPTS, (
        "only what ended the process again and again is given up"
    )
    order = {
        key: number
        for number, key in enumerate(lives.between_lives("SELECT key FROM inbox ORDER BY id"))
    }
    for session in SESSIONS:
        at_once = [
            key for key in ledger if story.said[key].session == session and not story.said[key].due
        ]
        assert at_once == sorted(at_once, key=lambda key: order[key]), f"order of session {session}"
    assert set(lives.between_lives("SELECT state FROM inbox")) <= {"done", "recorded", "failed"}


@given(EVENTS)
@settings(max_examples=examples(40))
def test_order_and_exactly_once_hold_whatever_happens(events: list[Event]):
    with TemporaryDirectory() as folder:
        asyncio.run(tell(events, Path(folder)))
