"""While Bellhop runs: an answer without a receipt is looked for, and one that is not shown is found."""

from pathlib import Path

import pytest

from bot.domain.database import Unit, Write
from bot.sessions.reconciling import EVERY_S, SHOWN_AFTER
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, say


async def answered(house: Harness, clock: FakeClock) -> None:
    await house.ask("ann", "hi", at=clock.now())
    await house.until_idle()


async def test_the_receipt_of_an_answer_that_was_sent_is_found(tmp_path: Path):
    clock = FakeClock()
    async with running_app(tmp_path, ScriptedModel([say("One.")]), clock=clock) as house:
        await answered(house, clock)
        lose = "UPDATE steps SET state = 'started', value = NULL WHERE key = 'send:answer'"
        await house.app.database.write(Unit.of(Write(lose)))
        await clock.advance(EVERY_S + 1)
        while await house.app.database.read("SELECT 1 FROM steps WHERE state = 'started'"):
            await clock.advance(1)
        assert house.chat.texts == ["One."]


async def test_the_person_of_an_answer_that_was_never_sent_is_told_once(tmp_path: Path):
    clock = FakeClock()
    async with running_app(tmp_path, ScriptedModel([say("One.")]), clock=clock) as house:
        await answered(house, clock)
        house.chat.posts.clear()
        lose = "UPDATE steps SET state = 'started', value = NULL WHERE key = 'send:answer'"
        await house.app.database.write(Unit.of(Write(lose)))
        await clock.advance(EVERY_S + 1)
        (told,) = await house.chat.until(1)
        assert "was cut off before it reached you" in told.text
        assert "reference t1" in told.text
        await clock.advance(10 * EVERY_S)
        assert len(house.chat.posts) == 1


async def test_an_answer_that_its_platform_does_not_show_is_found_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    clock = FakeClock()
    async with running_app(tmp_path, ScriptedModel([say("One."), say("Two.")]), clock=clock) as house:
        await answered(house, clock)
        await answered(house, clock)
        del house.chat.posts[0]

        def found() -> list[str]:
            return [record.getMessage() for record in caplog.records if "is not there" in record.getMessage()]

        await clock.advance(SHOWN_AFTER.total_seconds() + EVERY_S)
        while not found():
            await clock.advance(1)
        await clock.advance(5 * EVERY_S)
        assert len(found()) == 1
        assert "turn=<t1>" in found()[0]
        assert house.chat.texts == ["Two."]
