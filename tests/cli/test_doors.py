"""The real program in its own process: one answer, a pipe, an attached terminal, its end."""

import contextlib
import fcntl
import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bot import plugins
from bot.shipped import shipped_dir
from bot.testing.loaded_program import loaded, run_loaded
from tests.cli.conftest import ENVIRONMENT, Running

pytestmark = pytest.mark.slow


def bellhop(
    home: Path, *arguments: str, given: str | bytes = ""
) -> subprocess.CompletedProcess[str]:
    line = given.encode() if isinstance(given, str) else given
    done = run_loaded([*arguments, "--home", str(home)], ENVIRONMENT, line)
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def test_once_prints_one_answer_and_remembers(tmp_path: Path) -> None:
    added = bellhop(tmp_path, "chat", "--once", "add buy milk to my todos")
    assert (added.returncode, added.stderr) == (0, "")
    assert "milk" in added.stdout
    assert "\x1b" not in added.stdout
    listed = bellhop(tmp_path, "cycles", "list")
    assert "add buy milk to my todos" in listed.stdout


@pytest.mark.parametrize("driving", ["\x1b]0;owned\x07", "\x9b2J", "\u202e"])
def test_what_people_wrote_drives_no_terminal_of_an_operator(tmp_path: Path, driving: str) -> None:
    said = bellhop(tmp_path, "chat", "--once", f"add a todo: buy {driving} milk")
    assert said.returncode == 0, said.stderr
    newest = json.loads(bellhop(tmp_path, "cycles", "list", "--json").stdout)[0]["cycle_id"]
    shown = bellhop(tmp_path, "cycles", "show", newest, "--full").stdout
    assert "add a todo: buy" in shown
    assert driving[0] not in shown
    refused = bellhop(tmp_path, "tools", "show", f"no{driving}such")
    assert refused.returncode == 1
    assert driving[0] not in refused.stderr
    own = tmp_path / "skills" / "taken" / "SKILL.md"
    own.parent.mkdir(parents=True)
    head = json.dumps({"name": "taken", "description": f"Tea {driving[0]}!"})
    own.write_text(f"---\n{head}\n---\nMake {driving} tea.\n", encoding="utf-8")
    taken = bellhop(tmp_path, "skills", "show", "taken").stdout
    assert "taken: Tea  !" in taken
    assert driving[0] not in taken
    listed = bellhop(tmp_path, "skills", "list", "--json").stdout
    assert f"Tea {driving[0]}!" in [one["description"] for one in json.loads(listed)]
    assert driving[0] not in listed
    projects = tmp_path / "data" / "workspaces"
    projects.mkdir()
    (projects / f"link{driving}").symlink_to("nowhere")
    copied = bellhop(tmp_path, "backup", str(tmp_path / "copy"))
    assert "left out: data/workspaces/link" in copied.stdout
    assert driving[0] not in copied.stdout


@pytest.mark.parametrize("text", ["", "   ", "read @nothere.md"])
def test_once_with_nothing_to_answer_is_code_1(tmp_path: Path, text: str) -> None:
    done = bellhop(tmp_path, "chat", "--once", text)
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1


def test_once_reads_standard_input_as_a_file(tmp_path: Path) -> None:
    done = bellhop(tmp_path, "chat", "--once", "summarise", given="budget: 40")
    assert done.returncode == 0, done.stderr
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "bellhop.db")) as database:
        assert "standard-input.txt:\\nbudget: 40" in "\n".join(database.iterdump())
    assert not list((tmp_path / "data").glob("input-*"))


def test_input_that_a_killed_process_left_is_removed_at_the_next_start(tmp_path: Path) -> None:
    assert bellhop(tmp_path, "chat", "--once", "hello").returncode == 0
    left, used = tmp_path / "data" / "input-0123", tmp_path / "data" / "input-4567"
    left.write_text("secret")
    used.write_text("of a process that waits")
    with used.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert bellhop(tmp_path, "chat", "--once", "hello").returncode == 0
    assert not left.exists()
    assert used.exists()


def test_run_waits_for_the_end_of_a_chat_that_reads_a_pipe(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "bot", "chat", "--home", str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        line, text=True, env=ENVIRONMENT, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
    ) as piped:
        assert piped.stdin is not None
        assert piped.stdout is not None
        piped.stdin.write("add tea to my todos\n")
        piped.stdin.flush()
        assert "tea" in piped.stdout.readline()
        run = [sys.executable, "-m", "bot", "run", "--home", str(tmp_path)]
        with subprocess.Popen(run, text=True, env=ENVIRONMENT, stderr=subprocess.PIPE) as bot:
            assert bot.stderr is not None
            assert (
                "holds this home; waiting for its end, at most 5 minutes" in bot.stderr.readline()
            )
            piped.stdin.close()
            assert any("| ready" in line for line in bot.stderr)
            bot.send_signal(signal.SIGTERM)
            bot.communicate(timeout=60)
        assert bot.returncode == 0
    assert piped.returncode == 0


