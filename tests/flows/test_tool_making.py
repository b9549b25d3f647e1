"""mrtool end to end: drafts, fails, fixes, stages; after a yes others call the tool."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply, ModelRequest
from bot.skills.play_file import read_play
from bot.testing.harness import running_app
from bot.testing.scripted_model import (
    ScriptedModel,
    call,
    calls,
    result_texts,
    results,
    say,
    strict,
    unlock,
)
from bot.tools.running.sandbox import Sandbox
from bot.tools.settings import ShellSettings

GREET = """\
#!/bin/sh
name=$(sed -n 's/.*"name": *"\\([a-z]*\\)".*/\\1/p')
[ -n "$name" ] || { echo "no name" >&2; exit 1; }
echo "zq-hello $name"
"""
CASES = [
    {"arguments": {"name": "ann"}, "expect": {"equals": "zq-hello ann"}},
    {"arguments": {"name": ""}, "expect": {"is_error": True}},
    {"arguments": {}, "expect": {"is_error": True, "contains": "name"}},
]


def drafted(**more: Any) -> JsonObject:
    return {
        "name": "greet_someone",
        "description": "Greet a person by name. Use it when somebody asks for a greeting.",
        "parameters": {
            "type": "object",
            "properties": {"name": {"type": "string", "description": "Who."}},
            "required": ["name"],
        },
        "access": "Friend+",
        "implementation": "shell: greet_someone.sh",
        "script": GREET,
        "cases": CASES,
        **more,
    }


def texts(request: ModelRequest) -> str:
    return "\n".join(result_texts(request))


def release(request: ModelRequest) -> ModelReply:
    """What a model does that reads: the name of what validate_tool staged."""
    found = re.findall(r"^(\w+) is valid and staged", texts(request), re.MULTILINE)
    return call("release_draft", {"name": found[-1]})


def unlocking() -> ModelReply:
    return call("tool_search", {"pattern": "*_*"})


NOTHING: JsonObject = {}
NAMES = [
    "create_tool",
    "test_tool",
    "validate_tool",
    "create_skill",
    "update_skill",
    "release_draft",
]


def asked() -> list[Any]:
    """The assistant hands the wish on, and mrtool looks at its tools."""
    return [
        unlock("call_agent"),
        call("call_agent", {"agent": "mrtool", "task": "Make a tool that greets people."}),
        call("get_capabilities", {"names": NAMES}),
    ]


@pytest.fixture
async def sandboxed(home: Path) -> Path:
    (home / "bellhop.yaml").write_text("")
    return home


async def lacks_sandbox(home: Path) -> bool:
    """Whether scripts can't run here; then their refusal is tested instead."""
    sandbox = Sandbox(ShellSettings(), home)
    await sandbox.probe()
    if sandbox.hindrance is None:
        return False
    steps = [
        call("create_tool", drafted()),
        call("test_tool", {"name": "greet_someone"}),
        say("No."),
        say("Not here."),
    ]
    model = ScriptedModel([*asked(), *steps], strict=True)
    async with running_app(home, model) as house:
        assert await house.ask("owner", "make me a greeting tool") == "Not here."
        assert "a draft's script runs in a sandbox only, and " in texts(model.requests[5])
        assert house.app.house.tooling.catalog.anywhere("greet_someone") == ()
    return True


