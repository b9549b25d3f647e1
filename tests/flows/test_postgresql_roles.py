"""One process holds the platform, another runs the turns."""

import asyncio
from pathlib import Path

import pytest

from bot.app import AppOptions, open_app
from bot.domain.chat import TextDelta
from bot.domain.messages import Attachment, OutgoingMessage
from bot.domain.processes import ProcessRole
from bot.errors import DeliveryError, SettingsError
from bot.testing.engine_lives import has_started
from bot.testing.fake_chat import FakeChat
from bot.testing.postgres_server import PostgresServer
from bot.testing.processes import gateway, share, turns
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.waiting import until


@pytest.fixture
def shared(home: Path, postgres: PostgresServer) -> Path:
    share(home, postgres.url(postgres.database()))
    return home


async def test_everything_goes_through_the_gateway(shared: Path):
    chat = FakeChat()
    chat.files["plan"] = b"budget: 40"
    plan = Attachment("plan", "plan.txt", "text/plain", 10)
    ask = call("ask_user_for_clarification", {"question": "Which?", "options": ["red", "blue"]})
    model = ScriptedModel(
        [say("Forty."), ask, say("Red it is."), say("Good morning.")], strict=True
    )
    refused: list[OutgoingMessage] = []

    def refuse(message: OutgoingMessage) -> DeliveryError | None:
        if message.text == "Good morning." and not refused:
            refused.append(message)
            return DeliveryError("slow down", retryable=True)
        return None

    chat.refuse = refuse
    async with gateway(shared, chat), turns(shared, model):
        await chat.say("ann", "the budget?", attachments=(plan,))
        assert (await chat.until(1, 60))[0].text == "Forty."
        await until(lambda: chat.lives[0].closed)
        assert TextDelta("Forty.") in chat.lives[0].updates
        assert "budget: 40" in str(model.requests[0].messages)

        await chat.say("ann", "paint it")
        (card,) = (await chat.until(2, 60))[1:]
        red = card.message.choices[0]
        await chat.click("ann", red.ref, red.verb, red.value)
        assert (await chat.until(3, 60))[2].text == "Red it is."
        await until(lambda: chat.closed.get(card.key))
        assert "red" in chat.closed[card.key][0]

        await chat.say("ann", "hello")
        assert (await chat.until(4, 60))[3].text == "Good morning.", "sent later, by the gateway"
    assert len(chat.posts) == 4


async def test_a_message_is_answered_when_either_process_comes_back(shared: Path):
    chat = FakeChat()
    async with gateway(shared, chat):
        await chat.say("ann", "hello", key="k1")
    async with turns(shared, ScriptedModel([say("Good morning.")])) as worker:
        await until(lambda: has_started(worker.engine))
        async with gateway(shared, chat):
            await chat.say("ann", "hello", key="k1")
            assert (await chat.until(1, 60))[0].text == "Good morning."
    assert len(chat.posts) == 1


def test_parts_of_the_work_need_a_database_that_is_shared(home: Path):
    async def opened() -> None:
        async with open_app(AppOptions(home, role=ProcessRole.TURNS)):
            raise AssertionError

    with pytest.raises(SettingsError, match="--only turns needs a database that several"):
        asyncio.run(opened())
