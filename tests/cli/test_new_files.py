"""`new` makes files that pass their own `check`, and skills are listed and removed."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli.main import app
from tests.storage.test_backup import no_room


def bellhop(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.mark.parametrize("kind", ["shell", "http", "mcp"])
def test_a_new_tool_passes_its_check(kind: str, tmp_path: Path):
    home = ("--home", str(tmp_path))
    (tmp_path / "bellhop.yaml").write_text("tools: {shell: {sandbox: none}}\n")
    made = bellhop("tools", "new", "greet", "--kind", kind, *home)
    assert made.exit_code == 0, made.output
    checked = bellhop("tools", "check", *home)
    assert (checked.exit_code, checked.stdout) == (
        0,
        "All tool and agent files are in order.\n",
    ), checked.output
    (tmp_path / "prompts/tools/shared/greet.sh").unlink(missing_ok=True)  # it was cut off there
    assert bellhop("tools", "new", "greet", "--kind", kind, *home).exit_code == 0
    assert bellhop("tools", "check", *home).exit_code == 0
    (tmp_path / "prompts/tools/shared/greet.md").write_text("# mine\n")
    again = bellhop("tools", "new", "greet", *home)
    assert again.exit_code == 1
    assert "is there already" in again.stderr


@pytest.mark.parametrize(
    ("command", "file"),
    [
        (("init",), "bellhop.yaml"),
        (("tools", "new", "greet"), "prompts/tools/shared/greet.md"),
        (("schedule", "new", "greet"), "greet.md"),
    ],
)
def test_a_file_that_was_cut_off_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], file: str
):
    monkeypatch.chdir(tmp_path)
    made = tmp_path / file
    with no_room(20):
        cut_off = bellhop(*command, "--home", str(tmp_path))
    assert cut_off.exit_code == 1, cut_off.output
    assert not made.exists()
    again = bellhop(*command, "--home", str(tmp_path))
    assert again.exit_code == 0, again.output
    assert made.exists()


def test_a_new_script_runs_as_it_is(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text("tools: {shell: {sandbox: none}}\n")
    bellhop("tools", "new", "greet", "--home", str(tmp_path))
    done = bellhop("tools", "run", "greet", '{"name": "Ann"}', "--home", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert "Hello, Ann." in done.stdout


@pytest.mark.parametrize("name", ["Über uns", "a/b", "../../evil", ""])
def test_a_tool_of_another_name_is_refused(name: str, tmp_path: Path):
    done = bellhop("tools", "new", name, "--home", str(tmp_path))
    assert done.exit_code == 1
    assert "can't be a tool's name" in done.stderr
    assert not list(tmp_path.rglob("*.md"))


@pytest.mark.parametrize("command", ["automations", "schedule"])
@pytest.mark.parametrize("name", ["Bug triage", 'Frühstück: "am" Montag #1', "../../evil", "日報"])
def test_a_new_file_of_any_name_passes_its_check(command: str, name: str, tmp_path: Path):
    made = bellhop(command, "new", name, "--in", str(tmp_path))
    assert made.exit_code == 0, made.output
    (file,) = tmp_path.iterdir()
    checked = bellhop(command, "check", str(file))
    assert checked.exit_code == 0, checked.output


def test_a_file_about_a_channel_says_where_it_is_handed_in(tmp_path: Path):
    bellhop("automations", "new", "Bug triage", "--in", str(tmp_path))
    file = tmp_path / "bug-triage.md"
    assert "post the file in the channel" in bellhop("automations", "check", str(file)).stdout
    done = bellhop("automations", "add", str(file), "--home", str(tmp_path))
    assert done.exit_code == 1
    assert "post the file in the channel" in done.stderr


def test_a_new_schedule_has_the_zone_of_the_home(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text("timezone: Asia/Tokyo\n")
    bellhop("schedule", "new", "Mornings", "--in", str(tmp_path), "--home", str(tmp_path))
    assert "timezone: Asia/Tokyo\n" in (tmp_path / "mornings.md").read_text()


def test_a_mistake_is_named_with_its_line(tmp_path: Path):
    bellhop("automations", "new", "Bug triage", "--in", str(tmp_path))
    file = tmp_path / "bug-triage.md"
    file.write_text(file.read_text().replace("event: message", "event: massage"))
    done = bellhop("automations", "check", str(file))
    assert done.exit_code == 1
    assert "massage" in done.stderr
    assert "line" in done.stderr or f"{file}:" in done.stderr
    assert bellhop("schedule", "check", str(tmp_path / "none.md")).exit_code == 1


@pytest.mark.parametrize(
    ("when", "why"),
    [
        ('cron: "* * * * *"', "more often than every 15 minutes"),
        ('cron: "0 9 30 2 *"', "never"),
        ("at: 2020-01-01 09:00", "2020"),
    ],
)
def test_a_time_that_add_would_refuse_is_refused_by_check(when: str, why: str, tmp_path: Path):
    bellhop("schedule", "new", "Mornings", "--in", str(tmp_path), "--home", str(tmp_path))
    file = tmp_path / "mornings.md"
    assert "Its first time is Monday" in bellhop("schedule", "check", str(file)).stdout
    file.write_text(file.read_text().replace('cron: "0 9 * * mon"', when))
    done = bellhop("schedule", "check", str(file))
    assert done.exit_code == 1
    assert str(file) in done.stderr
    assert why in done.stderr, done.stderr


def test_a_file_in_another_encoding_is_named_with_its_line(tmp_path: Path):
    file = tmp_path / "mornings.md"
    file.write_bytes(b"---\nname: caf\xe9\n")
    for command in ("automations", "schedule"):
        done = bellhop(command, "check", str(file))
        assert done.exit_code == 1
        assert f"{file}, line 2: is not UTF-8 text; save it as UTF-8" in done.stderr


@pytest.mark.parametrize(
    ("command", "folder"), [("automations", "triggers"), ("schedule", "schedules")]
)
def test_a_file_is_handed_in_for_a_yes(command: str, folder: str, tmp_path: Path):
    made = bellhop(command, "new", "Bug triage", "--in", str(tmp_path))
    assert made.exit_code == 0, made.output
    file = tmp_path / "bug-triage.md"
    file.write_text(file.read_text().replace("event: message", "event: webhook"))
    home = tmp_path / "home"
    home.mkdir()
    done = bellhop(command, "add", str(file), "--home", str(home))
    assert done.exit_code == 3, done.output
    waiting = bellhop("approvals", "list", "--home", str(home)).stdout
    assert "write_file" in waiting, done.output
    assert f"/automations/{folder}/bug-triage.md" in done.stdout


# `bellhop skills`: making, listing and removing skills of a home.


RUNNER = CliRunner()


def run(home: Path, *words: str, given: str = "") -> str:
    return RUNNER.invoke(
        app, ["skills", *words, "--home", str(home)], input=given, catch_exceptions=True
    ).output


def make(home: Path, name: str) -> str:
    return run(
        home,
        "new",
        name,
        "--description",
        "Weekly: numbers",
        "--command",
        "weekly",
        given="1. List my todos.",
    )


def test_a_new_skill_is_a_valid_file_that_is_listed_shown_and_removed(tmp_path: Path):
    assert "is there" in make(tmp_path, "weekly")
    assert "Weekly: numbers" in run(tmp_path, "list")
    assert "1. List my todos." in run(tmp_path, "show", "weekly")
    assert "is gone" in run(tmp_path, "remove", "weekly", "--yes")
    assert not (tmp_path / "skills" / "weekly").exists()


def test_a_skill_whose_removal_was_cut_off_can_be_removed(tmp_path: Path):
    make(tmp_path, "weekly")
    folder = tmp_path / "skills" / "weekly"
    (folder / "more.md").write_text("what was left")
    (folder / "SKILL.md").unlink()
    assert "is gone" in run(tmp_path, "remove", "weekly", "--yes")
    assert not folder.exists()
    for name in ("", "..", ".", "../skills", ".staged", "none"):
        (tmp_path / "skills" / ".staged").mkdir(exist_ok=True)
        done = bellhop("skills", "remove", name, "--yes", "--home", str(tmp_path))
        assert "there is no skill" in done.stderr
    assert (tmp_path / "skills" / ".staged").exists()


def test_a_shipped_skill_is_switched_off(tmp_path: Path):
    assert "switched off" in run(tmp_path, "remove", "standup", "--yes")
    assert "standup " not in run(tmp_path, "list")


def test_a_file_of_ones_own_that_is_broken_is_deleted_only_when_that_was_asked(tmp_path: Path):
    own = tmp_path / "skills" / "standup" / "SKILL.md"
    own.parent.mkdir(parents=True)
    own.write_text("---\nnome: standup\n---\nAll that I wrote.\n")
    asked = bellhop("skills", "remove", "standup", "--home", str(tmp_path))
    assert f"Delete {own.parent} with everything in it?" in asked.output
    assert "All that I wrote." in own.read_text()
    assert "is gone" in run(tmp_path, "remove", "standup", "--yes")
    assert "standup " in run(tmp_path, "list")


def test_a_linked_folder_is_no_longer_linked_and_stays(tmp_path: Path):
    (kept := tmp_path / "kept").mkdir()
    (link := tmp_path / "skills" / "standup").parent.mkdir()
    link.symlink_to(kept)
    asked = bellhop("skills", "remove", "standup", "--home", str(tmp_path))
    assert f"Remove the link {link}? What it leads to stays." in asked.output
    assert "is gone" in run(tmp_path, "remove", "standup", "--yes")
    assert kept.is_dir()
    assert not link.is_symlink()


def test_sets_of_tools_are_listed_and_shown(tmp_path: Path):
    assert "pm_write_file, pm_shell" in run(tmp_path, "list")
    shown = run(tmp_path, "show", "network-auditing")
    assert "tools: dns_lookup, port_check, tls_certificate, http_headers" in shown
    assert "While it is active, only: tools dns_lookup" in shown


def test_a_name_that_is_none_or_taken_writes_nothing(tmp_path: Path):
    make(tmp_path, "weekly")
    before = sorted(tmp_path.rglob("*"))
    make(tmp_path, "weekly")
    make(tmp_path, "../outside")
    make(tmp_path, "Upper")
    assert sorted(tmp_path.rglob("*")) == before
