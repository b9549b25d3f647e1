"""What every turn engine promises: acceptance and order."""

import asyncio
from datetime import timedelta

import pytest

from bot.domain.database import Unit, Write
from bot.errors import TurnError, UnitRejected
from bot.testing.engine_lives import Diary, Lives
from bot.testing.fake_clock import settle
from bot.testing.waiting import until

# --- accepting ---


async def test_a_key_is_accepted_once_and_its_unit_with_it(lives: Lives):
    diary = Diary()
    table = Unit.of(Write("CREATE TABLE scraps (n INTEGER)"))
    note = Unit.of(Write("INSERT INTO scraps VALUES (1)"))
    async with lives.life(diary.run) as life:
        await life.database.write(table)
        assert await life.engine.submit("s", "k", {}, unit=note)
        assert not await life.engine.submit("s", "k", {}, unit=note)
        assert not await life.engine.record("s", "k", {}, note)
        await until(lambda: diary.ended == ["k"])
        assert await life.database.read("SELECT n FROM scraps") == [{"n": 1}]


async def test_a_refused_unit_of_the_caller_refuses_the_work(lives: Lives):
    diary = Diary()
    impossible = Unit.of(Write("UPDATE inbox SET state = state WHERE id = -1", rows=1))
    async with lives.life(diary.run) as life:
        with pytest.raises(UnitRejected) as caught:
            await life.engine.submit("s", "k", {}, unit=impossible)
        assert caught.value.index == 0
        assert await life.engine.submit("s", "k", {})
        await until(lambda: diary.ended == ["k"])


async def test_recorded_work_never_runs(lives: Lives):
    diary = Diary()
    async with lives.life(diary.run) as life:
        assert await life.engine.record("s", "context", {"text": "hi"})
        assert not await life.engine.submit("s", "context", {})
        await life.submit("k")
        await until(lambda: diary.ended == ["k"])


async def test_waiting_for_work_wakes_when_it_arrives_and_when_it_is_due(
    lives: Lives,
):
    diary = Diary()
    gate = diary.gate("first")
    async with lives.life(diary.run) as life:
        await life.started()
        await life.submit("first")
        await until(lambda: diary.ran == ["first"])
        told, left, elsewhere = (life.engine.arrival(session) for session in ("s", "s", "other"))
        left.cancel()
        await life.engine.record("s", "context", {})
        later = lives.clock.now() + timedelta(seconds=60)
        await life.engine.submit("s", "later", {}, due=later)
        assert not told.done()
        await life.advance(60)
        await until(told.done)
        again = life.engine.arrival("s")
        await life.submit("second")
        await until(again.done)
        assert await life.engine.waiting("s") == 2
        assert not elsewhere.done()
        elsewhere.cancel()
        gate.set()
        await until(lambda: len(diary.ended) == 3)


async def test_a_body_must_be_json(lives: Lives):
    async with lives.life(Diary().run) as life:
        with pytest.raises(TurnError, match="body of k"):
            await life.engine.submit("s", "k", {"when": timedelta(1)})


async def test_a_caller_that_gives_up_does_not_lose_the_work(lives: Lives):
    diary = Diary()
    async with lives.life(diary.run) as life:
        asking = asyncio.create_task(life.engine.submit("s", "k", {}))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asking.cancel()
        await until(lambda: diary.ended == ["k"])


# --- order ---


async def test_a_session_runs_in_order_and_sessions_beside_each_other(lives: Lives):
    diary = Diary()
    diary.gate("a1")
    async with lives.life(diary.run) as life:
        for key in ("a1", "a2", "b1"):
            await life.engine.submit(key[0], key, {})
        await until(lambda: diary.ended == ["b1"] and "a1" in diary.ran)
        assert sorted(diary.ran) == ["a1", "b1"]  # either session may begin first
        assert life.engine.running("a")
        assert await life.engine.waiting("a") == 1
        diary.gate("a1").set()
        await until(lambda: diary.ended == ["b1", "a1", "a2"])


async def test_no_more_turns_than_allowed_run_at_once_and_none_is_forgotten(lives: Lives):
    diary = Diary()
    keys = [f"{number}" for number in range(9)]
    for key in keys:
        diary.gate(key)
    async with lives.life(diary.run) as life:
        for key in keys:
            await life.submit(key, session=f"session {key}")
        await until(lambda: len(diary.ran) == 4)
        await settle()
        assert len(diary.ran) == 4
        for key in keys:
            diary.gate(key).set()
        await until(lambda: sorted(diary.ended) == keys)


async def test_work_that_is_due_later_does_not_delay_work_that_is_due_now(lives: Lives):
    diary = Diary()
    async with lives.life(diary.run) as life:
        await life.engine.submit("s", "later", {}, due=lives.clock.now() + timedelta(seconds=60))
        await life.submit("now")
        await until(lambda: diary.ended == ["now"])
        await life.advance(59)
        assert diary.ran == ["now"]
        await life.advance(2)
        await until(lambda: diary.ended == ["now", "later"])


async def test_waiting_work_runs_at_the_start_in_order(lives: Lives):
    diary = Diary()
    diary.gate("1")
    async with lives.life(diary.run) as life:
        await life.submit("1", "2", "3")
        await life.engine.submit("s", "later", {}, due=lives.clock.now() + timedelta(hours=1))
        await until(lambda: diary.ran == ["1"])
        life.task.cancel()
        await life.advance(3)
    diary.gate("1").set()
    async with lives.life(diary.run) as life:
        await until(lambda: diary.ended == ["1", "2", "3"])
        await life.advance(3600)
        await until(lambda: diary.ended[-1] == "later")
