"""Sets of agents and tools: taken over without overwriting anything, and taken away again."""

import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.example_sets import example_sets
from bot.cli.main import app
from bot.testing.shipped_tools import shipped_natives
from bot.tools.catalog.catalog import ToolCatalog

SHELL = "prompts/tools/sysafe/shell_execution.md"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "bellhop.yaml").write_text("tools: {http: {secrets: [OTHER_TOKEN]}}\n")
    return tmp_path


def run(home: Path, *words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["--home", str(home), *words])
    assert result.exit_code == code, result.output
    return result.output


def files(home: Path) -> set[str]:
    return {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}


def test_every_set_is_sound_and_names_no_secret_that_its_files_do_not_send():
    sets = example_sets()
    assert {"hosting", "games", "jira"} <= {one.name for one in sets}
    for one in sets:
        text = b"\n".join(one.files.values()).decode()
        for secret in one.about.secrets:
            assert f"{{secret:{secret.name}}}" in text, (one.name, secret.name)
        for server in one.about.servers:
            assert f"{{server:{server.name}}}" in text, (one.name, server.name)
        for part in one.about.settings:
            assert part.file in one.files


async def test_the_tools_of_all_sets_have_no_problem_and_names_of_their_own(tmp_path: Path):
    for one in example_sets():
        for path, content in one.files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            assert not (tmp_path / path).exists(), f"two sets have {path}"
            (tmp_path / path).write_bytes(content)
    catalog = ToolCatalog([tmp_path / "prompts"], natives=shipped_natives())
    await catalog.load()
    assert catalog.problems == ()
    names = [tool.definition.name for tool in catalog.snapshot.tools]
    assert len(names) == len(set(names))


def test_a_set_is_added_told_about_and_removed(home: Path):
    before = files(home)
    listed = json.loads(run(home, "examples", "list", "--json"))
    assert {one["name"]: one["installed"] for one in listed}["hosting"] is False
    added = run(home, "examples", "add", "hosting")
    assert SHELL in files(home)
    assert "PROXMOX_TOKEN is missing in .env and tools.http.secrets" in added
    assert "secrets: [OTHER_TOKEN, PROXMOX_TOKEN, WHM_USER, WHM_TOKEN]" in added
    assert 'proxmox: "https://pve.example.org:8006"' in added
    assert "firewall.csf is not set" in run(home, "doctor", code=0)
    removed = run(home, "examples", "remove", "hosting")
    assert f"removed {SHELL}" in removed
    assert files(home) - before <= {"data/bellhop.lock"}
    assert not (home / "prompts" / "tools" / "sysafe").exists()


def test_somebodys_file_is_never_overwritten_without_a_word(home: Path):
    (home / SHELL).parent.mkdir(parents=True)
    (home / SHELL).write_text("mine")
    CliRunner().invoke(app, ["--home", str(home), "examples", "add", "hosting"])
    assert files(home) == {"bellhop.yaml", SHELL}, "nothing is written at all"
    assert f"kept  {SHELL}" in run(home, "examples", "add", "hosting", "--keep")
    assert (home / SHELL).read_text() == "mine"
    run(home, "examples", "remove", "hosting")
    assert (home / SHELL).read_text() == "mine", "it was never the set's"
    run(home, "examples", "add", "hosting", "--replace")
    assert (home / f"{SHELL}.before").read_text() == "mine"
    assert (home / SHELL).read_text().startswith("# shell_execution")


def test_a_changed_file_stays_when_its_set_goes_or_comes_again(home: Path):
    run(home, "examples", "add", "hosting")
    plans = home / "prompts/tools/nikki/hosting_plans.json"
    plans.write_text('{"plans": []}')
    assert "has   " + SHELL in run(home, "examples", "add", "hosting", "--keep")
    assert plans.read_text() == '{"plans": []}'
    assert "kept    prompts/tools/nikki/hosting_plans.json" in run(
        home, "examples", "remove", "hosting"
    )
    assert plans.exists()


def test_a_newer_set_updates_what_nobody_changed(home: Path):
    run(home, "examples", "add", "games")
    tool = "prompts/tools/shared/wow_character_check.md"
    record = home / "data" / "examples" / "games.json"
    (home / tool).write_text("what an older release shipped")
    record.write_text(json.dumps({tool: hashlib.sha256((home / tool).read_bytes()).hexdigest()}))
    assert f"updated {tool}" in run(home, "examples", "add", "games")


def test_doctor_asks_for_nothing_that_a_removed_file_needed(home: Path):
    run(home, "examples", "add", "hosting")
    for folder in ("sasha", "nikki"):
        for path in (home / "prompts" / "tools" / folder).iterdir():
            path.unlink()
    told = run(home, "doctor")
    assert "PROXMOX_TOKEN" not in told
    assert "firewall.csf is not set" in told


def test_names_that_no_set_has_are_refused_with_those_that_there_are(home: Path):
    result = CliRunner().invoke(app, ["--home", str(home), "examples", "add", "nothing"])
    assert result.exit_code
    assert "games, hosting, jira" in result.output + result.stderr


def test_a_link_in_place_of_a_file_is_somebodys(home: Path):
    (home / "elsewhere.md").write_text("x")
    (home / SHELL).parent.mkdir(parents=True)
    (home / SHELL).symlink_to(home / "elsewhere.md")
    run(home, "examples", "add", "hosting", "--keep")
    assert (home / "elsewhere.md").read_text() == "x"
