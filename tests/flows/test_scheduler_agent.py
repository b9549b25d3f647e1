"""The scheduler agent: it sets up and tidies schedules with the tools of people."""

from pathlib import Path

from bot.testing.passing_time import app_with_clock, go
from bot.testing.scripted_model import ScriptedModel, call, say

BRIEF = {
    "instruction": "Every day at noon: say what is open. Tomorrow at 9 remind Ann of the launch."
}
DAILY = {"name": "open todos", "prompt": "Say what is open.", "cron": "0 12 * * *"}
LAUNCH = {"action": "create", "title": "launch", "dueDate": "tomorrow at 9"}


async def test_it_sets_up_what_the_brief_says_for_the_person_who_asked(home: Path):
    model = ScriptedModel(
        [
            call("agent_scheduler", BRIEF),
            call("get_capabilities", {"names": ["schedule_task", "manage_todos"]}),
            call("schedule_task", DAILY),
            call("manage_todos", LAUNCH),
            say("Both are set up."),
            say("Done: both."),
        ],
        strict=True,
    )
    async with app_with_clock(home, model) as at:
        assert await at.ask("ann", "set up both") == "Done: both."
        assert "open todos" in await at.command("ann", "schedule")
        assert "launch" in await at.command("ann", "todo")
        model.replace(say("Nothing is open."))
        await go(at, hours=2)
        assert at.chat.posts[-1].text == "Nothing is open.", (
            "its answer comes where the person asked"
        )


async def test_a_guest_has_no_scheduler(home: Path):
    model = ScriptedModel([call("agent_scheduler", BRIEF), say("no")])
    async with app_with_clock(home, model) as at:
        await at.ask("stranger", "set up both")
        assert "there is no tool named" in str(model.requests[-1].messages)
