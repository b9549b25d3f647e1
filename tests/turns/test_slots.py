"""Slots: work on this machine is limited, waiting for a model or a person is not."""

import asyncio

import pytest

from bot.domain.turns import Turn
from bot.testing.engine_lives import Diary, Lives
from bot.testing.fake_clock import settle
from bot.testing.waiting import until
from bot.turns.shares import Urgency
from bot.turns.slots import Slots


def slots(most: int, reserved: int = 0) -> Slots:
    return Slots(most, reserved, lambda: None)


async def test_waiting_for_a_model_holds_no_slot_and_regains_one_first():
    two = slots(1)
    two.take("a", Urgency.REQUEST)
    assert not two.room(Urgency.REQUEST)
    answered = asyncio.Event()

    async def ask() -> None:
        async with two.away("a"):
            await answered.wait()

    asking = asyncio.create_task(ask())
    await settle()
    assert two.room(Urgency.REQUEST)
    two.take("b", Urgency.REQUEST)
    answered.set()
    await settle()
    assert not asking.done()
    two.leave("b")
    assert not two.room(Urgency.REQUEST)
    await asking
    two.leave("a")
    assert two.room(Urgency.REQUEST)


async def test_a_turn_that_is_cut_off_while_it_waits_for_a_slot_takes_none():
    one = slots(1)
    one.take("a", Urgency.REQUEST)
    answered = asyncio.Event()

    async def ask() -> None:
        async with one.away("a"):
            await answered.wait()

    asking = asyncio.create_task(ask())
    await settle()
    one.take("b", Urgency.REQUEST)
    answered.set()
    await settle()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    one.leave("a")
    assert not one.room(Urgency.REQUEST)
    one.leave("b")
    assert one.room(Urgency.REQUEST)


async def test_branches_of_one_turn_share_its_slot():
    one = slots(1)
    one.take("a", Urgency.REQUEST)
    first, second = asyncio.Event(), asyncio.Event()

    async def ask(answered: asyncio.Event) -> None:
        async with one.away("a"):
            await answered.wait()

    asking = [asyncio.create_task(ask(event)) for event in (first, second)]
    await settle()
    first.set()
    await asking[0]
    assert one.room(Urgency.REQUEST)
    second.set()
    await asking[1]
    assert not one.room(Urgency.REQUEST)


def test_unattended_work_leaves_reserved_slots_and_commands_need_none():
    three = slots(3, reserved=1)
    three.take("x", Urgency.BACKGROUND)
    three.take("y", Urgency.BACKGROUND)
    assert not three.room(Urgency.BACKGROUND)
    assert three.room(Urgency.REQUEST)
    three.take("z", Urgency.REQUEST)
    assert not three.room(Urgency.REQUEST)
    assert three.room(Urgency.COMMAND)
    three.take("stop", Urgency.COMMAND)
    three.leave("stop")
    assert not three.room(Urgency.REQUEST)


async def test_forty_requests_to_a_stalled_model_stop_nobody(lives: Lives):
    diary = Diary()
    model = asyncio.Event()

    async def run(turn: Turn) -> None:
        if turn.key.startswith("stalled"):
            async with turn.away():
                await model.wait()
        await diary.run(turn)

    async with lives.life(run) as life:
        await life.started()
        for number in range(40):
            await life.engine.submit(f"stalled {number}", f"stalled {number}", {})
        await life.engine.submit("bystander", "bystander", {})
        await until(lambda: diary.ended == ["bystander"])
        model.set()
        await until(lambda: len(diary.ended) == 41)


async def test_two_branches_that_come_back_while_others_work_take_one_slot():
    one = slots(1)
    one.take("a", Urgency.REQUEST)

    async def ask(answered: asyncio.Event) -> None:
        async with one.away("a"):
            await answered.wait()

    first, second = asyncio.Event(), asyncio.Event()
    asking = [asyncio.create_task(ask(first))]
    await settle()
    one.take("b", Urgency.REQUEST)
    first.set()
    await settle()  # the first branch is back and waits for the slot
    asking.append(asyncio.create_task(ask(second)))
    await settle()
    second.set()
    await settle()
    one.leave("b")
    await settle()
    assert all(task.done() for task in asking)
    assert not one.room(Urgency.REQUEST)
    one.leave("a")
    assert one.room(Urgency.REQUEST)


async def test_a_returning_branch_uses_the_slot_that_another_got():
    one = slots(1)
    one.take("a", Urgency.REQUEST)

    async def ask(answered: asyncio.Event) -> None:
        async with one.away("a"):
            await answered.wait()

    first, second = asyncio.Event(), asyncio.Event()
    asking = [asyncio.create_task(ask(first))]
    await settle()
    one.take("b", Urgency.REQUEST)
    first.set()
    await settle()
    asking.append(asyncio.create_task(ask(second)))
    await settle()
    one.leave("b")  # the first branch gets the slot while the second is away
    second.set()
    await settle()
    assert all(task.done() for task in asking)
    one.leave("a")
    assert one.room(Urgency.REQUEST)
