"""Definition files: read when they change, the last good version kept, each trouble named."""

import asyncio
import os
from contextlib import aclosing
from pathlib import Path

import pytest

from bot.domain.access import CLOSED, Access
from bot.errors import DefinitionError
from bot.storage import watch
from bot.storage.definition_files import DefinitionFiles
from bot.storage.watch import changes


def shout(path: Path, text: str) -> str:
    if "bad" in text:
        raise DefinitionError(f"{path}, line 1: is bad; make it good")
    return text.upper()


def for_all(path: Path, text: str) -> Access:
    if "closed" in text:
        raise DefinitionError(f"{path}, line 1: is closed; open it")
    return Access()


@pytest.fixture
def files(tmp_path: Path) -> DefinitionFiles[str]:
    (tmp_path / "home").mkdir()
    (tmp_path / "shipped").mkdir()
    return DefinitionFiles([tmp_path / "home", tmp_path / "shipped"], "*.txt", shout, for_all)


async def good(files: DefinitionFiles[str]) -> list[list[str | None]]:
    return [[file.good for file in root] for root in await files.reload()]


async def test_each_root_gives_its_files_by_path(files: DefinitionFiles[str], tmp_path: Path):
    (tmp_path / "shipped" / "b.txt").write_text("two")
    (tmp_path / "shipped" / "a.txt").write_text("one")
    (tmp_path / "home" / "a.txt").write_text("mine")
    (tmp_path / "home" / "a.md").write_text("something else")
    assert await good(files) == [["MINE"], ["ONE", "TWO"]]


async def test_a_broken_file_keeps_its_last_good_version_and_is_named(
    files: DefinitionFiles[str], tmp_path: Path
):
    path = tmp_path / "home" / "a.txt"
    path.write_text("one")
    await files.reload()
    path.write_text("bad first")
    ((file,), _) = await files.reload()
    assert (file.good, file.problem) == ("ONE", f"{path}, line 1: is bad; make it good")
    path.write_bytes(b"one\n\xff\xfe\xff")
    ((file,), _) = await files.reload()
    assert file.good == "ONE"
    assert file.problem == f"{path}, line 2: is not UTF-8 text; save it as UTF-8"
    path.write_text("three")
    assert await good(files) == [["THREE"], []]


async def test_a_broken_file_keeps_its_readers_or_none_if_unreadable(
    files: DefinitionFiles[str], tmp_path: Path
):
    path = tmp_path / "home" / "a.txt"
    for text, access in (
        ("one", Access()),
        ("bad", Access()),
        ("bad closed", CLOSED),
        ("two", Access()),
    ):
        path.write_text(text)
        assert (await files.reload())[0][0].access == access, text
    path.write_bytes(b"\xff")
    assert (await files.reload())[0][0].access == CLOSED


async def test_a_file_that_is_gone_is_gone(files: DefinitionFiles[str], tmp_path: Path):
    path = tmp_path / "home" / "a.txt"
    path.write_text("one")
    await files.reload()
    path.unlink()
    assert await good(files) == [[], []]


async def test_an_unchanged_file_is_not_read_again(tmp_path: Path):
    read: list[Path] = []

    def note(path: Path, text: str) -> str:
        read.append(path)
        return text

    (tmp_path / "a.txt").write_text("one")
    files = DefinitionFiles([tmp_path], "*.txt", note, for_all)
    await files.reload()
    await files.reload()
    assert read == [tmp_path / "a.txt"]


# Folders are looked at now and then where nobody tells of changes.


async def test_it_looks_at_least_so_often(tmp_path: Path):
    async with asyncio.timeout(20), aclosing(changes([tmp_path], at_least_s=0.01)) as found:
        for _ in range(2):
            await anext(found)


async def test_a_folder_that_can_not_be_watched_is_looked_at_now_and_then(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(watch, "_NEW_FOLDERS_MS", 20)
    (tmp_path / os.fsdecode(b"caf\xe9")).mkdir()
    async with asyncio.timeout(30), aclosing(changes([tmp_path])) as found:
        await anext(found)
    assert "changes are looked for every five seconds" in caplog.text
