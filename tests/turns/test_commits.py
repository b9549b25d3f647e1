"""The number of commits of a turn; shared ones are on disk before any effect."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.turns import Recorded, StepFunction, Suspended, Turn
from bot.errors import UnitRejected
from bot.testing.engine_lives import Diary, Life, Lives
from bot.testing.waiting import until
from bot.turns.engine import TurnEngine
from bot.turns.settings import TurnLimits


def make(database: Database, clock: Clock) -> TurnEngine:
    return TurnEngine(database, clock, owner="test", drain_s=0, limits=TurnLimits(working=3))


@pytest.fixture
async def lives(tmp_path: Path) -> Lives:
    return await Lives.begin(tmp_path, make)


def gives(value: str, unit: Unit = Unit(), *, soon: bool) -> StepFunction:
    async def fn() -> Recorded:
        return Recorded(value, unit, soon)

    return fn


async def begun(life: Life) -> None:
    """Wait until the engine has opened: only then may work begin with its acceptance."""
    await life.submit("first", session="first")
    await ended(life, "first")
    life.database.commits.clear()


async def ended(life: Life, session: str = "s") -> None:
    """Wait until nothing of a session is left to do."""
    open_work = "SELECT id FROM inbox WHERE session = ? AND settled_at IS NULL"

    async def is_done() -> bool:
        return not (life.engine.running(session) or await life.database.read(open_work, (session,)))

    await until(is_done)


async def steps(life: Life, turn: Turn) -> list[str]:
    rows = await life.database.read(
        "SELECT key FROM steps WHERE turn = ? AND state = 'done'", (turn.id,)
    )
    return sorted(row["key"] for row in rows)


async def test_a_message_to_an_idle_session_is_accepted_and_begun_in_one_commit(lives: Lives):
    seen: list[tuple[str, int]] = []

    async def run(turn: Turn) -> None:
        rows = await life.database.read(
            "SELECT state, attempts FROM inbox WHERE id = ?", (turn.id,)
        )
        seen.extend((row["state"], row["attempts"]) for row in rows)

    async with lives.life(run) as life:
        await begun(life)
        await life.engine.submit(
            "s", "k", {"a": 1}, unit=Unit.of(Write("DELETE FROM questions WHERE id = -1"))
        )
        await ended(life)
        assert life.database.writes == 2  # and its end
        assert seen[-1] == ("running", 1)


async def test_a_turn_that_asked_nothing_ends_without_a_look_for_questions(lives: Lives):
    async def run(turn: Turn) -> None:
        await turn.step("once", gives("a", soon=False), once=True)

    async with lives.life(run) as life:
        await begun(life)
        await life.submit("k")
        await ended(life)
        assert life.database.commits[1:] == ["once started", "once done", "update inbox"]


async def test_a_turn_that_leaves_a_question_open_drops_it_when_it_ends(lives: Lives):
    async def run(turn: Turn) -> None:
        with suppress(Suspended):
            await turn.ask("ask", "ann", "room", "Which?")
        await turn.finish()

    async with lives.life(run) as life:
        await life.started()
        await life.submit("k")
        await ended(life)
        rows = await life.database.read("SELECT state FROM questions")
    assert [row["state"] for row in rows] == ["dropped"]


async def test_a_key_that_was_seen_begins_nothing_and_leaves_the_session_free(lives: Lives):
    diary = Diary()
    async with lives.life(diary.run) as life:
        await begun(life)
        assert await life.engine.submit("s", "k", {})
        await ended(life)
        assert not await life.engine.submit("s", "k", {})
        assert not life.engine.running("s")
        assert await life.engine.submit("s", "l", {})
        await ended(life)
    assert diary.ran == ["first", "k", "l"]


async def test_nothing_overtakes_what_is_on_its_way(lives: Lives):
    diary = Diary()
    async with lives.life(diary.run) as life:
        await begun(life)
        await asyncio.gather(*(life.engine.submit("s", f"k{number}", {}) for number in range(5)))
        await until(lambda: len(diary.ran) == 6)
    assert diary.ran == ["first", "k0", "k1", "k2", "k3", "k4"]


async def test_another_processs_session_is_left_alone_with_its_work(lives: Lives):
    async with lives.life(Diary().run) as life:
        await begun(life)
        await life.database.write(
            Unit.of(Write("INSERT INTO claims (session, owner, epoch) VALUES ('s', 'other', 1)"))
        )
        assert await life.engine.submit("s", "k", {})
        await until(lambda: not life.engine.running("s"))
        assert (await life.database.read("SELECT state FROM inbox WHERE key = 'k'"))[0][
            "state"
        ] == "new"


async def test_a_session_is_claimed_once_and_again_only_if_the_claim_is_lost(lives: Lives):
    async with lives.life(Diary().run) as life:
        await begun(life)
        for key in ("k", "l"):
            await life.submit(key)
            await ended(life)
        end = "update inbox"
        assert life.database.commits == ["insert inbox, insert claims", end, "insert inbox", end]
        await life.database.write(Unit.of(Write("UPDATE claims SET epoch = epoch + 1")))
        assert await life.engine.submit("s", "m", {})
        await ended(life)
        assert not await life.engine.submit("s", "m", {})
        await life.database.write(Unit.of(Write("UPDATE claims SET owner = 'other'")))
        assert await life.engine.submit("s", "n", {})
        await until(lambda: not life.engine.running("s"))
        rows = await life.database.read("SELECT key, state FROM inbox WHERE session = 's'")
    assert {row["key"]: row["state"] for row in rows} == {
        "k": "done",
        "l": "done",
        "m": "done",
        "n": "new",
    }


async def test_a_refused_unit_of_the_caller_leaves_a_claimed_session_free(lives: Lives):
    refused = Unit.of(Write("DELETE FROM questions WHERE id = -1", rows=1))
    async with lives.life(Diary().run) as life:
        await begun(life)
        assert await life.engine.submit("s", "k", {})
        await ended(life)
        with pytest.raises(UnitRejected, match="expected 1") as caught:
            await life.engine.submit("s", "l", {}, unit=refused)
        assert caught.value.index == 0
        assert not life.engine.running("s")
        assert await life.engine.submit("s", "l", {})
        await ended(life)


async def test_a_process_that_dies_while_accepting_leaves_work_for_the_next(lives: Lives):
    ran: list[int] = []

    async def run(turn: Turn) -> None:
        ran.append(turn.attempt)

    async with lives.life(run) as life:
        await begun(life)
        accepting = asyncio.create_task(life.engine.submit("s", "k", {}))
        await asyncio.sleep(0)
        life.task.cancel()
        assert await accepting
    async with lives.life(run) as life:
        await until(lambda: len(ran) == 2)
    assert ran == [1, 1]


async def test_a_result_of_soon_is_on_disk_before_the_next_step_works(lives: Lives):
    found: list[list[str]] = []

    async def run(turn: Turn) -> None:
        if turn.session != "s":
            return

        async def look() -> Recorded:
            found.append(await steps(life, turn))
            return Recorded("seen")

        await turn.step("one", gives("1", soon=True))
        found.append(await steps(life, turn))
        await turn.step("two", look)
        await turn.step("three", gives("3", soon=True))
        await turn.step("four", look, once=True)

    async with lives.life(run) as life:
        await begun(life)
        await life.submit("k")
        await ended(life)
        # accepted and begun; one; two; three and the intent of four; four; the end
        assert life.database.writes == 6
    assert found == [[], ["one"], ["one", "three", "two"]]


async def test_a_result_of_soon_is_written_with_a_pure_step_and_before_any_other(lives: Lives):
    found: list[list[str]] = []

    async def run(turn: Turn) -> None:
        if turn.session != "s":
            return

        async def look() -> Recorded:
            found.append(await steps(life, turn))
            return Recorded("seen")

        await turn.step("one", gives("1", soon=True))
        await turn.step("two", look, pure=True)
        found.append(await steps(life, turn))
        await turn.step("three", gives("3", soon=True))
        await turn.step("four", gives("4", soon=True), pure=True)
        await turn.step("five", look)

    async with lives.life(run) as life:
        await begun(life)
        await life.submit("k")
        await ended(life)
        assert life.database.writes == 5  # accepted and begun; two; four; five; the end
    assert found == [[], ["one", "two"], ["four", "one", "three", "two"]]


async def test_an_empty_take_is_stored_only_before_a_step_without_a_result(lives: Lives):
    async def run(turn: Turn) -> None:
        await turn.take(1, before="one")
        await turn.step("one", gives("1", soon=False))
        await turn.take(2, before="two")
        await turn.step("within", gives("a part of two", soon=False))
        await turn.step("two", gives("2", soon=False))

    async with lives.life(run) as life:
        await begun(life)
        await life.submit("k")
        await ended(life)
    found = lives.between_lives("SELECT key FROM steps WHERE turn = 2 ORDER BY key")
    assert found == ["one", "steer:2", "two", "within"]


async def test_a_result_of_soon_is_written_with_the_end(lives: Lives):
    mark = Unit.of(Write("UPDATE inbox SET error = 'marked' WHERE key = 'k'"))

    async def run(turn: Turn) -> None:
        await turn.step(
            "send", gives("sent", mark if turn.session == "s" else Unit(), soon=True), once=True
        )
        await turn.finish()

    async with lives.life(run) as life:
        await begun(life)
        await life.submit("k")
        await ended(life)
        assert life.database.writes == 3  # accepted and begun; the intent; the end
        row = (await life.database.read("SELECT error, state FROM inbox WHERE key = 'k'"))[0]
        assert (row["error"], row["state"]) == ("marked", "done")
    assert lives.between_lives("SELECT value FROM steps WHERE turn = 2") == ['"sent"']
