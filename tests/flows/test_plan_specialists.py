"""Which specialists a plan may name when its tasks are worked out by the model."""

from pathlib import Path

from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say


async def test_a_plan_is_offered_only_listed_specialists(home: Path):
    model = ScriptedModel(
        [call("plan", {"goal": "compare three tools"}), say('{"tasks": []}'), say("Done.")]
    )
    async with running_app(home, model) as house:
        await house.ask("ann", "make a plan")
    drafting = str(model.requests[1].messages)
    assert "- researcher: " in drafting
    assert "- scheduler: " not in drafting
