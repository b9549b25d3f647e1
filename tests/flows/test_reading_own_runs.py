"""The assistant reads the log of its own runs, without another agent."""

from pathlib import Path

from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say


async def test_the_run_before_is_read_in_one_call_and_names_the_failed_tool(home: Path):
    model = ScriptedModel(
        [
            call("manage_todos", {"action": "create", "title": "Board", "dueDate": "31 November"}),
            say("There is no such day."),
            call("inspect_cycle", {}),
            say("The day does not exist."),
        ],
        strict=True,
    )
    async with running_app(home, model) as house:
        await house.ask("ann", "remind me of the board meeting on 31 November")
        await house.ask("ann", "why did that fail?")
    assert "manage_todos [failed]" in str(model.requests[-1].messages)
    listed = str(model.requests[0].system)
    assert "- inspect_cycle(" in listed
    assert "agent_observer" not in listed
