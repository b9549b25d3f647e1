"""A service that is not connected shows the way, and its skills come with it."""

import json
from pathlib import Path

import pytest

from bot.domain.messages import Place
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say


def asks() -> ScriptedModel:
    return ScriptedModel(
        [
            call("tool_search", {"query": "what's in my mail?"}),
            call("get_capabilities", {"include": ["integrations"]}),
            say("Mail is not set up here."),
        ]
    )


def told(model: ScriptedModel) -> tuple[str, str]:
    """What the search and the overview answered."""
    search, overview = (
        json.dumps(model.requests[at].messages[-1], ensure_ascii=False) for at in (1, 2)
    )
    return search, overview


@pytest.mark.parametrize("who", ["owner", "ann", "stranger"])
async def test_mail_that_nobody_set_up_shows_the_way_by_role(home: Path, who: str):
    model = asks()
    async with running_app(home, model) as house:
        assert await house.ask(who, "what's in my mail?") == "Mail is not set up here."
    for answer in told(model):
        assert "Google is not set up here" in answer
        assert ("GOOGLE_CLIENT_ID" in answer) is (who == "owner")
        assert ("Tell the person to ask" in answer) is (who != "owner")
        assert ("ask Olga" in answer) is (who == "ann"), "only who is known learns a name"
    search, _ = told(model)
    assert '\\"unlocked\\": []' in search, "nothing else is taken for it"
    assert "meetings" not in search


async def test_half_a_set_up_is_named_in_chat(home: Path):
    (home / ".env").write_text("GOOGLE_CLIENT_ID=client\n")
    model = asks()
    async with running_app(home, model) as house:
        await house.ask("owner", "what's in my mail?")
    for answer in told(model):
        assert "Google is only half set up here" in answer
        assert "the missing GOOGLE_CLIENT_SECRET" in answer


SKILL = "/skills/calendar-events/SKILL.md"


def seen_by(model: ScriptedModel, request: int) -> str:
    return json.dumps(
        [model.requests[request].system, model.requests[request].messages], default=str
    )


async def test_a_skill_is_there_once_its_connector_is(home: Path):
    (home / ".env").write_text("BELLHOP_SECRET_KEY=" + "A" * 43 + "=\n")
    (home / ".env").chmod(0o600)
    read = call("read_file", {"path": SKILL})
    model = ScriptedModel([read, say("None."), read, say("Read.")])
    async with running_app(home, model) as house:
        await house.ask("ann", "Write an event.", place=Place.DM)
        assert "calendar-events: " not in seen_by(model, 0)
        assert "What an event needs" not in seen_by(model, 1)
        assert "There is no skill" in await house.command("ann", "skill", "calendar-events")

        await house.app.house.accounts.credentials.store("ann", "google", "token-of-ann")
        await house.order("ann", "new", place=Place.DM)
        await house.ask("ann", "Write an event.", place=Place.DM)
        assert "calendar-events: " in seen_by(model, 2)
        assert "What an event needs" in seen_by(model, 3)
