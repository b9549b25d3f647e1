"""A playbook candidate becomes a skill in chat: live, limited to its tools, audited."""

import json
from pathlib import Path

from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say

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
            call("get_capabilities", {"names": ["manage_todos"]}),
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
        rows = await house.app.database.read(sql, ())
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
        await house.until_idle()
        (row,) = await house.app.database.read("SELECT id FROM sessions")
        candidate(home, CANDIDATE.replace("[a, b, c]", f"[a, {row['id']}]"))
        told = await house.command("owner", "skills", "promote time_check")
    assert f"comes from sessions in places with learn: false ({row['id']})" in told
    assert not (home / "skills" / "time_check").exists()