async def test_a_tool_is_drafted_fixed_staged_approved_and_called(sandboxed: Path):
    if await lacks_sandbox(sandboxed):
        return
    model = ScriptedModel(
        [
            *asked(),
            call("create_tool", drafted(script="echo nothing")),
            call("test_tool", {"name": "greet_someone"}),
            call("validate_tool", {"name": "greet_someone"}),
            call("create_tool", drafted()),
            call("test_tool", {"name": "greet_someone"}),
            call("validate_tool", {"name": "greet_someone"}),
            release,
            say("Made greet_someone."),
            say("It waits for your yes."),
        ],
        strict=True,
    )
    async with running_app(sandboxed, model) as house:
        await house.chat.say("owner", "make me a greeting tool")
        told, card = [post.text for post in await house.chat.until(2)]
        seen = texts(model.requests[10])
        assert "0 of 3 cases passed" in seen or "1 of 3 cases passed" in seen
        assert "its cases have not all passed on exactly this content" in seen
        assert "3 of 3 cases passed" in seen
        assert "release_draft" in card
        assert '"roles": "Business, Friend, Partner, MasterAdmin"' in card
        assert '"does": "script greet_someone.sh"' in card
        assert told == "It waits for your yes."
        staged = sandboxed / "prompts/tools/readytools/greet_someone.sh"
        assert staged.stat().st_mode & 0o111 == 0
        assert house.app.house.tooling.catalog.anywhere("greet_someone") == ()
        model.add(say("It is live."))
        ref = re.search(r"Approval (a\w+)", card)
        assert ref
        await house.order("owner", "approve", ref[1])
        live = sandboxed / "prompts/tools/shared/greet_someone.sh"
        assert live.stat().st_mode & 0o111
        assert not staged.exists()
        model.add(
            call("tool_search", {"pattern": "greet_*"}),
            call("greet_someone", {"name": "ben"}),
            say("It greeted."),
        )
        assert await house.ask("ann", "greet ben") == "It greeted."
        assert "zq-hello ben" in texts(model.requests[-1])
        audit = [
            (entry.kind, entry.tool)
            for entry in await house.app.approvals.audit()
            if ":" in entry.tool
        ]
    assert [kind for kind, name in audit[::-1] if name == "tool:greet_someone"] == [
        "tool-drafted",
        "tool-tested",
        "tool-drafted",
        "tool-tested",
        "tool-staged",
        "tool-approved",
    ]


async def test_a_master_admin_reads_and_decides_by_command_and_nobody_else_does(sandboxed: Path):
    if await lacks_sandbox(sandboxed):
        return
    model = ScriptedModel(
        [
            *asked(),
            call("create_tool", drafted()),
            call("test_tool", {"name": "greet_someone"}),
            call("validate_tool", {"name": "greet_someone"}),
            say("Staged."),
            say("Done."),
        ],
        strict=True,
    )
    async with running_app(sandboxed, model) as house:
        assert await house.ask("owner", "make it") == "Done."
        for who in ("ann", "ben", "stranger"):
            for verb in ("staged", "approve greet_someone", "reject greet_someone", ""):
                assert "for a MasterAdmin" in await house.command(who, "tools", verb)
        shown = await house.command("owner", "tools", "staged greet_someone")
        assert "zq-hello $name" in shown
        assert "asked by owner" in shown
        script = sandboxed / "prompts/tools/readytools/greet_someone.sh"
        good = script.read_text()
        script.write_text(good + "curl evil\n")
        assert "was changed" in await house.command("owner", "tools", "approve greet_someone")
        assert house.app.house.tooling.catalog.anywhere("greet_someone") == ()
        script.write_text(good)
        assert "is live for" in await house.command("owner", "tools", "approve greet_someone")
        assert house.app.house.tooling.catalog.anywhere("greet_someone")
        assert "not live any more" in await house.command("owner", "tools", "remove greet_someone")
        assert house.app.house.tooling.catalog.anywhere("greet_someone") == ()
        assert not (sandboxed / "prompts/tools/shared/greet_someone.sh").exists()
        assert "nothing is staged" in await house.command("owner", "tools", "reject greet_someone")


async def test_a_draft_changed_after_its_card_is_not_released(sandboxed: Path):
    if await lacks_sandbox(sandboxed):
        return
    steps = [
        call("test_tool", {"name": "greet_someone"}),
        call("validate_tool", {"name": "greet_someone"}),
    ]
    model = ScriptedModel(
        [
            *asked(),
            call("create_tool", drafted()),
            *steps,
            release,
            say("Waits."),
            say("Waits for you."),
        ],
        strict=True,
    )
    async with running_app(sandboxed, model) as house:
        await house.chat.say("owner", "make it")
        card = (await house.chat.until(2))[1].text
        wider = drafted(script=GREET.replace("zq-", "qq-"), cases=[{"arguments": {"name": "ann"}}])
        model.add(
            *asked(), call("create_tool", wider), *steps, say("Staged anew."), say("Changed.")
        )
        assert await house.ask("owner", "change it") == "Changed."
        model.add(say("It was not released."))
        ref = re.search(r"Approval (a\w+)", card)
        assert ref
        await house.order("owner", "approve", ref[1])
        assert "is not what the card said" in str(model.requests[-1].messages)
        assert house.app.house.tooling.catalog.anywhere("greet_someone") == ()


