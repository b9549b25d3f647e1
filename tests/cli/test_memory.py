"""`bellhop memory`: each command as the operator types it, with a home in any state."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli.main import app
from tests.cli.conftest import Running

CONTACTS = "- {id: ann, name: Ann, role: Friend}\n"
TIER = "- [S3] Likes tea.\n- [S2] likes tea\n- [S2][private] Is ill.\n"
ANN = Path("memory/ann/assistant_memory.md")


def memory(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["memory", *arguments, "--home", str(home)])


@pytest.fixture
def home(tmp_path: Path, wide_screen: None) -> Path:
    (tmp_path / "contacts.yaml").write_text(CONTACTS)
    (tmp_path / ANN).parent.mkdir(parents=True)
    (tmp_path / ANN).write_text(TIER)
    return tmp_path


def test_entries_are_merged_brought_back_and_forgotten(home: Path) -> None:
    assert memory(home, "undo").output == "There is nothing to undo.\n"
    assert memory(home, "reflect", "ann").output == "1 entry merged, 0 moved to the archive\n"
    assert memory(home, "undo").output.endswith(f": {ANN}\n")
    assert (home / ANN).read_text() == TIER
    refs = [
        one["ref"]
        for one in json.loads(memory(home, "show", "ann", "--json").stdout)[-1]["entries"]
    ]
    assert f"  {refs[2]} [S2] [private] Is ill." in memory(home, "show", "ann").output
    assert "- entry: Is ill." in memory(home, "forget", "ann", refs[2]).output
    assert memory(home, "forget", "ann", "TEA").output.count("- entry: ") == 2
    assert (home / ANN).read_text() == ""


def test_a_clean_home_has_nothing_to_learn_from(home: Path) -> None:
    (home / ANN).unlink()
    assert (
        "user  memory/ann/assistant_memory.md\n  nothing yet\n"
        in memory(home, "show", "ann").output
    )
    assert memory(home, "distill", "ann").output == "0 summaries of 0 people gave 0 entries\n"
    assert memory(home, "playbooks").output == "No recurring way of working was found yet.\n"


@pytest.mark.parametrize(
    "arguments",
    [["show", "anne"], ["distill", "anne"], ["reflect", "anne"], ["forget", "anne", "x"]],
)
def test_a_slip_in_an_id_is_told_from_somebody_of_whom_nothing_is_kept(
    home: Path, arguments: list[str]
) -> None:
    result = memory(home, *arguments)
    assert result.exit_code == 1
    assert "nothing is kept of 'anne'" in result.stderr
    assert "it knows ann" in result.stderr


def test_without_words_nothing_is_forgotten(home: Path) -> None:
    assert memory(home, "forget", "ann", " ").exit_code == 2
    assert (home / ANN).read_text() == TIER


def test_a_file_that_cannot_be_read_fails_alone_and_is_named(home: Path) -> None:
    (home / "memory/shared_long_term.md").write_text("- tea\n- Tea\n")
    (home / ANN).write_bytes(b"\xff\xfe")
    result = memory(home, "reflect")
    assert (result.exit_code, result.stdout) == (1, "1 entry merged, 0 moved to the archive\n")
    assert result.stderr.count("is not UTF-8") == 1
    assert "is not UTF-8" in memory(home, "forget", "ann", "tea").stderr


def test_a_running_bellhop_does_it_for_the_command(home: Path, beside: Running) -> None:
    (home / "bellhop.yaml").write_text("model: {provider: offline}\n")
    with beside(home):
        assert memory(home, "reflect").output.startswith("1 entry merged")
        assert memory(home, "undo").output.startswith("As before the pass of ")
        assert "nothing is kept of 'anne'" in memory(home, "forget", "anne", "tea").stderr
        assert "- entry: Is ill." in memory(home, "forget", "ann", "ill").output
        assert memory(home, "distill").output.startswith("0 summaries")
    assert "ill" not in (home / ANN).read_text()


def test_words_are_forgotten_everywhere_after_a_look(home: Path) -> None:
    shown = memory(home, "forget", "ann", "TEA", "--everywhere").output
    assert "- entries of memory: 2" in shown
    assert "tea" in (home / ANN).read_text()
    agreed = re.search(r"bellhop memory forget ann --everywhere --yes (\w+)", shown)
    assert agreed
    done = memory(home, "forget", "ann", "--everywhere", "--yes", agreed[1]).output
    assert "- entries of memory: 2" in done
    assert (home / ANN).read_text() == "- [S2][private] Is ill.\n"
    again = memory(home, "forget", "ann", "--everywhere", "--yes", agreed[1]).output
    assert again.startswith("Nothing waits for a yes")
    assert "Nothing of yours" in memory(home, "forget", "ann", "TEA", "--everywhere").output
