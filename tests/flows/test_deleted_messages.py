"""A message that its author deleted after the answer leaves the conversation's later requests."""

from dataclasses import replace
from pathlib import Path

from bot.domain.messages import MessageKind
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, say


async def delete(at: Harness, key: str, who: str = "ann") -> None:
    gone = at.chat.message(who, "", key=f"delete:{key}:2")
    await at.chat.deliver(replace(gone, kind=MessageKind.DELETE))
    await at.until_idle()


async def test_later_requests_do_not_hold_it_and_its_answer_stays(home: Path):
    model = ScriptedModel([say("Noted."), say("Sure."), say("Fine."), say("Still fine.")])
    async with running_app(home, model) as at:
        await at.chat.say("ann", "My PIN is 4711", key="discord:m1")
        await at.until_idle()
        await at.ask("ann", "Thanks")
        await at.until_idle()
        assert "4711" in str(model.requests[1].messages)
        await delete(at, "discord:m1")
        await delete(at, "discord:m1")  # platforms may say it twice
        await at.ask("ann", "And now?")
        await at.until_idle()
        chat = at.chat
    third = str(model.requests[2].messages)
    assert "4711" not in third
    assert "They deleted this message afterwards." in third
    assert "Noted." in third
    assert "Thanks" in third
    async with running_app(home, model, chat) as at:  # it is stored so
        await at.ask("ann", "And then?")
        await at.until_idle()
    fourth = str(model.requests[3].messages)
    assert "4711" not in fourth
    assert "And now?" in fourth


async def test_nobody_takes_back_what_another_said(home: Path):
    model = ScriptedModel([say("Noted."), say("Sure.")])
    async with running_app(home, model) as at:
        await at.chat.say("ann", "Same words", key="discord:m1")
        await at.until_idle()
        await at.chat.say("ben", "Same words", key="discord:m2")
        await at.until_idle()
        await delete(at, "discord:m2", "ben")
        rows = await at.app.database.read("SELECT session_key, rewritten FROM sessions")
    assert {str(row["session_key"]).split("|")[-2]: row["rewritten"] for row in rows} == {
        "ann": 0,
        "ben": 1,
    }
