"""`bellhop tools`: files, the last lists of MCP servers, staged tools, and reasons why not."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.main import app
from bot.plugins.mcp.remote import RemoteTool
from bot.plugins.mcp.store import listed
from bot.testing.own_tables import open_with_own_tables

CONTACTS = """\
- {id: gus, name: Gus, role: Guest}
- {id: ben, name: Ben, role: Partner}
"""
TOOLS = {
    "shared/for_partners": "## Access\nPartner\n## Implementation\nnative: calculate\n",
    "shared/needs_mail": "## Requires\nmail\n## Implementation\nnative: calculate\n",
    "shared/later_only": "## Runs\nscheduled\n## Implementation\nnative: calculate\n",
    "shared/nothing_runs_it": "## Implementation\nnative: nobody\n",
    "memorymaster/log_reader": "## Implementation\nnative: calculate\n",
    "readytools/not_yet": "## Access\nPartner\n## Implementation\nnative: calculate\n",
    "shared/spoken_for": "## Access\nGuest+\n## Implementation\nmcp: sums.minus\n",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home whose server `sums` listed three tools when Bellhop last ran."""
    (tmp_path / "contacts.yaml").write_text(CONTACTS)
    (tmp_path / "bellhop.yaml").write_text(
        "model: {provider: offline}\nmcp: {servers: {sums: {command: sums}}}\n"
    )
    for where, sections in TOOLS.items():
        path = tmp_path / "prompts" / "tools" / f"{where}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {path.stem}\n## Description\nDoes {path.stem}.\n{sections}")

    async def remember() -> None:
        (tmp_path / "data").mkdir()
        database = await open_with_own_tables(tmp_path / "data" / "bellhop.db")
        names = ("add", "minus")
        tools = {
            f"mcp__sums__{name}": RemoteTool(name, f"To {name}.", {"type": "object"})
            for name in names
        }
        await database.write(listed("sums", tools, datetime(2026, 11, 21, tzinfo=UTC)))
        await database.close()

    asyncio.run(remember())
    return tmp_path


def tools(home: Path, *arguments: str) -> str:
    done = CliRunner().invoke(app, ["tools", *arguments, "--home", str(home)])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_table_holds_files_servers_and_staged_tools_with_their_roles(home: Path) -> None:
    rows = {item["name"]: item for item in json.loads(tools(home, "list", "--json"))}
    assert rows["mcp__sums__add"]["folder"] == "mcp:sums"
    assert rows["mcp__sums__add"]["roles"] == ["Partner", "MasterAdmin"]
    assert (rows["not_yet"]["staged"], rows["for_partners"]["staged"]) == (True, False)
    assert "mcp__sums__minus" not in rows
    line = next(line for line in tools(home, "list").splitlines() if line.startswith("not_yet"))
    assert "staged" in line
    assert "✓" not in line
    only = json.loads(tools(home, "list", "--json", "--folder", "mcp:sums"))
    assert [item["name"] for item in only] == ["mcp__sums__add"]
    assert "mcp__sums__add" not in tools(home, "list", "--role", "guest")


def test_a_home_that_never_ran_shows_its_files(tmp_path: Path) -> None:
    assert "calculate" in tools(tmp_path, "list")


def test_show_tells_what_a_server_listed(home: Path) -> None:
    shown = tools(home, "show", "mcp__sums__add")
    assert "mcp:sums" in shown
    assert "To add." in shown


