"""The note of the day stands before the model, as it is now, where it may be shown."""

from pathlib import Path

from bot.domain.messages import Place
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say

NOTE = {"path": "/daily-notes/today.md", "content": "Dentist at four."}
OTHER = {"path": "/daily-notes/today.md", "old": "four", "new": "five"}


def shows(model: ScriptedModel, request: int, words: str) -> int:
    return str(model.requests[request].messages).count(words)


async def test_a_session_sees_the_note_once_and_again_when_another_changed_it(home: Path):
    model = ScriptedModel(
        [
            *(
                call("write_file", NOTE),
                say("Noted."),
                say("At four."),
                say("Hi."),
                say("And again."),
            ),
            *(call("edit_file", OTHER), say("Moved."), say("At five."), say("Yes.")),
        ]
    )
    async with running_app(home, model, clock=FakeClock()) as house:
        await house.ask("ann", "Note the dentist at 4.", place=Place.DM, where="one")
        await house.ask("ann", "When is it?", place=Place.DM, where="two")
        assert shows(model, 2, "Dentist at four.") == 1
        assert shows(model, 2, "note of today, /daily-notes/2026-11-21.md") == 1
        await house.ask("ann", "Hello.", place=Place.CHANNEL, where="room")
        await house.ask("ben", "Hello.", place=Place.DM, where="bens")
        assert shows(model, 3, "Dentist") == shows(model, 4, "Dentist") == 0

        await house.ask("ann", "It is at 5.", place=Place.DM, where="one")
        assert shows(model, 5, "note of today") == 0  # this session wrote it
        await house.ask("ann", "When?", place=Place.DM, where="two")
        assert shows(model, 7, "Dentist at five.") == 1
        await house.ask("ann", "Sure?", place=Place.DM, where="two")
        assert shows(model, 8, "Dentist at five.") == 1
