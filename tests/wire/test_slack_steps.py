"""The step "Ask Bellhop" in a workflow: as a guest, and each run apart."""

from pathlib import Path

from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.messages import PlatformPerson
from bot.loopback.slack import TEAM, SlackPlatform
from bot.plugins.slack_chat.surfaces.steps import ASKER
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import app_on_slack


async def ended(slack: SlackPlatform, run: str) -> JsonObject:
    return await slack.until(lambda: slack.world.step_runs[run])


async def test_a_step_gets_its_answer_as_a_guest_whatever_colleagues_start_with(
    tmp_path: Path, slack: SlackPlatform
):
    model = ScriptedModel([say("Sunny."), say("Rain.")])
    access = {"default_role": "MasterAdmin"}
    async with app_on_slack(tmp_path, slack, model, access=access) as app:
        run = slack.run_step("ask_bellhop", question="how is the weather?")
        assert await ended(slack, run) == {"outputs": {"answer": "Sunny."}}
        other = slack.run_step("ask_bellhop", question="and tomorrow?")
        assert await ended(slack, other) == {"outputs": {"answer": "Rain."}}
        first, second = model.requests
        assert "how is the weather?" not in str(second.messages), "each run is apart"
        asker = PlatformPerson(ASKER, "A workflow", outside=True)
        assert app.contacts.resolve("slack", TEAM, asker).role is Role.GUEST
        assert "how is the weather?" in str(first.messages)
