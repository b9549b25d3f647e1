"""A machine without memory or file descriptors: people and operator are told once."""

import asyncio
import errno
import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.domain.models import ModelReply, ModelRequest
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, say

CONTACTS = '- {id: owner, name: Olga, role: MasterAdmin, ids: {discord: ["owner"]}}\n'


def no_descriptor_left(_request: ModelRequest) -> ModelReply:
    raise OSError(errno.EMFILE, "Too many open files")


async def test_a_shortage_is_told_once_and_the_operator_sees_why(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    (tmp_path / "contacts.yaml").write_text(CONTACTS)
    chat, clock = FakeChat(), FakeClock()
    model = ScriptedModel([*[no_descriptor_left] * 12, say("an answer")])
    async with running_app(tmp_path, model, chat, clock) as house:
        await house.until_idle()
        with caplog.at_level(logging.INFO, "bot.turns"):
            await chat.say("ann", "hello")
            await until(clock, lambda: len(chat.posts) == 1)
            assert [post.text for post in chat.posts] == [
                "The machine that I run on is short of memory or open files at the moment. Your "
                "request is not lost:"
                " I keep trying."
            ]
            assert "short of open files" in await house.command("owner", "status")
            assert "short of" not in await house.command("ann", "status")
            await until(clock, lambda: len(chat.posts) == 4)
        assert chat.posts[-1].text == "an answer"
        await house.until_idle()
        for _ in range(30):
            if "short of" in await house.command("owner", "status"):
                await clock.advance(1)
        assert "short of" not in await house.command("owner", "status")
    said = [record.getMessage() for record in caplog.records if "short_of=" in record.getMessage()]
    assert len(said) == 2
    assert "file descriptors" in said[0]
    assert said[1].endswith("over")


async def until(clock: FakeClock, condition: Callable[[], bool]) -> None:
    """Let time pass second by second, with time for the database in between."""
    for _ in range(300):
        for _ in range(100):
            if condition():
                return
            await asyncio.to_thread(os.sched_yield)
        await clock.advance(1)
