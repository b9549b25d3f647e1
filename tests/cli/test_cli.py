"""The `bellhop` command: its output, its errors, and a light import for --help."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.assembly.home_settings import load_settings
from bot.cli.commands import COMMANDS, LazyCommand, LazyCommands
from bot.cli.main import app

GROUPS = [one for one in COMMANDS if isinstance(one, LazyCommands)]
EVERY = [
    *((one.name,) for one in COMMANDS),
    *((group.name, one.name) for group in GROUPS for one in group.commands),
]


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model key and no home of whoever runs the tests."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("BELLHOP_HOME", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)


def bellhop(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


# --- the command line ---


def test_help_lists_every_command_that_works() -> None:
    result = bellhop("--help")
    assert result.exit_code == 0
    assert all(f"  {one.name} " in result.output for one in COMMANDS)
    assert "..." not in result.output.partition("Commands:")[2], "each fits a line of 80 characters"


def test_help_of_a_group_lists_its_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for group in GROUPS:
        listed = bellhop(group.name, "--help").output.partition("Commands:")[2]
        assert "..." not in listed, "each fits a line of 80 characters"
        rows = {" ".join(line.split()) for line in listed.splitlines()}
        assert rows >= {f"{one.name} {one.help.rstrip('.')}." for one in group.commands}


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_every_command_explains_itself(words: tuple[str, ...]) -> None:
    result = bellhop(*words, "--help")
    assert result.exit_code == 0
    assert "--help" in result.output


INTERRUPTED = """
import os, signal, sys
class Interrupts:
    def find_spec(self, name, path, target=None):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
