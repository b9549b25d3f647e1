"""Skills held to their limits in a whole house: by command, read, activated, after a crash."""

import json
from pathlib import Path

from bot.domain.models import ModelReply, ModelRequest
from bot.testing.app_lives import AppLives
from bot.testing.harness import running_app
from bot.testing.home_files import write_tool
from bot.testing.scripted_model import ScriptedModel, call, say, strict, told, unlock

SKILL = """\
---
name: report
description: Writes the report.
command: report
allowed-tools: current_time Bash(git:*) read_file
paths: /documents/reports
---
Say the time.
"""


def with_skill(home: Path, text: str = SKILL) -> Path:
    folder = home / "skills" / "report"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(text)
    (folder / "details.md").write_text("zq-details")
    return home


def todo() -> ModelReply:
    return call("manage_todos", {"action": "create", "title": "zq-outside"})


async def test_a_slash_skill_limits_its_own_turn_and_not_the_next(home: Path):
    scripted = strict(
        unlock("current_time", "manage_todos"),
        todo(),
        call("read_file", {"path": "/preferences/global.md"}),
        call("read_file", {"path": "/skills/report/details.md"}),
        call("current_time", {}),
        say("Noon."),
        todo(),
        say("Kept."),
    )
    async with running_app(with_skill(home), scripted) as house:
        assert await house.command("ann", "report", "please") == "Noon."
        assert await house.ask("ann", "now the todo") == "Kept."
    assert "this turn is held to that" in told(scripted.requests[0])
    assert "manage_todos is not among its tools" in told(scripted.requests[2])
    assert "The skill report may use only: tools current_time, Bash, read_file" in told(
        scripted.requests[2]
    )
    assert "is not among its paths" in told(scripted.requests[3])
    assert "zq-details" in told(scripted.requests[4])
    assert "UTC" in told(scripted.requests[5]) or "Europe/Berlin" in told(scripted.requests[5])
    assert "zq-outside" in told(scripted.requests[7])
    assert "not among" not in told(scripted.requests[7])


async def test_a_skill_that_is_read_holds_from_then_to_the_end_of_the_turn(home: Path):
    scripted = strict(
        unlock("manage_todos"),
        todo(),
        call("read_file", {"path": "/skills/report/SKILL.md"}),
        call("manage_todos", {"action": "list"}),
        say("Done."),
        call("manage_todos", {"action": "list"}),
        say("Free."),
    )
    async with running_app(with_skill(home), scripted) as house:
        await house.ask("ann", "keep a todo, then the report")
        await house.ask("ann", "and now?")
    assert "not among" not in told(scripted.requests[2])
    assert "manage_todos is not among its tools" in told(scripted.requests[4])
    assert "zq-outside" in told(scripted.requests[6])


async def test_a_delegated_agent_is_held_to_it_as_well(home: Path):
    with_skill(home, SKILL.replace("current_time", "agent_observer current_time"))
    scripted = strict(
        call("agent_observer", {"instruction": "look"}),
        unlock("recall_recent"),
        call("recall_recent", {}),
        say("I could not look."),
        say("Nothing."),
    )
    async with running_app(home, scripted) as house:
        await house.command("ann", "report")
    assert "recall_recent is not among its tools" in told(scripted.requests[3])


async def test_a_turns_limits_survive_a_crash_and_an_edit(home: Path):
    lives = AppLives(with_skill(home))

    def dies(request: ModelRequest) -> ModelReply:
        lives.kill()
        raise AssertionError

    async with lives.life(ScriptedModel([dies])) as life:
        await life.order("ann", "report", "please", key="k1")
    (home / "skills" / "report" / "SKILL.md").write_text(
        SKILL.replace("allowed-tools: ", "x: ").replace("paths", "y")
    )
    scripted = strict(unlock("manage_todos"), todo(), say("No."))
    async with lives.life(scripted) as life:
        await life.settle()
    assert lives.chat.texts == ["No."]
    assert "manage_todos is not among its tools" in told(scripted.requests[2])


def outside() -> ModelReply:
    return call("write_file", {"path": "/documents/out.md", "content": "zq-outside"})


