"""Answers that a platform does not take: they wait in order, or their person is told."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from bot.domain.messages import OutgoingMessage, Place
from bot.errors import DeliveryError
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import call, say

PLANS = {
    "one": [call("send", {"text": "first"}), say("second")],
    "two": [say("third")],
    "other": [say("elsewhere")],
}


def down(only: str = "") -> Callable[[OutgoingMessage], DeliveryError | None]:
    """A platform that takes nothing, or nothing with these words."""
    return lambda message: DeliveryError("down", retryable=True) if only in message.text else None


async def posted(life: AppLife, lives: AppLives, count: int) -> list[str]:
    """Let time pass until so many things are posted."""
    async with asyncio.timeout(60):
        while len(life.chat.posts) < count:
            await lives.clock.advance(1)
    return life.chat.texts


async def test_later_messages_do_not_overtake_waiting_ones(home: Path):
    chat = FakeChat()
    lives = AppLives(home, chat)
    async with lives.life(PlanModel(PLANS)) as life:
        chat.refuse = down("first")
        await life.tell("ann", "do:one")
        chat.refuse = down("no such words")
        await chat.say("ann", "do:two")
        await life.tell("ben", "do:other")
        assert chat.texts == ["elsewhere"]
        assert await posted(life, lives, 4) == ["elsewhere", "first", "second", "third"]
        await life.tell("ann", "and now?")
        assert chat.texts[4:] == ["Done."]


async def test_waiting_messages_survive_the_process(home: Path):
    chat = FakeChat()
    lives = AppLives(home, chat)
    async with lives.life(PlanModel(PLANS)) as life:
        chat.refuse = down()
        await life.tell("ann", "do:one")
    assert chat.texts == []
    async with lives.life(PlanModel(PLANS)) as life:
        chat.refuse = down("no such words")
        await life.tell("ann", "do:two")
        assert await posted(life, lives, 3) == ["first", "second", "third"]


async def test_all_of_a_platform_that_comes_back_is_sent_at_once(home: Path):
    chat = FakeChat()
    lives = AppLives(home, chat)
    async with lives.life(PlanModel(PLANS)) as life:
        chat.refuse = down()
        await chat.say("ann", "do:one")
        await life.tell("ben", "do:other")
        assert await life.app.house.chats.outbox.retries.flush("discord") == 0
        chat.refuse = down("no such words")
        assert await life.app.house.chats.outbox.retries.flush("slack") == 0
        assert await life.app.house.chats.outbox.retries.flush("discord") == 3
        assert [text for text in chat.texts if text != "elsewhere"] == ["first", "second"]


TWO_POSTS = {"one": [call("send", {"text": "first"}), say("second")]}


def closed(message: OutgoingMessage) -> DeliveryError | None:
    """A channel in which nobody may write; direct messages pass."""
    is_open = (
        message.target.ephemeral_to is not None or message.target.conversation.place is Place.DM
    )
    return None if is_open else DeliveryError("403: Missing Permissions")


async def test_the_asker_is_told_directly_once_when_the_place_is_closed(home: Path):
    async with running_app(home, PlanModel(TWO_POSTS)) as house:
        house.chat.refuse = closed
        await house.chat.say("ann", "do:one", where="room", place=Place.CHANNEL)
        (told,) = await house.chat.until(1)
        await house.until_idle()
        assert told.message.target.ephemeral_to == "ann"
        assert "(reference t1)" in told.text
        assert len(house.chat.posts) == 1
        rows = await house.rows("SELECT state FROM inbox")
        assert [row["state"] for row in rows] == ["done"]


async def test_the_turn_ends_although_the_direct_message_is_refused_too(home: Path):
    async with running_app(home, PlanModel(TWO_POSTS)) as house:
        house.chat.refuse = lambda _message: DeliveryError("403: Cannot send messages to this user")
        await house.tell("ann", "do:one")
        assert house.chat.posts == []
        rows = await house.rows("SELECT state FROM inbox")
        assert [row["state"] for row in rows] == ["done"]
        assert await house.rows("SELECT 1 FROM outbox") == []