REASONS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("tool_search", (), "yes, from the first request on"),
    ("for_partners", (), "no: its Access is Partner"),
    ("for_partners", ("--as", "ben"), "yes, once it has been found"),
    ("needs_mail", (), "no: it requires mail, which is not available to them"),
    ("later_only", (), "no: it does not exist in chat runs"),
    ("later_only", ("--run", "scheduled"), "yes, once it has been found"),
    ("nothing_runs_it", (), "no: "),
    ("log_reader", (), "no: it belongs to another agent (folder memorymaster)"),
    ("not_yet", ("--as", "ben"), "no: it waits in readytools for approval"),
    ("mcp__sums__add", (), "no: its Access is Partner"),
    ("mcp__sums__add", ("--as", "ben"), "while the MCP server sums is connected"),
    ("spoken_for", (), "while the MCP server sums is connected"),
    ("mcp__sums__minus", ("--as", "ben"), "no: the file of spoken_for replaces it"),
    ("mcp__sums__times", ("--as", "ben"), "no: the MCP server sums has never listed it"),
    ("no_such", (), "no: there is no such tool"),
)


def test_why_names_the_one_reason(home: Path) -> None:
    for name, more, reason in REASONS:
        arguments = more if "--as" in more else ("--as", "gus", *more)
        assert reason in tools(home, "why", name, *arguments), (name, more)


def test_tools_that_no_agent_sees_are_named_with_their_place(home: Path) -> None:
    folder = home / "prompts" / "tools"
    (folder / "shraed").mkdir()
    for path in (folder / "loose.md", folder / "shraed" / "lost.md"):
        path.write_text((folder / "shared" / "for_partners.md").read_text())
    told = CliRunner().invoke(app, ["tools", "check", "--home", str(home)]).output
    assert f"warning: {folder / 'loose.md'}: no agent sees a tool outside a folder" in told
    assert f"warning: {folder / 'shraed'}: no agent sees the tools of this folder; did you" in told
    assert "did you mean shared?" in told
    assert f"{folder / 'observer'}: no agent" not in told
    doctor = CliRunner().invoke(app, ["doctor", "--home", str(home)]).output
    assert f"{folder / 'shraed'}: no agent sees" in doctor


def test_names_in_agents_and_rules_that_name_nothing_are_warned_of(home: Path) -> None:
    agents = home / "prompts" / "agents"
    agents.mkdir()
    (agents / "nikki.md").write_text(
        "---\ndescription: Helps.\ncalled_by: [assistent]\ntools: [calculat, mcp__x__y]\n---\nHi\n"
    )
    (home / "policy.yaml").write_text(
        "rules:\n  - {name: a, tools: [calculat, Calculate, 'x*'], decision: deny}\n"
    )
    told = CliRunner().invoke(app, ["tools", "check", "--home", str(home)]).output
    assert "nikki.md: called_by: there is no agent 'assistent'; did you mean 'assistant'?" in told
    assert "nikki.md: tools: there is no tool 'calculat'; did you mean 'calculate'?" in told
    assert told.count("nikki.md") == 2
    doctor = CliRunner().invoke(app, ["doctor", "--home", str(home)]).output
    assert "called_by: there is no agent 'assistent'" in doctor
    rule = "policy.yaml, line 2: rule 'a' names a tool 'calculat' that is not there; did you mean"
    assert rule in doctor
    assert doctor.count("names a tool") == 1


def test_a_platform_that_a_rule_or_a_place_names_and_that_is_not_there_is_warned_of(
    home: Path,
) -> None:
    (home / "policy.yaml").write_text(
        "rules:\n  - {name: a, tools: '*', places: 'platform:discrod', decision: deny}\n"
        "places:\n  - {name: b, where: ['platform:slack', telegram, 'platform:Slack']}\n"
    )
    doctor = CliRunner().invoke(app, ["doctor", "--home", str(home)]).output
    known = "policy.yaml, line 2: rule 'a' names a platform 'discrod' that is not there; did you"
    assert f"{known} mean 'discord'?" in doctor
    assert "policy.yaml, line 4: place 'b' names a platform 'Slack' that is not there" in doctor
    assert doctor.count("names a platform") == 2


def test_no_name_of_the_shipped_agents_is_unknown(tmp_path: Path) -> None:
    assert tools(tmp_path, "check") == "All tool and agent files are in order.\n"
