"""Past words are found again by everybody who may read them, at once, and by nobody else."""

import json
from pathlib import Path

import pytest

from bot.domain.messages import Addressed, Place, Visibility
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say

SECRET = {"where": "plans", "place": Place.CHANNEL, "visibility": Visibility.PRIVATE}
SQUARE = {"where": "square", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
MARKET = {"where": "market", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
UNASKED = {"addressed": Addressed.NONE}


@pytest.fixture
def town(tmp_path: Path) -> tuple[Path, FakeChat]:
    people = [
        {"id": name, "name": name.title(), "role": role, "ids": {"discord": [name]}}
        for name, role in (("ann", "Friend"), ("ben", "Friend"), ("gus", "Guest"))
    ]
    (tmp_path / "contacts.yaml").write_text(json.dumps(people))
    chat = FakeChat()
    chat.readers.of = {"plans": {"ann", "ben"}, "square": {"ann", "ben", "gus"}, "market": {"ann", "ben", "gus"}}
    return tmp_path, chat


async def remembered(house: Harness, model: ScriptedModel, who: str, query: str, **where: object) -> str:
    model.add(call("remember", {"query": query}), say("Done."))
    await house.ask(who, "what do you know?", **where)
    await house.until_idle()
    return json.dumps(model.requests[-1].messages[-2:], ensure_ascii=False)


async def test_what_was_said_a_minute_ago_is_found_by_its_readers_alone(town: tuple[Path, FakeChat]):
    home, chat = town
    model = ScriptedModel()
    async with running_app(home, model, chat) as house:
        await chat.say("ben", "the printer code is 5521", **SQUARE, **UNASKED)
        await chat.say("ben", "the merger printer is 7733", **SECRET, **UNASKED)
        model.add(say("Kept."))
        await house.ask("ann", "my printer at home is broken")
        await house.until_idle()

        aloud = await remembered(house, model, "ann", "printer", **MARKET)
        assert "5521" in aloud
        assert "said by ben" in aloud.casefold()
        assert "#square" in aloud
        assert "7733" not in aloud
        assert "at home" not in aloud
        alone = await remembered(house, model, "ann", "printer")
        assert "5521" in alone
        assert "7733" in alone
        assert "at home" in alone
        guest = await remembered(house, model, "gus", "printer")
        assert "7733" not in guest
        assert "at home" not in guest
