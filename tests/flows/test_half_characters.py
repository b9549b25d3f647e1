"""Half of a character, from a person or a model: answered, and nobody else notices."""

from pathlib import Path

from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say


async def test_half_characters_of_people_models_and_calls_are_marked(home: Path):
    scripted = ScriptedModel(
        [
            call("save_fact", {"key": "x", "value": "half \ud83d"}),
            say("An answer \ud83d."),
            say("Fine."),
        ],
        strict=True,
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "a question \ud800?") == "An answer \ufffd."
        assert await house.ask("ann", "and now?") == "Fine."
    assert "a question \ufffd?" in str(scripted.requests[0].messages)
