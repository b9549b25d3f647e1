"""`bellhop automations` and what doctor says of them, as an operator types it."""

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.automations.store import Automations
from bot.cli.main import app
from bot.testing.automations import BUGS, HERE, plant
from bot.testing.harness import running_app
from bot.testing.home_files import know
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.tools import NO_SANDBOX

HOOK = "---\nname: builds\nevent: webhook\n---\nSay which build failed.\n"


@pytest.fixture
def refs(tmp_path: Path) -> list[str]:
    """A home with two triggers: the ids of the one that watches a channel, and of the webhook."""
    know(tmp_path, ann="Friend")
    (tmp_path / "bellhop.yaml").write_text(NO_SANDBOX)

    async def make() -> list[str]:
        async with running_app(tmp_path, ScriptedModel()) as at:
            made = at.chat.message("ann", "please", **HERE)
            for text, watches in ((BUGS, "discord:w:c1"), (HOOK, "")):
                await plant(at.app, made, "ann", text, watches=watches)
            await at.chat.command("ann", "help")
            return [one.ref for one in await Automations(at.app.database).of("ann")]

    return asyncio.run(make())


def typed(home: Path, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--home", str(home)])


def test_they_are_listed_shown_paused_and_resumed(tmp_path: Path, refs: list[str]):
    listed = typed(tmp_path, "automations", "list").stdout
    assert "on message in c1 by members with 'bug' or 'crash'" in listed
    assert [
        one["event"] for one in json.loads(typed(tmp_path, "automations", "list", "--json").stdout)
    ] == [
        "message",
        "webhook",
    ]
    shown = typed(tmp_path, "automations", "show", refs[0]).stdout
    assert "does: Sort the report by severity." in shown
    assert "Nothing has started it yet." in shown
    assert "is paused" in typed(tmp_path, "automations", "pause", refs[0]).stdout
    assert "paused (by" in typed(tmp_path, "automations", "show", refs[0]).stdout
    assert "goes on" in typed(tmp_path, "automations", "resume", refs[0]).stdout
    wrong = typed(tmp_path, "automations", "show", "nope")
    assert wrong.exit_code != 0


def test_a_secret_is_shown_where_there_is_a_key(tmp_path: Path, refs: list[str]):
    assert "BELLHOP_WEBHOOK_KEY is not set" in typed(tmp_path, "doctor").stdout
    assert typed(tmp_path, "automations", "secret", refs[1]).exit_code != 0
    (tmp_path / ".env").write_text(f"BELLHOP_WEBHOOK_KEY={'k' * 40}\n")
    (tmp_path / ".env").chmod(0o600)
    said = typed(tmp_path, "automations", "secret", refs[1]).stdout
    assert f"/hooks/{refs[1]}" in said
    assert "secret: " in said
    assert "k" * 40 not in said
    assert typed(tmp_path, "automations", "secret", refs[0]).exit_code != 0
    assert "automations" in typed(tmp_path, "doctor").stdout


def test_schedules_are_among_them_and_changed_by_either_command(tmp_path: Path, refs: list[str]):
    async def planned() -> None:
        wanted = {"name": "mail\x1b]0;owned\x07", "prompt": "Read my mail.", "cron": "0 * * * *"}
        calls = [call("get_capabilities", {"names": ["schedule_task"]}), say("Every hour.")]
        calls.insert(1, call("schedule_task", wanted))
        async with running_app(tmp_path, ScriptedModel(calls)) as at:
            await at.ask("ann", "Read my mail every hour.", **HERE)

    asyncio.run(planned())
    found = json.loads(typed(tmp_path, "automations", "list", "--json").stdout)
    assert [one["event"] for one in found] == ["message", "webhook", "time"]
    ref = found[-1]["id"]
    assert "Read my mail." in typed(tmp_path, "automations", "show", ref).stdout
    paused = typed(tmp_path, "automations", "pause", ref)
    assert paused.exit_code == 0
    assert "mail ]0;owned " in paused.stdout
    assert "paused" in typed(tmp_path, "schedule", "list").stdout
    resumed = typed(tmp_path, "schedule", "resume", ref)
    assert resumed.exit_code == 0
    assert "\x1b" not in paused.stdout + resumed.stdout
    assert "paused" not in typed(tmp_path, "automations", "list").stdout
