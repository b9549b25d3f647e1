"""Every crash point of a compaction: one epoch, one answer for each message, nothing done twice."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.domain.models import ModelCapabilities, ModelReply, ModelRequest, ModelSize, Unlock, Usage
from bot.storage.home import open_database
from bot.testing.app_lives import AppLives, PersonAct
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_chat import FakeChat
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import call, say
from tests.thoroughness import tried

WINDOW = ModelCapabilities(
    Unlock.INLINE, system_notes=True, context_tokens=30_000, label="a small model"
)
FULL = Usage(20_000, 0, 0, 500)
SUMMARY = (
    "<summary>\n## What the person wants\nA green shed (RAL 6005). "
    f"{'They said so. ' * 30}</summary>"
)
LONG = "Here is the whole story of the shed. " * 400


def text_of(request: ModelRequest) -> str:
    return json.dumps(request.messages, ensure_ascii=False)


def says(text: str, key: str) -> PersonAct:
    return lambda life: life.chat.say("ann", text, key=key)


def compacts(key: str) -> PersonAct:
    return lambda life: life.chat.command("ann", "compact", key=key)


def plans(lives: AppLives) -> PlanModel:
    """Reports full after `do:fill`, overflows once in `do:burst`, summarises on request."""
    overflow = say("", stop_reason="model_context_window_exceeded")

    def otherwise(request: ModelRequest) -> str:
        return SUMMARY if request.size is ModelSize.CHEAP else "Done."

    def bought(request: ModelRequest) -> ModelReply:
        return say("Bought.") if "don't do it again" in text_of(request) else overflow

    burst: list[PlanStep] = [
        _or_bought(call("save_fact", {"key": "a", "value": "kept"})),
        call("tool_search", {"pattern": "manage_t*"}),
        call("manage_todos", {"action": "create", "title": "milk"}),
        bought,
    ]
    after: dict[str, list[PlanStep]] = {"burst": burst, "fill": [say("Full.", usage=FULL)]}
    return PlanModel(after, otherwise=otherwise, alive=lives.alive, capabilities=WINDOW)


def _or_bought(step: ModelReply) -> PlanStep:
    """The plan's words come again in the new epoch: then its first step is the answer."""
    return lambda request: say("Bought.") if "don't do it again" in text_of(request) else step


CRASHES: dict[str, tuple[list[PersonAct], list[str]]] = {
    "due": (
        [says(f"do:fill {LONG}", "k1"), says("do:next", "k2")],
        ["Full.", "Done."],
    ),
    "demand": (
        [says(LONG, "k1"), compacts("k2"), says("more", "k3")],
        ["Done.", "Done: I go on", "Done."],
    ),
    "overflow": (
        [says(LONG, "k1"), says("do:burst now", "k2")],
        ["Done.", "Bought."],
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", CRASHES)
async def test_a_crash_at_any_write_leaves_one_epoch_and_one_answer_each(
    name: str, tmp_path: Path, home: Path
):
    acts, sees = CRASHES[name]

    async def played(point: CrashPoint | None, number: int) -> tuple[AppLives, list[str]]:
        folder = tmp_path / f"life{number}"
        folder.mkdir()
        shutil.copy(home / "contacts.yaml", folder)
        lives = AppLives(folder)
        crashed = await lives.play(plans(lives), acts, point)
        assert crashed is (point is not None)
        return lives, await state(folder)

    calm, expected = await played(None, 0)
    check_posts(calm.chat, sees)
    for number, point in enumerate(tried(crash_points(calm.commits)), 1):
        lives, found = await played(point, number)
        check_posts(lives.chat, sees)
        assert found == expected, point


def check_posts(chat: FakeChat, sees: list[str]) -> None:
    assert len(chat.texts) == len(sees), chat.texts
    for text, wanted in zip(chat.texts, sees, strict=True):
        assert text.startswith(wanted)


async def state(home: Path) -> list[str]:
    """The session's epoch, transcript (without moments and ids) and todos."""
    database = await open_database(home / "data" / "bellhop.db", read_only=True)
    try:
        sessions = await database.read("SELECT epoch, next_seq, tools FROM sessions")
        rows = await database.read("SELECT epoch, seq, message FROM transcript ORDER BY epoch, seq")
        todos = await database.read("SELECT count(*) AS n FROM todos")
        kept = [
            f"{row['epoch']}.{row['seq'] + place} {message['role']} {len(packed(message)) // 200}"
            for row in rows
            for place, message in enumerate(json.loads(row["message"]))
        ]
        return [*(str(dict(row)) for row in sessions), *kept, f"todos {todos[0]['n']}"]
    finally:
        await database.close()


def packed(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
