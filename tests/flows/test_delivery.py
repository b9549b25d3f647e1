"""A platform that refuses messages for a while: all arrive later, once, in order."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from bot.domain.messages import OutgoingMessage
from bot.errors import DeliveryError
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.fake_chat import FakeChat
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
        await chat.say("ann", "do:one")
        await life.settle()
        chat.refuse = down("no such words")
        await chat.say("ann", "do:two")
        await chat.say("ben", "do:other")
        await life.settle()
        assert chat.texts == ["elsewhere"]
        assert await posted(life, lives, 4) == ["elsewhere", "first", "second", "third"]
        await chat.say("ann", "and now?")
        await life.settle()
        assert chat.texts[4:] == ["Done."]


async def test_waiting_messages_survive_the_process(home: Path):
    chat = FakeChat()
    lives = AppLives(home, chat)
    async with lives.life(PlanModel(PLANS)) as life:
        chat.refuse = down()
        await chat.say("ann", "do:one")
        await life.settle()
    assert chat.texts == []
    async with lives.life(PlanModel(PLANS)) as life:
        chat.refuse = down("no such words")
        await chat.say("ann", "do:two")
        await life.settle()
        assert await posted(life, lives, 3) == ["first", "second", "third"]


async def test_all_of_a_platform_that_comes_back_is_sent_at_once(home: Path):
    chat = FakeChat()
    lives = AppLives(home, chat)
    async with lives.life(PlanModel(PLANS)) as life:
        chat.refuse = down()
        await chat.say("ann", "do:one")
        await chat.say("ben", "do:other")
        await life.settle()
        assert await life.app.house.chats.outbox.retries.flush("discord") == 0
        chat.refuse = down("no such words")
        assert await life.app.house.chats.outbox.retries.flush("slack") == 0
        assert await life.app.house.chats.outbox.retries.flush("discord") == 3
        assert [text for text in chat.texts if text != "elsewhere"] == ["first", "second"]
