"""Many people and quick writing: everybody is served, and lines of one moment are one message."""

import asyncio
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.domain.database import Unit, Write
from bot.domain.languages import Phrase
from bot.domain.messages import Place
from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.testing.app_lives import AppLives
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say
from tests.thoroughness import tried


def settings(home: Path, text: str) -> None:
    (home / "bellhop.yaml").write_text(text)


async def test_one_person_runs_three_turns_at_once_and_others_are_served(tmp_path: Path):
    chat, model = FakeChat(), ScriptedModel([say("an answer")] * 21)
    gates = [model.hold(number) for number in (1, 2, 3)]
    async with running_app(tmp_path, model, chat) as house:
        await house.until_idle()
        for number in range(20):
            await chat.say("flood", "spam", where=f"thread{number}", place=Place.THREAD)
        await model.asked(3)
        await settle()
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


async def test_waiting_people_see_a_sign_and_then_one_sentence(tmp_path: Path):
    settings(tmp_path, "turns: {per_person: 1}\n")
    chat, clock, model = FakeChat(), FakeClock(), ScriptedModel([say("an answer")] * 4)
    gate = model.hold(1)
    async with running_app(tmp_path, model, chat, clock) as house:
        await house.until_idle()
        for number in range(4):
            await chat.say("ann", "hello", where=f"thread{number}", place=Place.THREAD)
        await model.asked(1)
        await until(clock, lambda: False, seconds=4)
        assert len(chat.lives) == 1
        await until(clock, lambda: len(chat.lives) == 2)
        assert [live.closed for live in chat.lives] == [False, False]
        assert not chat.posts
        await until(clock, lambda: bool(chat.posts))
        assert clock.monotonic() >= 30
        assert [post.text for post in chat.posts] == [
            "I am working on another request of yours. I begin with this one when one of them is "
            "done."
        ]
        assert chat.posts[0].message.target.conversation.id == "thread1"
        gate.set()
        await chat.until(5)
        await until(clock, lambda: all(live.closed for live in chat.lives))
    assert len(chat.posts) == 5


@pytest.mark.parametrize(
    "damaged", ["{", "[]", '{"kind": "message"}', '{"kind": "message", "message": {"text": 1}}']
)
async def test_a_damaged_waiting_message_does_not_hide_the_signs_of_others(
    tmp_path: Path, damaged: str
):
    settings(tmp_path, "turns: {per_person: 1}\n")
    chat, clock, model = FakeChat(), FakeClock(), ScriptedModel([say("an answer")] * 4)
    gates = [model.hold(1), model.hold(2)]
    async with running_app(tmp_path, model, chat, clock) as house:
        await house.until_idle()
        for thread in ("one", "two"):
            await chat.say("ann", "hello", where=f"ann-{thread}", place=Place.THREAD)
        for thread in ("one", "two"):
            await chat.say("bob", "hello", where=f"bob-{thread}", place=Place.THREAD)
        await model.asked(2)
        damage = "UPDATE inbox SET body = ? WHERE id = 2"
        await house.app.database.write(Unit.of(Write(damage, (damaged,))))
        await until(clock, lambda: bool(chat.posts))
        told = [post.message.target.conversation.id for post in chat.posts]
        for gate in gates:
            gate.set()
        assert told == ["bob-two"]
        await chat.until(4)


async def test_waiting_for_a_suspect_has_its_own_sentence(tmp_path: Path):
    chat, clock, model = FakeChat(), FakeClock(), ScriptedModel([say("an answer")] * 5)
    async with running_app(tmp_path, model, chat, clock) as house:
        await house.until_idle()
        await house.ask_own("eve", "hello")
        await house.ask_own("fay", "hello")
        await house.until_idle()
    with closing(sqlite3.connect(tmp_path / "data" / "bellhop.db")) as database, database:
        database.execute(
            "UPDATE inbox SET state = 'ready', settled_at = NULL, attempts = 4, deaths = 3"
        )
        database.execute("DELETE FROM steps")
    gate = model.hold(3)
    async with running_app(tmp_path, model, chat, clock):
        await model.asked(3)
        await chat.say("bob", "hello", where="bob")
        await until(clock, lambda: len(chat.posts) == 3)
        assert (
            chat.posts[2].text
            == Phrase(
                "I ended unexpectedly and am finding out which request did it, one at a time. "
                "Yours is not forgotten: I begin with it when that is done."
            ).en
        )
        gate.set()
        await chat.until(4)


async def until(clock: FakeClock, condition: Callable[[], bool], seconds: int = 1_000) -> None:
    """Advance second by second, with time for the database, until it is so or time is over."""
    for _ in range(seconds):
        if condition():
            return
        await clock.advance(1)
        for _ in range(20):
            await asyncio.to_thread(os.sched_yield)


MOMENT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HELD_BACK = "Your last reply was not shown"


def at(seconds: float) -> datetime:
    return MOMENT + timedelta(seconds=seconds)


def texts(scripted: ScriptedModel, number: int) -> str:
    return json.dumps(scripted.requests[number].messages)


@pytest.mark.parametrize(
    ("lines", "replies", "shown"),
    [
        pytest.param(
            {"add": 0, "milk": 0.6, "and bread": 1.4},
            ["To the first alone.", "To all three."],
            ["To all three."],
            id="of one moment get one answer though the first was begun",
        ),
        pytest.param(
            {"first": 0, "second": 1.5},
            ["One.", "Two."],
            ["One.", "Two."],
            id="of a later moment get an answer of their own",
        ),
        pytest.param(
            {"first": 0, "second": 5, "third": 5.5},
            ["One.", "Both."],
            ["One.", "Both."],
            id="that wait together open their turn together",
        ),
    ],
)
async def test_lines_are_answered_by_the_moment_in_which_they_were_written(
    lines: dict[str, float], replies: list[str], shown: list[str], home: Path
):
    scripted = ScriptedModel([say(reply) for reply in replies], strict=True)
    hold = scripted.hold(1)
    async with running_app(home, scripted) as house:
        for text, seconds in lines.items():
            await house.chat.say("ann", text, at=at(seconds))
            await scripted.asked(1)
        hold.set()
        await house.chat.until(len(shown))
        await house.until_idle()
        assert house.chat.texts == shown
    assert all(text in texts(scripted, 1) for text in lines)
    assert (HELD_BACK in texts(scripted, 1)) is (len(shown) < len(replies))


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
        rows = await house.rows(
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
