"""Discord in a person's own language: what commands are called, and what they answer."""

from pathlib import Path

from bot.testing.discord_house import house
from bot.testing.scripted_model import ScriptedModel


async def test_commands_are_named_and_answered_in_the_language_of_the_app(home: Path):
    async with house(home, ScriptedModel([])) as made:
        made.ann.user.locale = "de"
        registered = made.platform.interactions.available(made.general)["stop"]
        assert registered["name_localizations"]["de"] == "stopp"
        for person, said in (
            (made.ann, "Hier läuft oder wartet nichts."),
            (made.ben, "Nothing is"),
        ):
            used = person.slash(made.general, "stop")
            response = await made.platform.until(lambda used=used: used.response)
            await made.platform.until(lambda response=response: response.content)
            assert response.content.startswith(said)
            assert response.only_for == person.user.id
        assert made.platform.refusals == []
