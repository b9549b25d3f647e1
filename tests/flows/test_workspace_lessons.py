"""What members of one workspace taught is told to nobody in another one."""

import json
from pathlib import Path

import pytest

from bot.domain.messages import Place, Visibility
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.fake_chat import FakeChat
from bot.testing.memory_town import LOOKS, hostile_answer, secrets_in
from bot.testing.plan_model import PlanModel
from tests.flows.test_distillation import memory, night

PEOPLE = [
    {"id": "ann", "name": "Ann", "role": "Friend", "ids": {"discord": ["ann"]}},
    {
        "id": "ben",
        "name": "Ben",
        "role": "Partner",
        "ids": {"discord": ["ben"], "slack": ["w:ben"]},
    },
]


@pytest.fixture
def lives(home: Path) -> AppLives:
    (home / "contacts.yaml").write_text(json.dumps(PEOPLE))
    return AppLives(home, FakeChat("discord"), FakeChat("slack"))


async def test_a_lesson_is_known_in_its_workspace_alone(lives: AppLives):
    model = PlanModel({"look": LOOKS})
    model.structure = hostile_answer
    on_discord, on_slack = lives.chats

    async def seen(life: AppLife, chat: FakeChat, where: str) -> set[int]:
        before, direct = len(model.requests), where == "dm"
        there = (where, Place.DM if direct else Place.CHANNEL)
        await chat.say(
            "ben", "do:look", where=there[0], place=there[1], visibility=Visibility.PUBLIC
        )
        await life.settle()
        asked = model.requests[before:]
        assert len(asked) == len(LOOKS)
        return secrets_in(json.dumps([[one.system, one.messages] for one in asked]))

    async with lives.life(model) as life:
        await on_discord.say(
            "ann", "the codeword is zq-7", where="square", place=Place.CHANNEL,
            visibility=Visibility.PUBLIC,
        )  # fmt: skip
        await life.settle()
        await night(life, lives, 1)
        assert "[in:discord:w] the codeword is zq-7" in memory(lives)["shared_long_term.md"]
        assert await seen(life, on_slack, "square") == set()
        assert await seen(life, on_slack, "dm") == set()
        assert await seen(life, on_discord, "plaza") == {7}
        assert await seen(life, on_discord, "dm") == {7}
