"""What every turn engine promises: how turns end."""

import asyncio

import pytest

from bot.domain.database import Database, Unit, Write, WriteResult
from bot.domain.turns import Recorded, Turn
from bot.errors import StorageError, TurnError
from bot.testing.engine_lives import Diary, Lives, gives
from bot.testing.waiting import until

# --- the end ---


async def test_finish_settles_with_its_unit_and_only_once(lives: Lives):
    caught: list[str] = []

    async def run(turn: Turn) -> None:
        await turn.finish(Unit.of(Write("INSERT INTO scraps VALUES (1)")))
        for attempt in (turn.finish(), turn.step("late", gives(1))):
            try:
                await attempt
            except TurnError as error:
                caught.append(str(error))
        raise RuntimeError("too late to matter")

    async with lives.life(run) as life:
        await life.database.write(Unit.of(Write("CREATE TABLE scraps (n INTEGER)")))
        await life.submit("k")
        await until(lambda: len(caught) == 2 and not life.engine.running("s"))
        assert await life.database.read("SELECT n FROM scraps") == [{"n": 1}]
        assert lives.clock.sleepers == 0


async def test_finish_returns_the_rows_of_its_unit_alone(lives: Lives):
    returned: list[WriteResult] = []

    async def keeps() -> Recorded:
        return Recorded(1, soon=True)

    async def run(turn: Turn) -> None:
        await turn.step("kept", keeps)
        added = Write("INSERT INTO scraps VALUES (1) RETURNING n")
        returned.append(await turn.finish(Unit.of(added, Write("DELETE FROM scraps"))))

    async with lives.life(run) as life:
        await life.database.write(Unit.of(Write("CREATE TABLE scraps (n INTEGER)")))
        await life.submit("k")
        await until(lambda: bool(returned))
    assert returned == [WriteResult((({"n": 1},), ()))]


async def test_a_turn_that_gets_further_each_time_is_never_given_up(lives: Lives):
    ends: list[str] = []

    async def run(turn: Turn) -> None:
        for number in range(6):
            if not turn.done(f"s{number}"):
                await turn.step(f"s{number}", gives(number))
                raise ValueError("the process is gone again")
        ends.append(turn.key)

    async with lives.life(run) as life:
        await life.submit("k")
        for _ in range(6):
            await life.advance(1)
        await until(lambda: bool(ends))
    assert ends == ["k"]


async def test_three_failed_attempts_end_in_one_apology(lives: Lives):
    attempts: list[tuple[int, float]] = []
    apologies: list[tuple[str, str]] = []
    after: list[str] = []

    async def run(turn: Turn) -> None:
        if turn.key == "after":
            after.append(turn.key)
            return
        attempts.append((turn.attempt, lives.clock.monotonic()))
        raise ValueError("it is broken")

    async def apologise(turn: Turn, reason: str) -> None:
        apologies.append((turn.ref, reason))

    async with lives.life(run, apologise) as life:
        await life.submit("poison", "after")
        await life.advance(1)
        await until(lambda: len(attempts) == 2)
        await life.advance(5)
        await until(lambda: bool(after))
    assert attempts == [(1, 0), (2, 1), (3, 6)]
    assert apologies == [("t1", "ValueError: it is broken")]


async def test_an_apology_that_fails_too_is_tried_again_and_then_dropped(lives: Lives):
    tried: list[int] = []
    after: list[str] = []

    async def run(turn: Turn) -> None:
        if turn.key == "after":
            after.append(turn.key)
            return
        raise ValueError("broken")

    async def apologise(turn: Turn, reason: str) -> None:
        tried.append(turn.attempt)
        raise RuntimeError("the platform is down")

    async with lives.life(run, apologise) as life:
        await life.submit("poison", "after")
        while not after:
            await until(lambda: lives.clock.sleepers > 0 or bool(after))
            await lives.clock.advance(5)
    assert len(tried) == 3


async def test_a_drain_lets_turns_end_and_puts_the_rest_back_uncounted(lives: Lives):
    diary = Diary()
    diary.gate("quick")
    diary.gate("endless")
    attempts: list[int] = []

    async def run(turn: Turn) -> None:
        if turn.key == "endless":
            attempts.append(turn.attempt)
        await diary.run(turn)

    for number in range(4):
        async with lives.life(run) as life:
            await life.submit("quick", session="a")
            await life.submit("endless", session="b")
            await until(lambda number=number: len(attempts) == number + 1)
            life.task.cancel()
            await until(lambda: lives.clock.sleepers > 0)
            await life.submit(f"not begun any more {number}", session="c")
            diary.gate("quick").set()
            await until(lambda: "quick" in diary.ended)
            await life.advance(3)
            await until(life.task.done)
            assert f"not begun any more {number}" not in diary.ran
    assert attempts == [1, 1, 1, 1]
    assert diary.ended.count("quick") == 1
    diary.gate("endless").set()
    async with lives.life(run):
        await until(lambda: "endless" in diary.ended)


