"""One person's flood, a stalled model or a full house: what the others notice of it."""

import asyncio
from pathlib import Path

from bot.domain.messages import Place
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, say


def settings(home: Path, text: str) -> None:
    (home / "bellhop.yaml").write_text(text)


async def test_one_person_works_on_three_things_at_once_and_others_are_served_meanwhile(tmp_path: Path):
    chat, model = FakeChat(), ScriptedModel([say("an answer")] * 21)
    gates = [model.hold(number) for number in (1, 2, 3)]
    async with running_app(tmp_path, model, chat) as house:
        await house.until_idle()
        for number in range(20):
            await chat.say("flood", "spam", where=f"thread{number}", place=Place.THREAD)
        await model.asked(3)
        await settle(200)
        assert len(model.requests) == 3
        assert await house.ask_own("ann", "hello") == "an answer"
        assert len(model.requests) == 4
        for gate in gates:
            gate.set()
        await chat.until(21)


async def test_a_request_that_takes_too_long_is_ended_and_its_person_told(tmp_path: Path):
    settings(tmp_path, "turns: {minutes: 2}\n")
    chat, clock, model = FakeChat(), FakeClock(), ScriptedModel([say("never"), say("hello again")])
    model.hold(1)
    async with running_app(tmp_path, model, chat, clock) as house:
        await house.until_idle()
        asking = asyncio.create_task(house.ask_own("ann", "think for ever"))
        await model.asked(1)
        while not asking.done():
            await clock.advance(30)
        assert "longer than one request may" in await asking
        assert await house.ask_own("ann", "are you there?") == "hello again"
