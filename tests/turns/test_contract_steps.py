"""What every turn engine promises: steps and scopes."""

import asyncio

from bot.domain.database import Unit, Write
from bot.domain.json_types import JsonValue
from bot.domain.turns import OutcomeUnknown, Recorded, Turn
from bot.errors import TurnError, UnitRejected
from bot.testing.engine_lives import Lives, gives
from bot.testing.fake_clock import run_ready
from bot.testing.waiting import until


async def test_steps_that_are_done_are_not_run_again(lives: Lives):
    log: list[str] = []

    async def run(turn: Turn) -> None:
        assert turn.done("first") == (turn.attempt > 1)
        log.append(str(await turn.step("first", gives("value", log, "ran first"))))
        if turn.attempt == 1:
            raise RuntimeError("a hiccup")
        await turn.step("second", gives(None, log, "ran second"))

    async with lives.life(run) as life:
        await life.submit("k")
        await life.advance(1)
        await until(lambda: "ran second" in log)
    assert log == ["ran first", "value", "value", "ran second"]


async def test_a_step_returns_what_a_replay_would_return(lives: Lives):
    seen: list[JsonValue] = []

    async def run(turn: Turn) -> None:
        seen.append(await turn.step("tuple", gives({"pair": (1, 2)})))

    async with lives.life(run) as life:
        await life.submit("k")
        await until(lambda: seen == [{"pair": [1, 2]}])


async def test_a_value_that_is_not_json_is_refused_by_name(lives: Lives):
    caught: list[str] = []

    async def run(turn: Turn) -> None:
        for value in (object(), float("nan")):
            try:
                await turn.scope("tool:1.0").step("odd", gives(value))
            except TurnError as error:
                caught.append(str(error))

    async with lives.life(run) as life:
        await life.submit("k")
        await until(lambda: len(caught) == 2)
    assert all("step tool:1.0/odd" in text for text in caught)


async def test_steps_beside_each_other_keep_their_own_results(lives: Lives):
    results: list[list[JsonValue]] = []

    async def run(turn: Turn) -> None:
        async def slow() -> Recorded:
            await run_ready(30)
            return Recorded("slow")

        results.append(
            list(await asyncio.gather(turn.step("a", slow), turn.step("b", gives("fast"))))
        )
        if turn.attempt == 1:
            raise RuntimeError("again")

    async with lives.life(run) as life:
        await life.submit("k")
        await life.advance(1)
        await until(lambda: len(results) == 2)
    assert results == [["slow", "fast"]] * 2


async def test_one_key_twice_at_the_same_time_is_refused(lives: Lives):
    caught: list[BaseException] = []

    async def run(turn: Turn) -> None:
        async def slow() -> Recorded:
            await run_ready(30)
            return Recorded(1)

        results = await asyncio.gather(
            turn.step("a", slow), turn.step("a", slow), return_exceptions=True
        )
        caught.extend(item for item in results if isinstance(item, BaseException))

    async with lives.life(run) as life:
        await life.submit("k")
        await until(lambda: len(caught) == 1)
    assert isinstance(caught[0], TurnError)


async def test_scopes_prefix_keys_and_share_the_turn(lives: Lives):
    seen: list[object] = []

    async def run(turn: Turn) -> None:
        child = turn.scope("tool:2.0")
        grandchild = child.scope("tool:1.1")
        await grandchild.step("model:1", gives("deep"))
        seen.extend(
            [child.prefix, grandchild.prefix, turn.prefix, turn.done("tool:2.0/tool:1.1/model:1")]
        )
        seen.extend(
            [
                child.done("model:1"),
                grandchild.id == turn.id,
                grandchild.ref == turn.ref,
                turn.ref[0],
            ]
        )
        try:
            await child.finish()
        except TurnError:
            seen.append("refused")

    async with lives.life(run) as life:
        await life.submit("k")
        await until(lambda: len(seen) == 9)
    assert seen == ["tool:2.0", "tool:2.0/tool:1.1", "", True, False, True, True, "t", "refused"]


async def test_a_value_and_its_unit_stand_or_fall_together(lives: Lives):
    outcomes: list[str] = []

    async def run(turn: Turn) -> None:
        async def writes() -> Recorded:
            impossible = Write("UPDATE inbox SET state = state WHERE id = -1", rows=1)
            return Recorded("value", Unit.of(Write("INSERT INTO scraps VALUES (7)"), impossible))

        try:
            await turn.step("tool", writes)
        except UnitRejected as error:
            outcomes.append(f"write {error.index}, done {turn.done('tool')}")

    async with lives.life(run) as life:
        await life.database.write(Unit.of(Write("CREATE TABLE scraps (n INTEGER)")))
        await life.submit("k")
        await until(lambda: bool(outcomes))
        assert await life.database.read("SELECT * FROM scraps") == []
    assert outcomes == ["write 1, done False"]


async def test_a_once_step_that_broke_off_is_recovered_or_unknown(lives: Lives):
    log: list[str] = []

    async def breaks() -> Recorded:
        log.append("effect")
        raise RuntimeError("cut off")

    async def run(turn: Turn) -> None:
        if turn.attempt == 1:
            await asyncio.gather(
                turn.step("send", breaks, once=True),
                turn.step("pay", breaks, once=True),
                return_exceptions=True,
            )
            raise RuntimeError("end of the attempt")
        try:
            await turn.step("pay", breaks, once=True)
        except OutcomeUnknown:
            log.append("unknown")
        log.append(str(await turn.step("send", breaks, once=True, recover=gives("found"))))
        log.append(str(await turn.step("send", breaks, once=True)))

    async with lives.life(run) as life:
        await life.submit("k")
        await life.advance(1)
        await until(lambda: len(log) == 5)
    assert log == ["effect", "effect", "unknown", "found", "found"]
