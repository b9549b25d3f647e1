"""While running: answers without a receipt are checked, and missing ones found."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.clock import format_utc
from bot.domain.database import Unit, Write
from bot.domain.messages import Receipt, ReplyTarget
from bot.errors import DeliveryError
from bot.sessions.outbox.reconciling import EVERY_S, SHOWN_AFTER, Reconciling
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, say


async def answered(house: Harness, clock: FakeClock) -> None:
    await house.ask("ann", "hi", at=clock.now())


async def test_the_receipt_of_an_answer_that_was_sent_is_found(tmp_path: Path):
    clock = FakeClock()
    async with running_app(tmp_path, ScriptedModel([say("One.")]), clock=clock) as house:
        await answered(house, clock)
        lose = "UPDATE steps SET state = 'started', value = NULL WHERE key = 'send:answer'"
        await house.app.database.write(Unit.of(Write(lose)))
        await clock.advance(EVERY_S + 1)
        while await house.rows("SELECT 1 FROM steps WHERE state = 'started'"):
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
    async with running_app(
        tmp_path, ScriptedModel([say("One."), say("Two.")]), clock=clock
    ) as house:
        await answered(house, clock)
        await answered(house, clock)
        del house.chat.posts[0]

        def found() -> list[str]:
            return [
                record.getMessage()
                for record in caplog.records
                if "is not there" in record.getMessage()
            ]

        await clock.advance(SHOWN_AFTER.total_seconds() + EVERY_S)
        while not found():
            await clock.advance(1)
        await clock.advance(5 * EVERY_S)
        assert len(found()) == 1
        assert "turn=<t1>" in found()[0]
        assert house.chat.texts == ["Two."]


class Away(FakeChat):
    """A platform that can't say what was sent there."""

    def __init__(self, platform: str) -> None:
        super().__init__(platform)
        self.asked: list[str] = []

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        self.asked.append(key)
        raise DeliveryError("not connected", retryable=True)


async def test_an_absent_platform_delays_no_other_and_none_is_forgotten(tmp_path: Path):
    clock, away = FakeClock(), Away("slack")
    async with running_app(
        tmp_path, ScriptedModel([say("One."), say("Two.")]), clock=clock
    ) as house:
        await answered(house, clock)
        database = house.app.database
        later = clock.now() - timedelta(hours=20)
        for number in range(8):
            row = (
                "INSERT INTO inbox (session, key, body, state, accepted_at, settled_at)"
                ' SELECT session, ?, replace(body, \'"platform":"discord"\', '
                '\'"platform":"slack"\'), state,'
                " accepted_at, ? FROM inbox WHERE id = 1 RETURNING id"
            )
            at = format_utc(later + timedelta(minutes=number))
            written = await database.write(Unit.of(Write(row, (f"k{number}", at))))
            lost = "INSERT INTO steps (turn, key, state) VALUES (?, 'send:answer', 'started')"
            await database.write(Unit.of(Write(lost, (written.returned[0][0]["id"],))))
        lose = (
            "UPDATE steps SET state = 'started', value = NULL WHERE key = 'send:answer' AND turn = "
            "1"
        )
        await database.write(Unit.of(Write(lose)))
        reconciling = Reconciling(
            database, clock, {"discord": house.chat, "slack": away}, house.app.house.chats.outbox
        )
        await reconciling.look()
        assert not await database.read("SELECT 1 FROM steps WHERE turn = 1 AND state = 'started'")
        assert len(away.asked) == 3
        for _ in range(3):
            clock.jump(60)
            await reconciling.look()
        assert len(away.asked) == 12
        assert len(set(away.asked[:8])) == 8, "each is asked once before any is asked again"
