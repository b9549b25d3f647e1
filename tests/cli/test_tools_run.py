"""`bellhop tools run`: one call through the whole gate; looking needs no model key."""

import contextlib
import sqlite3
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner, Result

from bot.cli.main import app
from bot.storage.migrate import CARRIED_DIGESTS, CARRIED_FROM
from bot.testing.mcp_house import a_program

GUARDED = """\
# wipe_all

## Description
Wipe everything.

## Access
Partner+

## Risk
destructive

## Implementation
shell: wipe_all.sh
"""


def bellhop(home: Path, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--home", str(home)])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    (folder / "wipe_all.md").write_text(GUARDED)
    (folder / "wipe_all.sh").write_text(f"touch {tmp_path}/wiped\n")
    (tmp_path / "bellhop.yaml").write_text("tools: {shell: {sandbox: none}}\n")
    return tmp_path


def test_a_tool_gives_its_result(home: Path):
    done = bellhop(home, "tools", "run", "calculate", '{"expression": "17*3"}')
    assert done.exit_code == 0, done.output
    assert '"result": "51"' in done.stdout


@pytest.mark.parametrize("state", ["running", "ready", "new"])
def test_a_call_never_stands_for_the_model_in_what_others_asked(state: str, home: Path):
    call = ("tools", "run", "calculate", '{"expression": "17*3"}')
    assert bellhop(home, *call).exit_code == 0
    with contextlib.closing(sqlite3.connect(home / "data" / "bellhop.db")) as database:
        database.execute("UPDATE inbox SET settled_at = NULL, state = ?", (state,))
        database.commit()
    refused = bellhop(home, *call)
    assert refused.exit_code == 1
    assert "let `bellhop run` or `bellhop chat` answer them first" in refused.stderr
    assert "result" not in refused.stdout


def test_roles_arguments_and_questions_hold(home: Path):
    guest = bellhop(home, "tools", "run", "wipe_all", "--role", "Guest")
    assert guest.exit_code == 1
    assert "there is no tool named 'wipe_all' here" in guest.stdout
    wrong = bellhop(home, "tools", "run", "calculate", '{"expression": 17}')
    assert wrong.exit_code == 1
    assert "calculate: expression must be" in wrong.stdout
    asked = bellhop(home, "tools", "run", "wipe_all")
    assert asked.exit_code == 3, asked.output
    assert "It waits for a yes: bellhop approvals approve " in asked.stderr
    again = bellhop(home, "tools", "run", "wipe_all")
    assert (again.exit_code, again.stderr) == (3, asked.stderr), "typed again, it still waits"
    assert "wipe_all" in bellhop(home, "approvals", "list").stdout, asked.output
    assert not (home / "wiped").exists()
    assert bellhop(home, "tools", "run", "calculate", "[1]").exit_code == 2


def test_looking_at_a_database_of_an_earlier_version_is_one_sentence(home: Path):
    assert bellhop(home, "tools", "run", "calculate", '{"expression": "1+1"}').exit_code == 0
    with contextlib.closing(
        sqlite3.connect(home / "data" / "bellhop.db", isolation_level=None)
    ) as database:
        database.execute("DELETE FROM migrations")
        earlier = (CARRIED_FROM, min(CARRIED_DIGESTS))
        database.execute("INSERT INTO migrations VALUES (?, '', ?, '')", earlier)
    done = bellhop(home, "tools", "why", "send")
    assert done.exit_code == 1
    assert (
        "is of an earlier version; `bellhop chat` or `bellhop run` brings it up to date"
        in done.stderr
    )


def test_reading_commands_need_no_key(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert bellhop(home, "tools", "run", "calculate", '{"expression": "1+1"}').exit_code == 0
    (home / "bellhop.yaml").write_text("model: {provider: anthropic}\n")
    for line in (
        ("cycles", "list"),
        ("tools", "list"),
        ("usage",),
        ("approvals", "list"),
        ("tools", "why", "send"),
    ):
        done = bellhop(home, *line)
        assert done.exit_code == 0, done.output


def test_a_tool_of_a_server_is_called_as_soon_as_the_server_is_connected(tmp_path: Path):
    servers = {"sums": a_program()}
    (tmp_path / "bellhop.yaml").write_text(yaml.safe_dump({"mcp": {"servers": servers}}))
    done = bellhop(tmp_path, "tools", "run", "mcp__sums__add", '{"a": 20, "b": 22}')
    assert done.exit_code == 0, done.output
    assert "42" in done.stdout


def test_rights_show_what_the_operator_trusts_of_a_server(tmp_path: Path):
    servers = {"sums": a_program(trust={"reads": ["boom"], "results": ["b*"]})}
    (tmp_path / "bellhop.yaml").write_text(yaml.safe_dump({"mcp": {"servers": servers}}))
    failed = bellhop(tmp_path, "tools", "run", "mcp__sums__boom")
    assert failed.exit_code == 1, failed.output
    shown = bellhop(tmp_path, "rights", "MasterAdmin", "--tool", "mcp__sums__boom").stdout
    assert (
        "only reads, so it is not asked about (bellhop.yaml, mcp.servers.sums.trust.reads" in shown
    )
    assert "trust.results" in shown