def test_output_that_nobody_reads_ends_it_without_doing_anything_twice(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    line = loaded("chat", "--once", "add tea to my todos", "--home", str(tmp_path))
    with os.fdopen(writing, "w") as out:
        done = subprocess.run(
            line,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.PIPE,
            timeout=60,
            env=ENVIRONMENT,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"")
    listed = bellhop(tmp_path, "chat", "--once", "list my todos")
    assert (listed.stdout.count("tea"), listed.stderr) == (1, "")


def test_a_name_that_nobody_has_is_an_error_with_those_that_there_are(tmp_path: Path) -> None:
    (tmp_path / "contacts.yaml").write_text(
        "- {id: anna, name: Anna, role: Friend}\n- {id: ben, name: Ben}\n"
    )
    for line in (
        ["chat", "--once", "hi"],
        ["approvals", "approve", "a1"],
        ["tools", "why", "send"],
    ):
        (tmp_path / "data").mkdir(exist_ok=True)
        done = bellhop(tmp_path, *line, "--as", "Nobody")
        assert (done.returncode, done.stdout) == (1, "")
        assert (
            done.stderr == "bellhop: --as: contacts.yaml has no id 'Nobody'; it knows anna, ben\n"
        )


def test_lines_of_a_pipe_are_answered_in_order_whatever_their_bytes(tmp_path: Path) -> None:
    done = bellhop(
        tmp_path, "chat", given=b"add tea to my todos\n\n/nonsense\nlist my todos \xff\n"
    )
    assert done.returncode == 0
    assert done.stdout.index("tea") < done.stdout.index("/nonsense")
    assert "UTF-8" in done.stderr


def test_an_unknown_agent_is_named_by_doctor_and_refused_at_start(
    tmp_path: Path,
) -> None:
    (tmp_path / "bellhop.yaml").write_text("agents: {default: nope}\n")
    folders = (shipped_dir("prompts") / "agents", *Path(plugins.__file__).parent.glob("*/agents"))
    shipped = ", ".join(sorted(file.stem for folder in folders for file in folder.glob("*.md")))
    sentence = f"agents.default: there is no agent 'nope'; there are {shipped}"
    found = bellhop(tmp_path, "doctor")
    assert found.returncode == 1
    assert any("✗ agents" in line and sentence in line for line in found.stdout.splitlines())
    for arguments in (["chat", "--once", "hello"], ["run"]):
        done = bellhop(tmp_path, *arguments)
        assert done.returncode == 1
        assert f"bellhop: {sentence}" in done.stderr
    assert bellhop(tmp_path, "cycles", "list").returncode == 0
    assert (
        "there is no agent 'none'"
        in bellhop(tmp_path, "chat", "--agent", "none", "--once", "x").stderr
    )
    assert bellhop(tmp_path, "chat", "--agent", "assistant", "--once", "hello").returncode == 0


def test_why_says_that_the_file_of_a_tool_is_broken(tmp_path: Path) -> None:
    assert bellhop(tmp_path, "chat", "--once", "hello").returncode == 0
    tools = tmp_path / "prompts" / "tools" / "shared"
    tools.mkdir(parents=True)
    (tools / "broken.md").write_text("# broken\n## Description\nx\n## Parameters\n{not json\n")
    told = bellhop(tmp_path, "tools", "why", "broken").stdout
    assert (
        f"no: its file is broken: {tools / 'broken.md'}, line 5: ## Parameters is not valid JSON"
        in told
    )
    assert "there is no such tool" in bellhop(tmp_path, "tools", "why", "nothing").stdout


def test_terminals_attach_to_a_running_bot_which_ends_in_good_order(
    tmp_path: Path, running: Running
) -> None:
    (tmp_path / "contacts.yaml").write_text("- {id: anna, name: Anna, role: MasterAdmin}\n")
    with running(tmp_path) as process:
        attached = bellhop(tmp_path, "chat", "--as", "Anna", "--once", "/status")
        assert attached.returncode == 0, attached.stderr
        assert "Anna" in attached.stdout
        found = bellhop(tmp_path, "doctor").stdout
        assert f"process {process.pid}" in found
        live = bellhop(tmp_path, "doctor", "--live").stdout
        assert "database ok, 0 turns running" in live
        assert "live terminal" in live
        second = bellhop(tmp_path, "run")
        assert second.returncode == 1
        assert str(process.pid) in second.stderr
        unknown = bellhop(tmp_path, "approvals", "approve", "anope")
        assert unknown.returncode == 1
        assert "no approval anope" in unknown.stderr
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
    assert not (tmp_path / "data" / "bellhop.sock").exists()


def test_after_kill_9_the_next_start_takes_the_home_again(tmp_path: Path, running: Running) -> None:
    with running(tmp_path) as process:
        process.kill()
        process.wait(timeout=60)
        assert (tmp_path / "data" / "bellhop.sock").exists()
        done = bellhop(tmp_path, "chat", "--once", "/help")
    assert done.returncode == 0
    assert "/stop" in done.stdout
