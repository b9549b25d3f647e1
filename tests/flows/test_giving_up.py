"""Turns that are given up: one apology with a reference, and none when the answer is out already."""

from collections.abc import Callable
from pathlib import Path

from bot.domain.chat import LiveReply
from bot.domain.messages import OutgoingMessage, Receipt, ReplyTarget
from bot.domain.models import ModelReply, ModelRequest
from bot.testing.app_lives import AppLives
from bot.testing.fake_chat import FakeChat
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import say

DEATHS = 3
"""As many as a turn has attempts."""


class DyingChat(FakeChat):
    """The process dies each time when something is visible but not yet recorded."""

    def __init__(self) -> None:
        super().__init__()
        self.deaths = 0
        self.kill: Callable[[], None] = lambda: None

    async def send(self, message: OutgoingMessage, key: str, live: LiveReply | None = None) -> Receipt:
        receipt = await super().send(message, key, live)
        self._die()
        return receipt

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        self._die()
        return await super().find_sent(target, key)

    def _die(self) -> None:
        if self.deaths < DEATHS:
            self.deaths += 1
            self.kill()


async def live_on(lives: AppLives, model: PlanModel) -> None:
    """One life after the other, until the message is settled."""
    for _ in range(DEATHS + 1):
        async with lives.life(model) as life:
            await life.chat.say("ann", "do:hello", key="k1")
            await life.settle()


async def test_a_turn_that_dies_before_it_answers_gets_one_apology_and_the_next_message_an_answer(home: Path):
    lives = AppLives(home)

    def die(request: ModelRequest) -> ModelReply:
        lives.kill()
        return say("never")

    model = PlanModel({"hello": [die], "better": [say("Done.")]})
    await live_on(lives, model)
    [apology] = lives.chat.texts
    assert "(reference t1)" in apology
    assert len(model.requests) == DEATHS
    async with lives.life(model) as life:
        await life.chat.say("ann", "do:better now?")
        await life.settle()
    assert lives.chat.texts[1:] == ["Done."]


async def test_the_next_turn_knows_what_was_asked_and_what_its_person_was_told(home: Path):
    lives = AppLives(home)

    def die(request: ModelRequest) -> ModelReply:
        lives.kill()
        return say("never")

    model = PlanModel({"hello": [die], "better": [say("Done.")]})
    await live_on(lives, model)
    async with lives.life(model) as life:
        await life.chat.say("ann", "do:better now?")
        await life.settle()
    words = str(model.requests[-1].messages)
    assert "I gave up on “do:hello” of ann, and told them: Sorry, something broke on my side" in words
    assert lives.chat.texts[1:] == ["Done."]


async def test_a_turn_that_dies_after_its_answer_is_visible_gets_no_apology(home: Path):
    chat = DyingChat()
    lives = AppLives(home, chat)
    chat.kill = lives.kill
    await live_on(lives, PlanModel({"hello": [say("Hello.")]}))
    assert chat.deaths == DEATHS
    assert chat.texts == ["Hello."]
