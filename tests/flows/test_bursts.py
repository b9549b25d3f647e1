"""Quick writing: simultaneous lines are one message, and later ones never stop all work."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.testing.app_lives import AppLives
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say
from tests.thoroughness import tried

MOMENT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HELD_BACK = "Your last reply was not shown"


def at(seconds: float) -> datetime:
    return MOMENT + timedelta(seconds=seconds)


def texts(scripted: ScriptedModel, number: int) -> str:
    return json.dumps(scripted.requests[number].messages)


async def test_lines_of_one_moment_get_one_answer_though_the_first_was_begun(home: Path):
    scripted = ScriptedModel([say("To the first alone."), say("To all three.")], strict=True)
    hold = scripted.hold(1)
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "add", at=at(0))
        await scripted.asked(1)
        await house.chat.say("ann", "milk", at=at(0.6))
        await house.chat.say("ann", "and bread", at=at(1.4))
        hold.set()
        await house.chat.until(1)
        await house.until_idle()
        assert house.chat.texts == ["To all three."]
    assert all(word in texts(scripted, 1) for word in ("milk", "and bread", HELD_BACK))


async def test_a_later_message_gets_its_own_answer(home: Path):
    scripted = ScriptedModel([say("One."), say("Two.")], strict=True)
    hold = scripted.hold(1)
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "first", at=at(0))
        await scripted.asked(1)
        await house.chat.say("ann", "second", at=at(1.5))
        hold.set()
        await house.chat.until(2)
        assert house.chat.texts == ["One.", "Two."]


async def test_lines_that_wait_together_open_their_turn_together(home: Path):
    scripted = ScriptedModel([say("One."), say("Both.")], strict=True)
    hold = scripted.hold(1)
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "first", at=at(0))
        await scripted.asked(1)
        await house.chat.say("ann", "second", at=at(5))
        await house.chat.say("ann", "third", at=at(5.5))
        hold.set()
        await house.chat.until(2)
        await house.until_idle()
        assert house.chat.texts == ["One.", "Both."]
    assert HELD_BACK not in texts(scripted, 1)


async def test_words_during_every_reply_don_t_keep_calls_from_running(home: Path):
    """Each round gets something new during its reply; every other one still runs its calls."""
    fact = [call("save_fact", {"key": f"k{number}", "value": "1"}) for number in range(4)]
    scripted = ScriptedModel([*fact, say("Done.")], strict=True)
    holds = [scripted.hold(number) for number in range(1, 5)]
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "go")
        for number, hold in enumerate(holds, start=1):
            await scripted.asked(number)
            await house.chat.say("ann", f"also {number}")
            hold.set()
        await house.chat.until(1)
        await house.until_idle()
        assert house.chat.texts == ["Done."]
    said = texts(scripted, 4)
    assert said.count("saved for this session") == 2
    assert said.count("skipped: the person wrote something new") == 2
    assert all(f"also {number}" in said for number in range(1, 5))


async def test_messages_that_join_bring_steps_with_them(home: Path):
    facts = [call("save_fact", {"key": f"k{number}", "value": "1"}) for number in range(12)]
    scripted = ScriptedModel([*facts, say("Done.")], strict=True)
    hold = scripted.hold(2)
    async with running_app(home, scripted) as house:
        await house.chat.say("ann", "go")
        await scripted.asked(2)
        for number in range(2):
            await house.chat.say("ann", f"also {number}")
        hold.set()
        await house.chat.until(1)
        assert house.chat.texts == ["Done."], (
            "ten calls were not enough for the request and what joined it"
        )


class ModelThatWaits(PlanModel):
    """Answers lines only when all of them are accepted."""

    def __init__(self) -> None:
        super().__init__({"mine": [say("For Ben.")]})
        self.accepted = asyncio.Event()

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        if "line-" in json.dumps(request.messages):
            await self.accepted.wait()
        return await super().sample(request, on_delta)


async def test_two_hundred_lines_in_ten_seconds_are_answered_and_block_nobody(home: Path):
    model = ModelThatWaits()
    async with running_app(home, model, clock=FakeClock()) as house:
        async with asyncio.TaskGroup() as group:
            group.create_task(house.chat.say("ben", "do:mine"))
            for number in range(200):  # in order, as the events of a channel come
                await house.chat.say("ann", f"line-{number}-end", at=at(number / 20))
        await house.chat.until(1)
        assert house.chat.texts == ["For Ben."]
        model.accepted.set()
        await house.until_idle()
        assert house.chat.texts == ["For Ben.", "Done."], "quick lines get one answer"
        rows = await house.app.database.read(
            "SELECT state FROM inbox WHERE settled_at IS NULL OR state = 'failed'"
        )
        assert rows == []
    asked = "".join(json.dumps(request.messages[-3:]) for request in model.requests)
    assert all(f"line-{number}-end" in asked for number in range(200))


async def burst_story(home: Path, point: CrashPoint | None) -> tuple[list[str], list[str]]:
    """Three lines of one moment, accepted before any turn runs; the process may go at a point."""
    lives = AppLives(home)
    model = PlanModel(
        {}, otherwise=lambda request: " ".join(lines_in(json.dumps(request.messages)))
    )

    async def write(life: object) -> None:
        for number in range(3):
            message = lives.chat.message(
                "ann", f"line-{number}-end", key=f"k{number}", at=at(number / 2)
            )
            await lives.chat.deliver(message)

    await lives.play(model, [write], point, early=True)
    return lives.chat.texts, lives.commits


def lines_in(said: str) -> list[str]:
    return [f"line-{number}" for number in range(3) if f"line-{number}-end" in said]


@pytest.mark.thorough
async def test_a_burst_is_answered_once_and_whole_wherever_the_process_goes(
    home: Path, tmp_path: Path
):
    texts_seen, commits = await burst_story(home, None)
    assert texts_seen == ["line-0 line-1 line-2"]
    for number, point in enumerate(tried(crash_points(commits))):
        texts_seen, _ = await burst_story(tmp_path / f"life{number}", point)
        said = " ".join(texts_seen)
        assert all(f"line-{line}" in said for line in range(3)), point
        assert len(texts_seen) == len(set(texts_seen)), point
