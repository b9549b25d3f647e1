"""Endless files, and other things than files: reading by a name always ends."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.assembly.home_settings import load_settings
from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.cli.home_files import agents_of, skills_of
from bot.cli.looking import catalog_of
from bot.errors import SettingsError, StorageError
from bot.memory.tiers import MemoryStore
from bot.regular_file import TEXT_BYTES, read_regular_file, read_text_file
from bot.sessions.people.contacts import Contacts
from bot.storage.markdown import MarkdownStore
from bot.tools.policy.book import PolicyBook
from bot.yaml_file import parse_yaml


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.mkdir()


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50_000_000)


ODD: dict[str, Callable[[Path], None]] = {
    "device": _device,
    "pipe": _pipe,
    "folder": _folder,
    "huge": _huge,
}


@pytest.fixture(params=ODD)
def odd(request: pytest.FixtureRequest) -> Callable[[Path], Path]:
    """Makes something that must not be read at a path, with the folders above it."""

    def make(path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        ODD[request.param](path)
        return path

    return make


Make = Callable[[Path], Path]


def test_only_regular_files_are_read(odd: Make, tmp_path: Path):
    with pytest.raises(OSError, match=r"it is (a folder|not a regular file|larger than 1,024 KB)"):
        read_regular_file(odd(tmp_path / "file"))


def test_a_link_to_a_regular_file_is_read_up_to_the_limit(tmp_path: Path):
    (tmp_path / "real").write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    (tmp_path / "link").symlink_to("real")
    assert read_text_file(tmp_path / "link") == "one\ntwo"
    (tmp_path / "real").write_bytes(b"x" * TEXT_BYTES)
    assert len(read_regular_file(tmp_path / "link")) == TEXT_BYTES
    (tmp_path / "real").unlink()
    with pytest.raises(FileNotFoundError, match="it links to real, which is not there"):
        read_regular_file(tmp_path / "link")


@pytest.mark.parametrize("name", ["bellhop.yaml", ".env"])
def test_settings_name_the_file_that_cannot_be_read(odd: Make, tmp_path: Path, name: str):
    odd(tmp_path / name)
    with pytest.raises(
        SettingsError, match=rf"{name}: cannot be read \(it is .*\); make it a readable text file"
    ):
        load_settings(tmp_path)


async def test_people_and_rules_are_named_when_they_cannot_be_read(odd: Make, tmp_path: Path):
    with pytest.raises(SettingsError, match=r"contacts\.yaml: cannot be read"):
        Contacts.load(odd(tmp_path / "contacts.yaml"), KNOWN_PLATFORMS)
    book = PolicyBook(odd(tmp_path / "policy.yaml"))
    await book.load()
    assert "policy.yaml: cannot be read (it is" in book.problems[0]


async def test_definitions_and_memory_are_named_when_they_cannot_be_read(odd: Make, tmp_path: Path):
    odd(tmp_path / "skills" / "odd" / "SKILL.md")
    odd(tmp_path / "memory" / "ann" / "assistant_memory.md")
    assert any("odd/SKILL.md" in problem for problem in (await skills_of(tmp_path)).problems)
    store = MarkdownStore(tmp_path / "memory")
    with pytest.raises(StorageError, match="cannot read"):
        await store.read("ann/assistant_memory.md")
    (problem,) = await MemoryStore(store).problems()
    assert str(tmp_path / "memory/ann/assistant_memory.md") in problem


@pytest.mark.parametrize("kind", ["device", "pipe", "huge"])
async def test_tools_and_agents_are_named_when_they_cannot_be_read(tmp_path: Path, kind: str):
    tool, agent = tmp_path / "prompts/tools/shared/odd.md", tmp_path / "prompts/agents/odd.md"
    for path in (tool, agent):
        path.parent.mkdir(parents=True)
        ODD[kind](path)
    assert any(problem.path == tool for problem in (await catalog_of(tmp_path)).problems)
    assert any(str(agent) in problem for problem in (await agents_of(tmp_path)).problems)


async def test_broken_links_among_definitions_are_named(tmp_path: Path):
    tool, agent = tmp_path / "prompts/tools/shared/odd.md", tmp_path / "prompts/agents/odd.md"
    for path in (tool, agent):
        path.parent.mkdir(parents=True)
        path.symlink_to("nowhere.md")
    assert any(problem.path == tool for problem in (await catalog_of(tmp_path)).problems)
    assert any(str(agent) in problem for problem in (await agents_of(tmp_path)).problems)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefg", "bcdefgh", strict=True)
)


def test_yaml_aliases_are_refused_with_their_line():
    with pytest.raises(
        SettingsError, match=r"x\.yaml, line 2: .*the alias \*a is not allowed, write the value out"
    ):
        parse_yaml(BOMB, "x.yaml")


async def test_an_agent_file_with_aliases_is_refused(tmp_path: Path):
    path = tmp_path / "prompts" / "agents" / "bomb.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\n{BOMB}---\nA persona.\n")
    assert any(
        "bomb.md, line 3" in problem and "alias" in problem
        for problem in (await agents_of(tmp_path)).problems
    )
