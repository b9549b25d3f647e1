"""Idle sessions end, old turns go, and nothing that waits for a person is touched."""

from datetime import timedelta
from pathlib import Path

from bot.sessions.upkeep.housekeeping import Expiries, Housekeeping, Purging
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say

HOUR = 3600.0
DAY = 24 * HOUR


async def test_an_idle_session_ends_and_the_next_sees_what_was_said(tmp_path: Path):
    clock = FakeClock()
    scripted = ScriptedModel([say("One."), say("Two.")], strict=True)
    async with running_app(tmp_path, scripted, clock=clock) as house:
        await house.ask("ann", "the word is pumpkin")
        await clock.advance(HOUR)
        await house.ask("ann", "which word?")
    first, second = scripted.requests
    assert len(second.messages) == len(first.messages)
    assert "the word is pumpkin" in str(second.messages)


async def test_a_session_with_an_open_question_does_not_end(tmp_path: Path):
    clock = FakeClock()
    scripted = ScriptedModel(
        [call("ask_user_for_clarification", {"question": "Which?"}), say("Blue.")], strict=True
    )
    async with running_app(tmp_path, scripted, clock=clock) as house:
        await house.ask("ann", "paint it")
        await clock.advance(3 * HOUR)
        assert await house.ask("ann", "blue") == "Blue."
    assert len(scripted.requests[1].messages) > len(scripted.requests[0].messages)


async def test_settled_turns_and_ended_sessions_are_purged_after_their_days(tmp_path: Path):
    clock = FakeClock()
    async with running_app(tmp_path, ScriptedModel([say("One.")]), clock=clock) as house:
        app = house.app
        hour, day = timedelta(hours=1), timedelta(days=1)
        expiries = Expiries(app.engine, app.approvals, app.house.chats.outbox, clock)
        purging = Purging(app.database, clock, app.engine, app.cycle_log, day, timedelta())
        keeping = Housekeeping(
            app.database, clock, app.engine, app.approvals, hour, purging, expiries
        )
        await house.ask("ann", "hi", at=clock.now())
        await clock.advance(2 * HOUR)
        await keeping.end_idle_sessions()
        await purging.purge()
        assert await app.database.read("SELECT 1 FROM sessions WHERE state = 'ended'") != []
        await clock.advance(2 * DAY)
        await purging.purge()
        for table in ("inbox", "steps", "sessions", "transcript", "messages", "cycle_events"):
            assert await house.rows(f"SELECT 1 FROM {table}") == [], table  # noqa: S608


async def test_tools_are_locked_again_after_each_run_when_the_settings_say_so(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text("tools: {unlock_scope: run}\n")
    scripted = ScriptedModel(
        [
            call("tool_search", {"pattern": "current_time"}),
            call("current_time"),
            say("Noon."),
            call("current_time"),
            say("Locked."),
        ],
        strict=True,
    )
    async with running_app(tmp_path, scripted) as house:
        await house.ask("ann", "What time is it?")
        await house.ask("ann", "And now?")
    assert '"tool_removal"' in str(scripted.requests[3].messages).replace("'", '"')
    assert "Unlocked now: current_time." in str(scripted.requests[4].messages)