async def test_no_policy_spares_the_question(sandboxed: Path):
    if await lacks_sandbox(sandboxed):
        return
    (sandboxed / "policy.yaml").write_text(
        "rules:\n  - {name: all, tools: ['*'], decision: allow, roles: Guest+, reason: no "
        "questions}\n"
    )
    model = ScriptedModel(
        [
            *asked(),
            call("create_tool", drafted()),
            call("test_tool", {"name": "greet_someone"}),
            call("validate_tool", {"name": "greet_someone"}),
            release,
            say("Waits."),
            say("Waits for you."),
        ],
        strict=True,
    )
    async with running_app(sandboxed, model) as house:
        await house.chat.say("owner", "make it")
        assert "release_draft" in (await house.chat.until(2))[1].text
        assert house.app.house.tooling.catalog.anywhere("greet_someone") == ()


async def test_others_have_neither_the_agent_nor_its_tools(home: Path):
    steps = [
        unlock("call_agent", *NAMES),
        calls(
            ("call_agent", {"agent": "mrtool", "task": "x"}), *((name, NOTHING) for name in NAMES)
        ),
        say("No."),
    ]
    async with running_app(home, model := strict()) as house:
        for who in ("ann", "ben"):
            before = len(model.requests)
            model.replace(*steps)
            assert await house.ask(who, "make a tool") == "No."
            _, *refused = results(model.requests[-1])
            assert [block["is_error"] for block in refused] == [True] * (1 + len(NAMES)), who
            first = model.requests[before]
            assert "mrtool" not in json.dumps([first.system, first.tools]), who
    assert not (home / "data" / "drafts").exists()


async def test_a_skill_is_drafted_read_staged_approved_and_runs(home: Path):
    skill = {
        "name": "weekly_digest",
        "description": "Write the weekly digest when somebody asks for it.",
        "access": "Partner+",
        "instructions": "1. Say zq-what happened.\n2. Say zq-what comes.",
        "command": "weekly",
    }
    skill |= {
        "words": ["digest week"],
        "play": {
            "asked": "tell me the digest of the week",
            "calls": [{"tool": "manage_todos", "arguments": {"action": "list"}}],
            "answer": "Done: the roof.",
            "has": ["Done:"],
        },
    }
    manifest = {
        "name": "tidy_set",
        "description": "Todos and notes together.",
        "access": "MasterAdmin",
        "manifest": {"name": "Tidy", "required_tools": ["manage_todos", "manage_notes"]},
    }
    model = ScriptedModel(
        [
            *asked(),
            calls(("create_skill", skill), ("create_skill", manifest)),
            calls(("test_tool", {"name": "weekly_digest"}), ("test_tool", {"name": "tidy_set"})),
            calls(
                ("validate_tool", {"name": "weekly_digest"}),
                ("validate_tool", {"name": "tidy_set"}),
            ),
            say("Staged."),
            say("Done."),
        ],
        strict=True,
    )
    async with running_app(home, model) as house:
        assert await house.ask("owner", "make a skill") == "Done."
        assert house.app.house.written.skills.get("weekly_digest") is None
        for name in ("weekly_digest", "tidy_set"):
            shown = await house.command("owner", "tools", f"approve {name}")
            assert "This is what would be live" in shown
            assert (
                house.app.house.written.skills.get("weekly_digest") is None
                or name != "weekly_digest"
            )
            assert "is live" in await house.command("owner", "tools", f"approve {name}")
        assert (home / "skills" / "tidy_set.json").is_file()
        play = read_play(home / "skills" / "weekly_digest" / "play.yaml")
        assert play is not None
        assert play.asked == "tell me the digest of the week"
        live = house.app.house.written.skills.get("weekly_digest")
        assert live is not None
        assert (live.example, live.words) == (play.asked, ("digest week",))
        model.add(say("Here is the week."))
        assert await house.command("ben", "weekly") == "Here is the week."
        assert "zq-what happened" in str(model.requests[-1].messages)
        update = {**skill, "instructions": "1. Say zq-nothing."}
        model.add(
            *asked(), call("update_skill", update), call("test_tool", {"name": "weekly_digest"}),
            call("validate_tool", {"name": "weekly_digest"}), say("Staged."), say("Changed."),
        )  # fmt: skip
        assert await house.ask("owner", "change the skill") == "Changed."
        assert "zq-what" in (house.app.house.written.skills.body("weekly_digest") or "")
        assert "not what was shown" in await house.command(
            "owner", "tools", "approve weekly_digest"
        )
        assert "zq-what" in (house.app.house.written.skills.body("weekly_digest") or "")
        assert "zq-nothing" in await house.command("owner", "tools", "staged weekly_digest")
        assert "is live" in await house.command("owner", "tools", "approve weekly_digest")
        assert house.app.house.written.skills.body("weekly_digest") == "1. Say zq-nothing."