from bot.__main__ import run
run()
"""


def test_ctrl_c_while_the_program_is_imported_shows_no_traceback() -> None:
    heeding = ("env", "--default-signal=INT")  # the background of a shell ignores it
    command = [*heeding, sys.executable, "-c", INTERRUPTED, "--version"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


HEAVY = {"anthropic", "bot.app", "prompt_toolkit", "rich", "watchfiles"}
OF_FILES = {"bot.settings", "yaml"}
OF_PLUGINS = {"bot.assembly.plugins"}


@pytest.mark.parametrize(
    ("line", "said", "unneeded"),
    [
        ("--help", "  contacts  ", HEAVY | OF_FILES | OF_PLUGINS),
        ("tools --help", "  approve  ", HEAVY | OF_FILES | OF_PLUGINS),
        ("examples list", "jira", HEAVY | OF_PLUGINS),
        ("plugins", "what time it is", HEAVY),
        ("skills list", "standup", HEAVY),
        ("skills list --custom", "Nobody has made a skill yet", HEAVY),
    ],
)
def test_a_command_imports_no_more_than_it_needs(
    line: str, said: str, unneeded: set[str], tmp_path: Path
) -> None:
    assert bellhop("init", tmp_path).exit_code == 0
    if "--custom" in line:  # they are in the database, which the first start makes
        chat = [sys.executable, "-m", "bot", "chat", "--once", "hello", "--home", tmp_path]
        subprocess.run(chat, capture_output=True, check=True)
    script = (
        "import sys; from bot.cli.main import app\n"
        f"try: app()\nfinally: print([m for m in sys.modules if m in {unneeded}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "--home", tmp_path, *line.split()],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "listed",
    [
        *(one for one in COMMANDS if isinstance(one, LazyCommand)),
        *(one for group in GROUPS for one in group.commands),
    ],
    ids=lambda one: one.where,
)
def test_help_says_of_each_command_what_it_says_of_itself(listed: LazyCommand) -> None:
    own = listed.load().get_short_help_str(limit=1000)
    assert listed.help == f"{own.rstrip('.')}."


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["chat", "--role", "Emperor"],
        ["tools", "show"],
        ["cycles", "list", "--limit", "0"],
        ["demo", "--scenario", "nonsense"],
        ["--wrong"],
    ],
)
def test_a_wrong_command_line_is_code_2(arguments: list[str]) -> None:
    told = bellhop(*arguments)
    assert told.exit_code == 2
    assert "Emperor" not in arguments or "valid roles are" in told.stderr


def test_version() -> None:
    assert bellhop("--version").output.startswith("bellhop ")


def test_home_may_stand_before_and_after_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "contacts.yaml").write_text("- {id: anna, name: Anna, role: Friend}\n")
    assert "anna" in bellhop("--home", tmp_path, "contacts", "list").output
    assert "anna" in bellhop("contacts", "list", "--home", tmp_path).output
    monkeypatch.setenv("BELLHOP_HOME", str(tmp_path))
    assert "anna" in bellhop("contacts", "list").output


# --- init and doctor ---


def test_init_makes_a_home_that_doctor_likes(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    made = bellhop("init", "--home", home)
    assert made.exit_code == 0
    assert "bellhop chat" in made.output
    assert {path.name for path in home.iterdir()} >= {
        "bellhop.yaml",
        "contacts.yaml",
        ".env.example",
        "prompts",
        "data",
    }
    checked = bellhop("doctor", "--json", "--home", home)
    findings = {finding["check"]: finding for finding in json.loads(checked.stdout)}
    assert checked.exit_code == 0, checked.output
    assert findings["settings"]["state"] == "ok"
    assert findings["model"]["state"] == "warning"
    assert "ANTHROPIC_API_KEY" in findings["model"]["text"]


def test_the_written_settings_are_the_defaults_once_uncommented(tmp_path: Path) -> None:
    bellhop("init", "--home", tmp_path)
    written = (tmp_path / "bellhop.yaml").read_text()
    assert not [line for line in written.splitlines() if line and not line.startswith("#")]
    keys = [
        line.removeprefix("# ")
        for line in written.splitlines()
        if ":" in line and "Settings of" not in line
    ]
    defaults = load_settings(tmp_path / "empty")
    plain = [
        key for key in keys if key.startswith(("timezone:", "  ")) or key.rstrip().endswith(":")
    ]
    (tmp_path / "bellhop.yaml").write_text("\n".join(plain))
    assert load_settings(tmp_path).sections == defaults.sections
    assert {name for name in defaults.sections if f"\n{name}:" in "\n" + "\n".join(plain)} == set(
        defaults.sections
    )


def test_init_never_overwrites(tmp_path: Path) -> None:
    (tmp_path / "bellhop.yaml").write_text("timezone: Europe/Berlin\n")
    result = bellhop("init", tmp_path)
    assert "kept   bellhop.yaml" in result.output
    assert (tmp_path / "bellhop.yaml").read_text() == "timezone: Europe/Berlin\n"


def test_init_where_nothing_can_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = bellhop("init", tmp_path / "file" / "home")
    assert result.exit_code == 1
    assert result.stderr.startswith("bellhop: cannot")
    assert "Traceback" not in result.output


def test_doctor_names_what_is_broken_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "bellhop.yaml").write_text("timezone: UTC\nmodle:\n  name: x\n")
    tools = tmp_path / "prompts" / "tools" / "shared"
    tools.mkdir(parents=True)
    (tools / "broken.md").write_text("# broken\n## Description\nx\n## Parameters\n{not json\n")
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "webdev.json").write_text("{\n  not json\n")
    (tmp_path / "prompts" / "system" / "rules.md").mkdir(parents=True)
    result = bellhop("doctor", "--home", tmp_path)
    assert result.exit_code == 1
    assert "did you mean 'model'" in result.output
    assert "broken.md" in result.output
    assert "webdev.json, line 2: is not JSON" in result.output
    assert "rules.md: cannot be read (it is a folder)" in result.output
    assert "agents" in result.output


def test_doctor_names_overrides_of_agents_that_do_nothing(tmp_path: Path) -> None:
    (tmp_path / "bellhop.yaml").write_text(
        "agents: {overrides: {observer: {command: no-such-program-4711 --x, reads: "
        "[/no/such/folder]},"
        " researcher: {command: /no/such/agent --x /no/such/agent.py}, obsever: {turns: 3}}}\n"
    )
    found = json.loads(bellhop("doctor", "--json", "--home", tmp_path).stdout)
    (agents,) = [finding for finding in found if finding["check"] == "agents"]
    assert agents["state"] == "warning", "the program starts all the same"
    unknown, command, reads, program, script = agents["text"].splitlines()
    assert unknown.startswith("agents.overrides: there is no agent 'obsever'")
    assert command.startswith(
        "agents.overrides.observer.command: 'no-such-program-4711' is not on PATH"
    )
    assert reads.startswith("agents.overrides.observer.reads: /no/such/folder does not exist")
    key = "agents.overrides.researcher.command: "
    assert program.startswith(f"{key}/no/such/agent does not exist, so researcher can't be run")
    assert script.startswith(f"{key}/no/such/agent.py does not exist")


def test_doctor_names_a_secret_that_is_misspelt(tmp_path: Path) -> None:
    written = "ANTHROPIC_KEY=a\nDISCORD_BOT_TOKEN=b\nSLACK_BOT_TOKEN=c\nWEATHER_TOKEN=d\n"
    (tmp_path / ".env").write_text(written)
    found = json.loads(bellhop("doctor", "--json", "--home", tmp_path).stdout)
    assert next(one for one in found if one["check"] == "secrets")["text"].splitlines() == [
        ".env: ANTHROPIC_KEY is not read by anything; did you mean ANTHROPIC_API_KEY?",
        ".env: DISCORD_BOT_TOKEN is not read by anything; did you mean DISCORD_TOKEN?",
    ]


def test_doctor_refuses_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    found = json.loads(bellhop("doctor", "--json", "--home", tmp_path / "typo").stdout)
    settings = next(one for one in found if one["check"] == "settings")
    assert settings["state"] == "error"
    assert "there is no folder" in settings["text"]
    assert list(tmp_path.iterdir()) == []


def test_doctor_does_not_blame_the_owner_for_a_file_in_the_place_of_data(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    found = json.loads(bellhop("doctor", "--json", "--home", tmp_path).stdout)
    folder = next(one for one in found if one["check"] == "folder")
    assert folder["text"].endswith("data is no folder; move it away")


def test_the_empty_database_of_a_killed_first_start_is_none_yet(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "bellhop.db").write_bytes(b"")
    found = json.loads(bellhop("doctor", "--json", "--home", tmp_path).stdout)
    database = next(one for one in found if one["check"] == "database")
    assert (database["state"], database["text"][:8]) == ("ok", "none yet")
    listed = bellhop("schedule", "list", "--home", tmp_path)
    assert "there is no database at" in listed.stderr
    copied = bellhop("backup", str(tmp_path / "copy"), "--home", tmp_path)
    assert "there is nothing to back up" in copied.stderr
    assert not (tmp_path / "copy").exists()


def test_doctor_warns_about_a_database_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "bellhop.db").write_text("this is no database, but long enough to look at")
    result = bellhop("doctor", "--home", tmp_path)
    assert result.exit_code == 1
    assert "bellhop.db" in result.output


# --- lists ---


def test_tools_are_listed_with_their_roles(tmp_path: Path) -> None:
    table = bellhop("tools", "list", "--home", tmp_path)
    assert "manage_notes" in table.output
    found = json.loads(
        bellhop("tools", "list", "--json", "--role", "guest", "--home", tmp_path).stdout
    )
    assert "manage_todos" in {tool["name"] for tool in found}
    assert "manage_notes" not in {tool["name"] for tool in found}
    assert "Parameters" in bellhop("tools", "show", "manage_todos", "--home", tmp_path).output


def test_an_unknown_tool_gets_a_suggestion(tmp_path: Path) -> None:
    result = bellhop("tools", "show", "todos", "--home", tmp_path)
    assert result.exit_code == 1
    assert "did you mean 'manage_todos'" in result.stderr


def test_check_tells_errors_by_the_exit_code(tmp_path: Path) -> None:
    assert bellhop("tools", "check", "--home", tmp_path).exit_code == 0
    tools = tmp_path / "prompts" / "tools" / "shared"
    tools.mkdir(parents=True)
    (tools / "broken.md").write_text("# broken\n")
    result = bellhop("tools", "check", "--home", tmp_path)
    assert result.exit_code == 1
    assert "broken.md" in result.stdout


def test_a_cycle_is_shown_by_at_least_8_characters(tmp_path: Path) -> None:
    result = bellhop("cycles", "show", "058b", "--home", tmp_path)
    assert result.exit_code == 1
    assert "at least the first 8 characters" in result.stderr


def test_contacts_are_set_and_listed(tmp_path: Path) -> None:
    assert (
        "Added anna"
        in bellhop(
            "contacts", "set", "anna", "--name", "Anna Lee", "--role", "friend", "--home", tmp_path
        ).output
    )
    changed = bellhop(
        "contacts",
        "set",
        "anna",
        "--account",
        "discord:42",
        "--account",
        "telegram:77",
        "--timezone",
        "Europe/Berlin",
        "--home",
        tmp_path,
    )
    assert "Changed anna: Anna Lee, Friend" in changed.output
    (anna,) = json.loads(bellhop("contacts", "list", "--json", "--home", tmp_path).stdout)
    assert anna["ids"] == {"discord": ["42"], "telegram": ["77"]}
    assert anna["timezone"] == "Europe/Berlin"


def test_a_broken_contacts_file_is_one_sentence_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "contacts.yaml").write_text("- id: anna\n  name: Anna\n- id: anna\n  name: Ben\n")
    result = bellhop("contacts", "list", "--home", tmp_path)
    assert result.exit_code == 1
    assert "line 3" in result.stderr


def test_memory_shows_only_what_the_role_may_use(tmp_path: Path) -> None:
    (tmp_path / "contacts.yaml").write_text("- {id: anna, name: Anna, role: Friend}\n")
    (tmp_path / "memory" / "anna").mkdir(parents=True)
    (tmp_path / "memory" / "shared_long_term.md").write_text("- [S4] The office is in Graz.\n")
    (tmp_path / "memory" / "anna" / "assistant_memory.md").write_text(
        "- [S2][private] Likes tea.\n"
    )
    shown = bellhop("memory", "show", "anna", "--home", tmp_path).output
    assert "[S4] The office is in Graz." in shown
    assert "[S2] [private] Likes tea." in shown
    assert "Graz" not in bellhop("memory", "show", "a-stranger", "--home", tmp_path).output


def test_skills_are_listed_and_shown(tmp_path: Path) -> None:
    folder = tmp_path / "skills" / "standup"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(
        "---\nname: standup\ndescription: Prepare the standup.\n---\nAsk for blockers.\n"
    )
    assert "standup" in {
        one["name"]
        for one in json.loads(bellhop("skills", "list", "--json", "--home", tmp_path).stdout)
    }
    assert "Ask for blockers." in bellhop("skills", "show", "standup", "--home", tmp_path).output
    assert bellhop("skills", "show", "nope", "--home", tmp_path).exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["cycles", "list"],
        ["cycles", "export"],
        ["cycles", "show", "12345678"],
        ["approvals", "list"],
    ],
)
def test_without_a_database_reading_says_how_to_get_one(
    tmp_path: Path, arguments: list[str]
) -> None:
    result = bellhop(*arguments, "--home", tmp_path)
    assert result.exit_code == 1
    assert "bellhop chat" in result.stderr


def test_deciding_in_an_empty_home_makes_nothing(tmp_path: Path) -> None:
    result = bellhop("approvals", "approve", "a1", "--home", tmp_path)
    assert result.exit_code == 1
    assert "no data yet" in result.stderr
    assert list(tmp_path.iterdir()) == []
