"""Transcripts in memory: bounded over all sessions, and read again from the database where they were let go."""

from pathlib import Path

import pytest

from bot.sessions import transcripts
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel


async def test_memory_holds_the_newest_and_what_was_let_go_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(transcripts, "KEPT_MESSAGES", 6)
    people = ("ann", "ben", "cleo", "dora")
    model = PlanModel({})
    async with running_app(tmp_path, model, FakeChat()) as house:
        for number in range(3):
            for person in people:
                assert await house.ask_own(person, f"{person} says {number}") == "Done."
        await house.until_idle()
        kept = vars(house.app.house.transcripts)
        assert kept["_count"] == sum(len(messages) for messages in kept["_kept"].values())
        assert len(kept["_kept"]) < len(people)
        await house.ask_own("ann", "ann says 3")
    words = str(model.requests[-1].messages)
    assert [f"ann says {number}" in words for number in range(4)] == [True] * 4
    assert "ben says" not in words
