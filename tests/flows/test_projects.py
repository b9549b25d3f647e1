"""The shipped manifest webdev: an active skill writes and runs a project, within roles."""

import json
from pathlib import Path
from typing import Any

from bot.domain.models import ModelRequest
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say


def last(request: ModelRequest) -> str:
    return json.dumps(request.messages[-2:], ensure_ascii=False)


def building(*more: Any) -> ScriptedModel:
    begin = (
        call("get_capabilities", {"names": ["activate_skill"]}),
        call("activate_skill", {"skill_id": "webdev"}),
    )
    return ScriptedModel([*begin, *more], strict=True)


async def test_a_partner_builds_and_runs_a_project(home: Path):
    (home / "bellhop.yaml").write_text("{}\n")
    scripted = building(
        call("pm_write_file", {"project": "shop", "path": "add.py", "content": "print(19 + 23)\n"}),
        call("pm_shell", {"project": "shop", "command": "python3 add.py | tee out.txt"}),
        say("It says 42."),
    )
    async with running_app(home, scripted) as house:
        works = house.app.house.ground.sandbox.hindrance is None
        assert await house.ask("ben", "build it") == "It says 42."
    assert (
        home / "data" / "workspaces" / "ben" / "shop" / "add.py"
    ).read_text() == "print(19 + 23)\n"
    assert "created add.py in shop" in last(scripted.requests[3])
    assert ("42" in last(scripted.requests[4])) == works


async def test_a_friend_gets_none_of_its_tools_and_no_name_of_them(home: Path):
    scripted = building(say("I can't."))
    async with running_app(home, scripted) as house:
        await house.ask("ann", "build it")
    assert "can't be activated: none of its tools is available here" in last(scripted.requests[2])
    assert "pm_shell" not in json.dumps([request.messages for request in scripted.requests])


async def test_without_a_sandbox_files_work_and_the_shell_is_reported_missing(home: Path):
    scripted = building(say("Only files."))
    async with running_app(home, scripted) as house:
        await house.ask("ben", "build it")
    assert "Missing here: pm_shell" in last(scripted.requests[2])
    assert not (home / "data" / "workspaces").exists()
