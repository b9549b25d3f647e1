"""One person's flood, a stalled model or a full house: what the others notice of it."""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.domain.database import Unit, Write
from bot.domain.languages import Phrase
from bot.domain.messages import Place
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, say


def settings(home: Path, text: str) -> None:
    (home / "bellhop.yaml").write_text(text)


async def test_one_person_runs_three_turns_at_once_and_others_are_served(
    tmp_path: Path,
):
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
