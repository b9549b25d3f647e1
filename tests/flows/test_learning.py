"""A finished turn's lesson for later searches: useful found tools, in the turn's unit."""

from pathlib import Path
from typing import Any

import pytest

from bot.testing.app_lives import AppLives
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, calls, say
from tests.thoroughness import tried

USE: list[Any] = [
    call("tool_search", {"query": "hour"}),
    call("current_time", {}),
    say("Twelve."),
]


async def rows(house: Any) -> list[tuple[str, str, str]]:
    await house.until_idle()
    found = await house.app.database.read(
        "SELECT person, tool, words FROM tool_requests ORDER BY tool, words"
    )
    return [(row["person"], row["tool"], row["words"]) for row in found]


async def test_words_that_found_a_tool_find_it_again_also_after_a_restart(
    home: Path,
):
    scripted = ScriptedModel(
        [*USE, call("tool_search", {"query": "bakery muffins"}), say("Found it.")], strict=True
    )
    chat = FakeChat()
    async with running_app(home, scripted, chat) as house:
        await house.ask("ann", "how many muffins does the bakery owe me?")
        assert await rows(house) == [
            ("ann", "current_time", "bakeri mani muffin ow"),
            ("ann", "current_time", "hour"),
        ]
    async with running_app(home, scripted, chat) as house:
        await house.ask("ann", "and the bakery?")
    assert '"current_time"' in str(scripted.requests[-1].messages[-2:]).replace("\\", "")


async def test_a_choice_while_the_answer_is_written_counts_for_its_lesson(home: Path):
    model = ScriptedModel(
        [*USE, call("tool_search", {"query": "bakery muffins"}), say("Nothing.")], strict=True
    )
    async with running_app(home, model) as house:
        held = model.hold(3)
        await house.chat.say("ann", "how many muffins does the bakery owe me?")
        await model.asked(3)
        await house.command("ann", "memory", "off me")
        held.set()
        assert await rows(house) == []
        await house.ask("ann", "and the bakery?")
    assert '"current_time"' not in str(model.requests[-1].messages[-2:]).replace("\\", "")


async def test_failures_always_on_tools_and_open_requests_teach_nothing(home: Path):
    scripted = ScriptedModel(
        [
            call("tool_search", {"pattern": "current_time"}),
            call("current_time", {"timezone": "No/Where"}), say("No."),
            call("save_fact", {"key": "k", "value": "v"}), say("Saved."),
            call("current_time", {}),
            call("finish_task", {"answer": "Half of it.", "status": "partial"}),
        ]
    )  # fmt: skip
    async with running_app(home, scripted) as house:
        for words in ("what is this sum?", "keep it", "and this one?"):
            await house.ask("ann", words)
        assert await rows(house) == []


@pytest.mark.thorough
async def test_a_crash_at_any_write_leaves_the_lesson_with_its_turn(home: Path):
    plans = {
        "sum": [
            calls(("tool_search", {"pattern": "current_time"})),
            call("current_time", {}),
            say("2"),
        ]
    }

    async def ask(life: Any) -> None:
        await life.chat.say("ann", "please do:sum", key="m1")

    async def play(name: str, point: CrashPoint | None) -> list[str]:
        folder = home / name
        folder.mkdir()
        (folder / "contacts.yaml").write_text((home / "contacts.yaml").read_text())
        lives = AppLives(folder)
        assert await lives.play(PlanModel(plans), [ask], point) is (point is not None), point
        commits = lives.commits
        async with lives.life(PlanModel(plans)) as life:
            found = await life.app.database.read("SELECT tool FROM tool_requests")
            assert [row["tool"] for row in found] == ["current_time"], point
        return commits

    for number, point in enumerate(tried(crash_points(await play("whole", None)))):
        await play(f"life{number}", point)