def with_clock(home: Path) -> Path:
    (home / "skills").mkdir()
    confine = {"tools": ["current_time", "calculate"]}
    manifest = {
        "skill_id": "clock",
        "name": "Clock",
        "required_tools": ["current_time"],
        "confine": confine,
    }
    (home / "skills" / "clock.json").write_text(json.dumps(manifest))
    return home


BEGUN = (
    unlock("activate_skill", "deactivate_skill"),
    call("activate_skill", {"skill_id": "clock"}),
    outside(),
)


async def test_a_manifest_limits_the_turn_that_activated_it_and_not_the_next(home: Path):
    scripted = strict(*BEGUN, say("No."), outside(), call("current_time", {}), say("Yes."))
    async with running_app(with_clock(home), scripted) as house:
        await house.ask("ann", "what time is it?")
        await house.ask("ann", "now write a page, and tell the time again")
    assert (
        "For this request you may use only: tools current_time, calculate, manage_todos,"
        in told(scripted.requests[2])
    )
    refused = told(scripted.requests[3])
    assert "write_file is not among its tools" in refused
    assert "deactivate_skill ends it now" in refused
    assert "created /documents/out.md" in told(scripted.requests[5])
    assert "not among" not in told(scripted.requests[5])


async def test_putting_a_manifest_away_lifts_nothing_unless_the_person_wrote_since(home: Path):
    scripted = strict(
        *BEGUN, call("deactivate_skill", {"skill_id": "clock"}), outside(), say("No.")
    )
    async with running_app(with_clock(home), scripted) as house:
        await house.ask("ann", "what time is it?")
    assert "Its limits hold until this request is answered" in told(scripted.requests[4])
    assert "write_file is not among its tools" in told(scripted.requests[5])


async def test_a_manifest_that_is_put_away_for_other_work_limits_no_more(home: Path):
    scripted = strict(
        *BEGUN, call("deactivate_skill", {"skill_id": "clock"}), outside(), say("Written.")
    )
    held = scripted.hold(3)
    async with running_app(with_clock(home), scripted) as house:
        await house.chat.say("ann", "what time is it?")
        await scripted.asked(3)
        await house.chat.say("ann", "forget the time; write me the page out.md")
        held.set()
        await house.until_idle()
    assert "write the page" in told(scripted.requests[3]) or "out.md" in told(scripted.requests[3])
    assert "Its limits hold" not in told(scripted.requests[4])
    assert "created /documents/out.md" in told(scripted.requests[5])


async def test_the_turn_after_a_yes_keeps_the_limits_of_its_question(home: Path):
    with_skill(home, SKILL.replace("current_time", "close_case"))
    number = {"number": {"type": "integer"}}
    more = {"access": "MasterAdmin", "risk": "destructive"}
    write_tool(home, "close_case", "echo zq-closed\n", takes=number, needs=("number",), **more)
    scripted = strict(
        unlock("close_case", "manage_todos"),
        call("close_case", {"number": 4}),
        say("I asked."),
        todo(),
        say("Closed."),
        todo(),
        say("Kept."),
    )
    async with running_app(home, scripted) as house:
        await house.order("owner", "report", "close it")
        (approval,) = await house.app.approvals.newest()
        await house.order("owner", "approve", approval.ref)
        await house.ask("owner", "now the todo")
    assert "zq-closed" in json.dumps(scripted.requests[3].messages[-2:])
    assert "manage_todos is not among its tools" in told(scripted.requests[4])
    assert "zq-outside" in told(scripted.requests[6])
    assert "not among" not in told(scripted.requests[6])


ASKED = """\
rules:
  - {name: look, tools: read_file, decision: ask, approver: MasterAdmin, reason: look first}
"""


async def test_a_skill_that_is_read_after_a_yes_holds_the_turn_that_got_it(home: Path):
    (with_skill(home) / "policy.yaml").write_text(ASKED)
    scripted = strict(
        unlock("manage_todos"),
        call("read_file", {"path": "/skills/report/SKILL.md"}),
        say("I asked."),
        todo(),
        say("It is not allowed."),
    )
    async with running_app(home, scripted) as house:
        await house.tell("owner", "the report")
        (approval,) = await house.app.approvals.newest()
        await house.order("owner", "approve", approval.ref)
    assert "Say the time." in json.dumps(scripted.requests[3].messages[-2:])
    assert "manage_todos is not among its tools" in told(scripted.requests[4])
