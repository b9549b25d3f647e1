"""What is learned from work: words that find tools, and skills made of what recurs."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.cli.main import app as cli
from bot.domain.messages import Place, Visibility
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import settle
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, calls, say, unlock
from bot.testing.waiting import until
from tests.thoroughness import tried

USE: list[Any] = [
    call("tool_search", {"query": "hour"}),
    call("current_time", {}),
    say("Twelve."),
]


async def rows(house: Any) -> list[tuple[str, str, str]]:
    await house.until_idle()
    found = await house.rows("SELECT person, tool, words FROM tool_requests ORDER BY tool, words")
    return [(row["person"], row["tool"], row["words"]) for row in found]


async def test_words_that_found_a_tool_find_it_again_also_after_a_restart(home: Path):
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
        await house.meanwhile(house.chat.command("ann", "memory", "off me"))
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


CANDIDATE = """\
---
name: Time check
signature: current_time > calculate
tools: [current_time, calculate]
occurrences: 3
sessions: [a, b, c]
first_seen: 2026-10-02
last_seen: 2026-11-13
status: candidate
---

1. zq-steps: look at the clock.
"""


def candidate(home: Path, text: str = CANDIDATE) -> Path:
    path = home / "memory" / "playbooks" / "candidates" / "time_check.md"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


async def test_a_master_admin_promotes_and_everybody_runs_it_within_its_tools(home: Path):
    path = candidate(home)
    scripted = ScriptedModel(
        [
            unlock("manage_todos"),
            call("manage_todos", {"action": "list"}),
            say("Only the time."),
        ],
        strict=True,
    )
    async with running_app(home, scripted) as house:
        assert "is for a MasterAdmin" in await house.command("ann", "skills", "promote time_check")
        told = await house.command("owner", "skills", "promote time_check")
        assert told == (
            "time_check is live: /time_check runs it, with current_time, calculate and no "
            "other tool."
        )
        assert "promoted already" in await house.command("owner", "skills", "promote time_check")
        assert await house.command("ann", "time_check") == "Only the time."
        sql = "SELECT person, tool FROM audit WHERE kind = 'playbook-promoted'"
        rows = await house.rows(sql, ())
        assert [(row["person"], row["tool"]) for row in rows] == [("owner", "skill:time_check")]
    assert "status: promoted" in path.read_text()
    assert "zq-steps" in json.dumps(scripted.requests[0].messages)
    assert "manage_todos is not among its tools" in json.dumps(scripted.requests[2].messages[-2:])


async def test_a_broken_candidate_is_a_sentence_with_its_file_and_line(home: Path):
    candidate(home, CANDIDATE.replace("occurrences: 3", "occurrences: often"))
    async with running_app(home, ScriptedModel([], strict=True)) as house:
        told = await house.command("owner", "skills", "promote time_check")
    assert "candidates/time_check.md, line 5: occurrences must be a number" in told


async def test_no_skill_is_made_of_what_was_said_where_nothing_is_learned(home: Path):
    (home / "policy.yaml").write_text("places:\n  - {name: quiet, where: dm, learn: false}\n")
    async with running_app(home, ScriptedModel([say("Hello.")])) as house:
        await house.ask("ann", "hi")
        (row,) = await house.rows("SELECT id FROM sessions")
        candidate(home, CANDIDATE.replace("[a, b, c]", f"[a, {row['id']}]"))
        told = await house.command("owner", "skills", "promote time_check")
    assert f"comes from sessions in places with learn: false ({row['id']})" in told
    assert not (home / "skills" / "time_check").exists()


WORK = (
    calls(("tool_search", {"pattern": "*"})),
    calls(("knowledge_search", {"query": "numbers"})),
    calls(("calculate", {"expression": "1 + 1"})),
    calls(("manage_notes", {"action": "add", "title": "zq-sum", "is_agent_note": False})),
    calls(("manage_todos", {"action": "list"})),
    say("Done."),
)


async def work(life: AppLife, lives: AppLives, number: int, place: Place) -> None:
    where = "ann" if place is Place.DM else "room"
    said = {
        "where": where,
        "place": place,
        "visibility": Visibility.PUBLIC,
        "key": f"{place} {number}",
    }
    await life.tell("ann", "do:report", **said)
    await life.order("ann", "new", where=where, place=place)
    await until_summarised(life, lives)


async def until_summarised(life: AppLife, lives: AppLives) -> None:
    left = "SELECT count(*) AS n FROM sessions WHERE summarised_epoch < epoch - (state = 'open')"
    while (await life.database.read(left))[0]["n"]:
        await lives.clock.advance(60)
        await settle()


async def night(lives: AppLives) -> None:
    for _ in range(4):
        await lives.clock.advance(timedelta(hours=6).total_seconds())
        await settle()


async def test_public_work_becomes_a_candidate_that_the_terminal_lists(home: Path):
    lives = AppLives(home)
    folder = home / "memory" / "playbooks" / "candidates"
    async with lives.life(PlanModel({"report": WORK})) as life:
        for number, place in enumerate((Place.DM, Place.CHANNEL, Place.CHANNEL)):
            await work(life, lives, number, place)
        await night(lives)
        assert not folder.exists()
        await work(life, lives, 3, Place.CHANNEL)
        await night(lives)
        await until(lambda: list(folder.glob("*.md")))
    shown = await asyncio.to_thread(
        CliRunner().invoke, cli, ["memory", "playbooks", "--home", str(home)]
    )
    assert shown.exit_code == 0, shown.output
    assert "knowledge_search_to_manage_todos" in shown.output
    assert "bellhop skills promote NAME" in shown.output
    assert "did not count: 1 in direct messages and private channels" in shown.output
    assert "`/share TEXT` and a yes" in shown.output
    (path,) = folder.glob("*.md")
    assert "knowledge_search > calculate > manage_notes > manage_todos" in path.read_text()
    assert "zq-sum" not in path.read_text()


async def test_what_recurs_in_private_is_offered_to_its_person_as_a_skill_of_their_own(home: Path):
    lives, here = AppLives(home), {"where": "ann", "place": Place.DM}
    async with lives.life(PlanModel({"report": WORK})) as life:

        async def told(who: str, args: str, **where: Any) -> str:
            return (await life.order(who, "skill", args, **where))[-1]

        # An answer to a command would stand in the first session of its conversation.
        elsewhere = {**here, "where": "elsewhere"}
        assert "No way of working recurs" in await told("ann", "found", **elsewhere)
        for number in range(3):
            await work(life, lives, number, Place.DM)
        shown = await told("ann", "found", **here)
        assert "1. knowledge_search → calculate → manage_notes → manage_todos (3 times)" in shown
        assert "zq-sum" not in shown
        room = {"where": "room", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
        assert "direct message" in await told("ann", "found", **room)
        assert "No way" in await told("ben", "found", where="ben", place=Place.DM)
        assert "Say what it is called" in await told("ann", "found 1", **here)
        assert "Saved: " in await told("ann", "found 1 weekly_sums", **here)
        text = await told("ann", "show weekly_sums", **here)
        assert "1. `knowledge_search`\n2. `calculate`" in text
        assert "There is no skill" in await told(
            "ben", "show weekly_sums", where="ben", place=Place.DM
        )
