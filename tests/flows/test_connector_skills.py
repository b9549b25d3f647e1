"""A connector's skill: listed, read and run only for people with the connector."""

import json
from pathlib import Path

from bot.domain.messages import Place
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say

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
        await house.chat.command("ann", "new", place=Place.DM)
        await house.until_idle()
        await house.ask("ann", "Write an event.", place=Place.DM)
        assert "calendar-events: " in seen_by(model, 2)
        assert "What an event needs" in seen_by(model, 3)
