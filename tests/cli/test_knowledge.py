"""`bellhop knowledge`: documents come, change and go, with or without a running Bellhop."""

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli.main import app
from bot.testing import documents
from bot.testing.ollama import ollama
from tests.cli.conftest import Running


def knowledge(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["knowledge", *arguments, "--home", str(home)])


@pytest.fixture
def home(tmp_path: Path, wide_screen: None) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    return made


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config.txt").write_text("nobody's business")
    (folder / "guide.md").write_text("# Setup\nTurn the key.\n# Stop\nTurn it back.")
    (folder / "manual.pdf").write_bytes(documents.pdf(["The pump"]))
    (folder / "photo.png").write_bytes(b"\x89PNG\0")
    return folder


def test_a_folder_is_added_listed_and_removed(home: Path, papers: Path) -> None:
    assert knowledge(home, "add", str(papers)).output.splitlines() == [
        "guide.md added to team: 2 parts",
        "manual.pdf added to team: 1 part",
    ]
    (papers / "guide.md").write_text("# Setup\nTurn the key twice.")
    again = knowledge(home, "add", str(papers), "--roles", "Partner+").output
    assert again.splitlines() == [
        "guide.md added to team: 1 part",
        "manual.pdf is in team already, unchanged",
    ]
    assert json.loads(knowledge(home, "list", "--json").stdout) == [
        {"name": "team", "documents": 2, "parts": 2, "roles": "Partner+"}
    ]
    listed = knowledge(home, "list", "team").stdout
    assert "manual.pdf" in listed
    assert (
        knowledge(home, "remove", str(papers / "guide.md")).output == "removed guide.md from team\n"
    )
    assert (
        knowledge(home, "remove", "team").output == "removed the collection team with 1 document\n"
    )
    assert knowledge(home, "list").output == "There are no collections yet.\n"


def test_one_that_fails_is_named_and_the_others_are_added(home: Path, papers: Path) -> None:
    (papers / "broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    result = knowledge(home, "add", str(papers / "broken.pdf"), str(papers / "guide.md"))
    assert result.exit_code == 1
    assert "guide.md added to team" in result.stdout
    assert "bellhop: broken.pdf can't be read: it is damaged, or no PDF" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["add", "/nowhere/at/all.md"], "there is no file or folder /nowhere/at/all.md"),
        (["add", "{papers}/.git", "--collection", "logs"], "'logs' is Bellhop's own"),
        (["add", "{papers}/guide.md", "--roles", "Boss"], "--roles: unknown role 'Boss'"),
        (["add", "http://127.0.0.1:9/x"], "could not be fetched"),
        (["remove", "nothing"], "there is no collection and no document 'nothing'"),
    ],
)
def test_a_slip_is_told(home: Path, papers: Path, arguments: list[str], words: str) -> None:
    result = knowledge(home, *(one.format(papers=papers) for one in arguments))
    assert result.exit_code == 1
    assert words in result.stderr


def test_without_an_embedder_that_is_said(home: Path) -> None:
    assert "searched by words alone" in knowledge(home, "embed").output


async def test_embedding_follows_adding_and_reports_a_missing_embedder(
    home: Path, papers: Path
) -> None:
    async with ollama() as server:
        (home / "bellhop.yaml").write_text(f"memory: {{embedder: {{base_url: '{server.url}'}}}}\n")
        added = await asyncio.to_thread(knowledge, home, "add", str(papers))
        assert added.exit_code == 0, added.output
        assert sum(map(len, server.batches)) == 3
        assert (
            "Every part has its vector."
            in (await asyncio.to_thread(knowledge, home, "embed")).output
        )
        server.models = frozenset()
        (papers / "guide.md").write_text("# Setup\nTurn the key twice.")
        failed = await asyncio.to_thread(knowledge, home, "add", str(papers))
    assert failed.exit_code == 1
    assert "guide.md added to team" in failed.stdout
    assert "until it answers, words alone find the documents" in failed.stderr


def test_a_running_bellhop_does_it_itself(home: Path, papers: Path, beside: Running) -> None:
    with beside(home):
        assert "added to team" in knowledge(home, "add", str(papers / "guide.md")).output
        assert "team" in knowledge(home, "list").output
        assert knowledge(home, "remove", "guide.md").output == "removed guide.md from team\n"
