"""Decisions by `bellhop tools staged|approve|reject|history` and `bellhop approvals`."""

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bot.cli.main import app
from bot.testing.drafts import ticket_draft
from bot.testing.harness import running_app
from bot.testing.home_files import know
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.tools import NO_SANDBOX
from tests.cli.conftest import Running

PUBLISH = """\
# publish

## Description
Publish a line.

## Access
Friend+

## Implementation
shell: publish.sh

## Risk
external-write
"""
LIVE = Path("prompts/tools/shared/find_ticket.md")


def talked(home: Path, replies: Sequence[Any], words: str) -> list[str]:
    """What Olga reads after these words and replies; nothing runs on the home afterwards."""

    async def talk() -> list[str]:
        async with running_app(home, ScriptedModel(replies, strict=True)) as house:
            await house.ask("olga", words)
            return house.chat.texts

    return asyncio.run(talk())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    know(tmp_path, gus="Guest", olga="MasterAdmin")
    (tmp_path / "bellhop.yaml").write_text(NO_SANDBOX)
    return tmp_path


@pytest.fixture
def staged(home: Path) -> Path:
    """mrtool made two tools for Olga, which wait to be looked at."""
    names = ("find_ticket", "show_ticket")
    steps = [
        call(tool, {"name": name}) for name in names for tool in ("test_tool", "validate_tool")
    ]
    made = [call("create_tool", ticket_draft(name)) for name in names]
    replies = [
        call("get_capabilities", {"names": ["call_agent"]}),
        call("call_agent", {"agent": "mrtool", "task": "Make two tools."}),
        call("get_capabilities", {"names": ["create_tool", "test_tool", "validate_tool"]}),
        *made,
        *steps,
        say("Both are staged."),
        say("Look at them."),
    ]
    talked(home, replies, "make me tools for tickets")
    return home


def bellhop(home: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["--home", str(home), *words])


def steps_of(home: Path, name: str) -> list[tuple[str, str]]:
    found = json.loads(bellhop(home, "tools", "history", name, "--json").stdout)
    return [(row["step"], row["person"]) for row in found]


def test_a_made_tool_is_listed_approved_and_has_a_history(staged: Path):
    assert {
        item["name"] for item in json.loads(bellhop(staged, "tools", "staged", "--json").stdout)
    } == {
        "find_ticket",
        "show_ticket",
    }
    refused = bellhop(staged, "tools", "approve", "find_ticket", "--as", "gus")
    assert refused.exit_code == 1
    assert "is for a MasterAdmin" in refused.stderr
    assert not (staged / LIVE).exists()
    approved = bellhop(staged, "tools", "approve", "find_ticket", "--as", "olga")
    assert approved.exit_code == 0, approved.stderr
    assert "find_ticket" in approved.stdout
    assert (staged / LIVE).exists()
    assert steps_of(staged, "find_ticket") == [
        ("tool-drafted", "olga"),
        ("tool-tested", "olga"),
        ("tool-staged", "olga"),
        ("tool-approved", "olga"),
    ]
    table = bellhop(staged, "tools", "history", "find_ticket").stdout
    assert re.search(r"olga +tool-approved", table)
    assert (
        "yes, once it has been found"
        in bellhop(staged, "tools", "why", "find_ticket", "--as", "olga").stdout
    )


def test_a_rejected_tool_is_gone_and_its_history_stays(staged: Path):
    rejected = bellhop(staged, "tools", "reject", "show_ticket", "--as", "olga")
    assert (rejected.exit_code, rejected.stdout) == (0, "show_ticket was thrown away.\n")
    assert not (staged / "prompts/tools/readytools/show_ticket.md").exists()
    assert steps_of(staged, "show_ticket")[-1] == ("tool-rejected", "olga")
    again = bellhop(staged, "tools", "approve", "show_ticket", "--as", "olga")
    assert again.exit_code == 1
    assert "show_ticket" in again.stderr
    assert "Nothing has that name" in bellhop(staged, "tools", "history", "nothing").stdout


def test_beside_a_running_bot_a_decision_holds_and_stands_in_its_log(staged: Path, beside: Running):
    with beside(staged):
        assert bellhop(staged, "tools", "approve", "find_ticket", "--as", "olga").exit_code == 0
        assert steps_of(staged, "find_ticket")[-1] == ("tool-approved", "olga")


@pytest.fixture
def asked(home: Path) -> tuple[Path, str]:
    """A call that waits for Olga's yes: the home, and the approval's reference."""
    tools = home / "prompts" / "tools" / "shared"
    tools.mkdir(parents=True)
    (tools / "publish.md").write_text(PUBLISH)
    (tools / "publish.sh").write_text("echo published")
    replies = [
        call("tool_search", {"pattern": "publish"}),
        call("publish", {}),
        say("It waits for you."),
    ]
    card = next(text for text in talked(home, replies, "publish it") if "Approval" in text)
    found = re.search(r"\ba[a-z2-7]{8}\b", card)
    assert found
    return home, found[0]


def test_an_approval_is_decided_once_while_nobody_runs(asked: tuple[Path, str]):
    home, ref = asked
    assert ref in bellhop(home, "approvals", "list").stdout
    others = bellhop(home, "approvals", "approve", ref, "--as", "gus")
    assert others.exit_code == 1
    told = bellhop(home, "approvals", "reject", ref, "--as", "olga")
    assert told.exit_code == 0, told.stderr
    assert "Bellhop acts on it when it runs next." in told.stdout
    assert bellhop(home, "approvals", "reject", ref, "--as", "olga").exit_code == 1
    assert "Nothing waits" in bellhop(home, "approvals", "list").stdout


def test_an_approval_is_decided_by_the_bot_that_runs(asked: tuple[Path, str], beside: Running):
    home, ref = asked
    with beside(home):
        others = bellhop(home, "approvals", "approve", ref, "--as", "gus")
        assert others.exit_code == 1
        told = bellhop(home, "approvals", "approve", ref, "--as", "olga")
        assert told.exit_code == 0, told.stderr
        assert "runs next" not in told.stdout
