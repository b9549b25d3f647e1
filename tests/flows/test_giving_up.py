"""Turns that are given up, and answers that a platform does not take: one word about it."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.domain.chat import LiveReply
from bot.domain.database import Unit, Write
from bot.domain.messages import OutgoingMessage, Place, Receipt, ReplyTarget
from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.errors import DeliveryError
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import call, say
from bot.testing.waiting import until

DEATHS = 3
"""As many as a turn has attempts."""
MOMENT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class DyingChat(FakeChat):
    """The process dies each time when something is visible but not yet recorded."""

    def __init__(self) -> None:
        super().__init__()
        self.deaths = 0
        self.kill: Callable[[], None] = lambda: None

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
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
            await life.tell("ann", "do:hello", key="k1")


async def test_a_turn_that_dies_gets_one_apology_of_which_the_next_turn_knows(home: Path):
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
        assert await life.tell("ann", "do:better now?") == ["Done."]
    assert (
        "I gave up on “do:hello” of ann, and told them: Sorry, something broke on my side"
        in str(model.requests[-1].messages)
    )


async def test_a_turn_that_dies_after_its_answer_is_visible_gets_no_apology(home: Path):
    chat = DyingChat()
    lives = AppLives(home, chat)
    chat.kill = lives.kill
    await live_on(lives, PlanModel({"hello": [say("Hello.")]}))
    assert chat.deaths == DEATHS
    assert chat.texts == ["Hello."]


@pytest.mark.parametrize("lines", [1, 2])
async def test_joined_messages_get_their_own_answer_when_a_turn_is_given_up(lines: int, home: Path):
    """And the view of the turn that was given up is closed: no draft, no Stop button."""
    lives, deaths = AppLives(home), 0
    wrote = asyncio.Event()

    async def take_and_die(request: ModelRequest) -> ModelReply:
        nonlocal deaths
        deaths += 1
        lives.kill()
        return say("never")

    class Waits(PlanModel):
        async def sample(
            self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
        ) -> ModelReply:
            if len(self.requests) == 0:
                self.requests.append(request)
                await wrote.wait()
                return call("save_fact", {"key": "a", "value": "1"})
            if "do:deadly" in str(request.messages):
                await take_and_die(request)
            return await super().sample(request, on_delta)

    model = Waits({"more": [say("More.")], "again": [say("Again.")]})
    said = [("do:more", "k2"), ("do:again", "k3")][:lines]
    for life_number in range(DEATHS + 1):
        async with lives.life(model) as life:
            if life_number == 0:
                await life.chat.say("ann", "do:deadly", key="k1")
                await until(lambda: len(model.requests) == 1)
                for number, (text, key) in enumerate(said):
                    await life.chat.say("ann", text, key=key, at=MOMENT + timedelta(minutes=number))
                wrote.set()
            await life.settle()
    assert deaths == DEATHS
    apology, *answers = lives.chat.texts
    assert "(reference t1)" in apology
    assert answers == ["More.", "Again."][:lines]
    assert lives.chat.lives[-1].closed


async def test_a_command_whose_record_is_damaged_is_told_in_its_place(home: Path):
    lives = AppLives(home)
    model = PlanModel({})

    async def accepted_and_damaged(life: AppLife) -> None:
        await life.chat.command("ann", "status", where="office", place=Place.CHANNEL)
        await life.database.write(Unit.of(Write("UPDATE inbox SET body = '{\"kind\":'")))

    async with lives.life(model, early=[accepted_and_damaged]) as life:
        await life.settle()
    (told,) = lives.chat.posts
    assert "my record of a command or a click here is damaged" in told.text
    assert "(reference t1)" in told.text
    assert told.message.target.conversation.id == "office"


async def test_a_message_whose_record_is_damaged_is_told_and_stops_nothing(home: Path):
    lives = AppLives(home)
    model = PlanModel({"hello": [say("Hello.")]})
    async with lives.life(model) as life:
        await life.tell("ben", "do:hello")

    async def accepted_and_damaged(life: AppLife) -> None:
        await life.chat.say("ann", "do:hello", key="k1")
        await life.database.write(
            Unit.of(Write("UPDATE inbox SET body = '{\"kind\":' WHERE key = 'k1'"))
        )

    async with lives.life(model, early=[accepted_and_damaged]) as life:
        await life.tell("ann", "do:hello", key="k2")
    assert lives.chat.texts[0] == "Hello."
    assert "my record of a message here is damaged" in lives.chat.texts[1]
    assert lives.chat.texts[2] == "Hello."


async def test_work_of_an_unknown_kind_is_refused_and_not_answered_as_a_message(
    home: Path, caplog: pytest.LogCaptureFixture
):
    lives = AppLives(home)
    model = PlanModel({"better": [say("Done.")]})
    async with lives.life(model) as life:
        await life.tell("ann", "do:better", key="k1")
        engine = life.app.engine
        asked = await engine.recorded("t1")
        assert asked is not None
        await engine.submit(asked.session, "test:unknown", {**asked.body, "kind": "dance"})
        await life.settle()
        refused = await engine.recorded("t2")
    assert refused is not None
    assert (refused.state, refused.attempts) == ("failed", 1)
    assert lives.chat.texts == [
        "Done.",
        (
            "Sorry, this version of me does not know how to do this, so I did nothing about it. "
            "(reference t2)"
        ),
    ]
    assert len(model.requests) == 1
    logged = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert any(
        "turn=<t2>" in line and "no work of kind 'dance' is known" in line for line in logged
    )


# Answers that a platform does not take: they wait in order, or their person is told.


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
