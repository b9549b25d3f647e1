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


def taken() -> Slots:
    """One slot, which the turn a has."""
    one = slots(1)
    one.take("a", Urgency.REQUEST)
    return one


async def asking(one: Slots) -> tuple[asyncio.Task[None], asyncio.Event]:
    """A branch of a that waits for a model, and the model's answer."""
    answered = asyncio.Event()

    async def ask() -> None:
        async with one.away("a"):
            await answered.wait()

    branch = asyncio.create_task(ask())
    await settle()
    return branch, answered


async def test_waiting_for_a_model_holds_no_slot_and_regains_one_first():
    one = taken()
    assert not one.room(Urgency.REQUEST)
    branch, answered = await asking(one)
    assert one.room(Urgency.REQUEST)
    one.take("b", Urgency.REQUEST)
    answered.set()
    await settle()
    assert not branch.done()
    one.leave("b")
    assert not one.room(Urgency.REQUEST)
    await branch
    one.leave("a")
    assert one.room(Urgency.REQUEST)


async def test_a_turn_that_is_cut_off_while_it_waits_for_a_slot_takes_none():
    one = taken()
    branch, answered = await asking(one)
    one.take("b", Urgency.REQUEST)
    answered.set()
    await settle()
    branch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await branch
    one.leave("a")
    assert not one.room(Urgency.REQUEST)
    one.leave("b")
    assert one.room(Urgency.REQUEST)


async def test_branches_of_one_turn_share_its_slot():
    one = taken()
    (first, answered_first), (second, answered_second) = await asking(one), await asking(one)
    answered_first.set()
    await first
    assert one.room(Urgency.REQUEST)
    answered_second.set()
    await second
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
            await life.submit(f"stalled {number}", session=f"stalled {number}")
        await life.submit("bystander", session="bystander")
        await until(lambda: diary.ended == ["bystander"])
        model.set()
        await until(lambda: len(diary.ended) == 41)


async def test_two_branches_that_come_back_while_others_work_take_one_slot():
    one = taken()
    first, answered_first = await asking(one)
    one.take("b", Urgency.REQUEST)
    answered_first.set()
    await settle()  # the first branch is back and waits for the slot
    second, answered_second = await asking(one)
    answered_second.set()
    await settle()
    one.leave("b")
    await settle()
    assert all(task.done() for task in (first, second))
    assert not one.room(Urgency.REQUEST)
    one.leave("a")
    assert one.room(Urgency.REQUEST)


async def test_a_returning_branch_uses_the_slot_that_another_got():
    one = taken()
    first, answered_first = await asking(one)
    one.take("b", Urgency.REQUEST)
    answered_first.set()
    await settle()
    second, answered_second = await asking(one)
    one.leave("b")  # the first branch gets the slot while the second is away
    answered_second.set()
    await settle()
    assert all(task.done() for task in (first, second))
    one.leave("a")
    assert one.room(Urgency.REQUEST)