async def test_an_engine_that_cannot_store_says_so_instead_of_dying_silently(lives: Lives):
    lives_database: Database

    async def run(turn: Turn) -> None:
        await lives_database.write(Unit.of(Write("ALTER TABLE inbox RENAME TO elsewhere")))

    async def live() -> None:
        nonlocal lives_database
        async with lives.life(run) as life:
            lives_database = life.database
            await life.submit("k")
            await until(life.task.done)

    with pytest.raises(StorageError, match="inbox"):
        await live()
    lives.between_lives("ALTER TABLE elsewhere RENAME TO inbox")


# --- stopping ---


async def test_a_stop_cancels_a_stoppable_runner_and_lets_it_finish(lives: Lives):
    log: list[str] = []
    inside = asyncio.Event()

    async def run(turn: Turn) -> None:
        if turn.key == "next":
            log.append("next")
            return
        try:
            with turn.stoppable():
                inside.set()
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            assert turn.stop_requested
            await turn.step("send:stopped", gives("sent", log))
            await turn.finish()
            log.append("finished")

    async with lives.life(run) as life:
        assert not await life.engine.stop_turn("s")
        await life.submit("k", "next")
        await inside.wait()
        assert await life.engine.stop_turn("s")
        await until(lambda: log == ["sent", "finished", "next"])


async def test_a_stop_outside_the_stoppable_part_only_says_so(lives: Lives):
    log: list[str] = []
    inside = asyncio.Event()
    go = asyncio.Event()

    async def run(turn: Turn) -> None:
        inside.set()
        await go.wait()
        log.append(f"sent, stop={turn.stop_requested}")

    async with lives.life(run) as life:
        await life.submit("k")
        await inside.wait()
        assert await life.engine.stop_turn("s")
        go.set()
        await until(lambda: log == ["sent, stop=True"])


async def test_a_stopped_runner_that_does_not_finish_is_settled(lives: Lives):
    runs: list[str] = []
    inside = asyncio.Event()

    async def run(turn: Turn) -> None:
        runs.append(turn.key)
        if turn.key == "k":
            with turn.stoppable():
                inside.set()
                await asyncio.Event().wait()

    async with lives.life(run) as life:
        await life.submit("k", "next")
        await inside.wait()
        assert await life.engine.stop_turn("s")
        await until(lambda: runs == ["k", "next"])


async def test_a_stop_drops_the_open_question_and_frees_the_session(lives: Lives):
    log: list[str] = []

    async def run(turn: Turn) -> None:
        if turn.key == "next":
            log.append("next")
            return
        try:
            await turn.ask("ask", "ann", "room", "Which?")
        except asyncio.CancelledError:
            log.append(f"cancelled, stop={turn.stop_requested}")
            await turn.finish()

    async with lives.life(run) as life:
        await life.submit("k")
        question = await life.asked()
        await life.engine.submit("s", "next", {"kind": "approval"})
        assert await life.engine.stop_turn("s")
        await until(lambda: log == ["cancelled, stop=True", "next"])
        assert await life.engine.open_question("room", "ann") is None
        assert not await life.engine.answer(question.ref, "m", "too late")


async def test_a_stop_drops_the_question_of_an_earlier_life(lives: Lives):
    ends: list[bool] = []

    async def run(turn: Turn) -> None:
        try:
            await turn.ask("ask", "ann", "room", "Which?")
        except asyncio.CancelledError:
            ends.append(turn.stop_requested)
            await turn.finish()

    async with lives.life(run) as life:
        await life.submit("k")
        await life.asked()
    async with lives.life(run) as life:
        await life.started()
        assert await life.engine.stop_turn("s")
        await until(lambda: bool(ends) and not life.engine.running("s"))
        assert await life.engine.open_question("room", "ann") is None
    assert ends == [True]


async def test_a_stop_ends_the_wait_before_a_retry(lives: Lives):
    log: list[str] = []

    async def run(turn: Turn) -> None:
        log.append(f"{turn.attempt}, stop={turn.stop_requested}")
        raise RuntimeError("broken")

    async with lives.life(run) as life:
        await life.submit("k")
        await until(lambda: lives.clock.sleepers > 0)
        assert await life.engine.stop_turn("s")
        await until(lambda: len(log) == 2 and not life.engine.running("s"))
        assert await life.engine.waiting("s") == 0
    assert log == ["1, stop=False", "2, stop=True"]
