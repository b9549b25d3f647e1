"""`bellhop skills import` from each kind of source, until the skill is live, as it is typed."""

import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli.main import app

FIXTURES = Path(__file__).parents[1] / "workshop" / "review" / "fixtures"
AS_OLGA = ("--as", "olga")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    path = tmp_path / "home"
    path.mkdir()
    (path / "contacts.yaml").write_text("- {id: olga, name: Olga, role: MasterAdmin}\n")
    return path


def bellhop(home: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["--home", str(home), *words])


def goes_live(home: Path, source: str, name: str) -> None:
    """Import as a MasterAdmin, read what is told, say yes, and see it among the others."""
    found = bellhop(home, "skills", "import", source, "--roles", "Partner", *AS_OLGA)
    assert found.exit_code == 0, found.output
    assert f"{name}: staged" in found.stdout or f"{name} (given as" in found.stdout
    assert "for: Partner" in found.stdout
    assert name not in bellhop(home, "skills", "list").stdout.split()
    live = bellhop(home, "skills", "approve", name, "--accept-findings", *AS_OLGA)
    assert f"{name} is live for Partner" in live.stdout, live.output
    assert name in bellhop(home, "skills", "list").stdout.split()


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("openclaw/tag-notes", "tag-notes"),
        ("hermes/arxiv-digest", "arxiv-digest"),
        ("hermes/export.json", "kind-reminder"),
        ("github/pairing.md", "pair-programming-notes"),
    ],
)
def test_a_skill_of_each_format_goes_live_for_its_roles(home: Path, source: str, name: str):
    goes_live(home, str(FIXTURES / source), name)


def test_function_schemas_become_tools_that_wait_for_their_writing(home: Path):
    source = str(FIXTURES / "gemini" / "tools.json")
    assert "set_light, room_list" in bellhop(home, "skills", "import", source, *AS_OLGA).stdout
    told = bellhop(home, "skills", "approve", "tools", "--accept-findings", *AS_OLGA).stdout
    assert "Tools in prompts/tools/shared: set_light, room_list" in told
    kept = (home / "prompts" / "tools" / "shared" / "set_light.md").read_text()
    assert kept.startswith("# set_light\n")
    assert "## Access\nMasterAdmin" in kept


def test_a_repository_is_cloned_and_its_skill_goes_live(home: Path, tmp_path: Path):
    work = tmp_path / "repository"
    work.mkdir()
    (work / "pairing.md").write_bytes((FIXTURES / "github" / "pairing.md").read_bytes())
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "-A"), (*who, "commit", "-q", "-m", "first")):
        subprocess.run(["git", "-C", str(work), *words], check=True)
    goes_live(home, f"file://{work}", "pair-programming-notes")
