"""An answer that may not be posted: its person is told directly, once, with a reference."""

from pathlib import Path

from bot.domain.messages import OutgoingMessage, Place
from bot.errors import DeliveryError
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import call, say

PLANS = {"one": [call("send", {"text": "first"}), say("second")]}


def closed(message: OutgoingMessage) -> DeliveryError | None:
    """A channel in which nobody may write; direct messages pass."""
    is_open = (
        message.target.ephemeral_to is not None or message.target.conversation.place is Place.DM
    )
    return None if is_open else DeliveryError("403: Missing Permissions")


async def test_the_asker_is_told_directly_once_when_the_place_is_closed(home: Path):
    async with running_app(home, PlanModel(PLANS)) as house:
        house.chat.refuse = closed
        await house.chat.say("ann", "do:one", where="room", place=Place.CHANNEL)
        (told,) = await house.chat.until(1)
        await house.until_idle()
        assert told.message.target.ephemeral_to == "ann"
        assert "(reference t1)" in told.text
        assert len(house.chat.posts) == 1
        rows = await house.app.database.read("SELECT state FROM inbox")
        assert [row["state"] for row in rows] == ["done"]


async def test_the_turn_ends_although_the_direct_message_is_refused_too(home: Path):
    async with running_app(home, PlanModel(PLANS)) as house:
        house.chat.refuse = lambda _message: DeliveryError("403: Cannot send messages to this user")
        await house.chat.say("ann", "do:one")
        await house.until_idle()
        assert house.chat.posts == []
        rows = await house.app.database.read("SELECT state FROM inbox")
        assert [row["state"] for row in rows] == ["done"]
        assert await house.app.database.read("SELECT 1 FROM outbox") == []
