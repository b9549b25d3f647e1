"""Markdown files: concurrent editors lose nothing, and no path leads out of the root."""

import asyncio
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import StorageError
from bot.storage.file_locks import LOCK
from bot.storage.markdown import UPDATE_TRIES, MarkdownStore


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != LOCK)


def add(line: str) -> Callable[[str], str]:
    return lambda text: f"{text}{line}\n"


async def test_a_missing_file_reads_as_none_and_is_created_by_the_first_update(tmp_path: Path):
    store = MarkdownStore(tmp_path / "memory")
    assert await store.read("ann/assistant_memory.md") is None
    written = await store.update("ann/assistant_memory.md", add("- tea"))
    assert await store.read("ann/assistant_memory.md") == written
    assert (tmp_path / "memory/ann/assistant_memory.md").read_text() == "- tea\n"


async def test_an_update_that_changes_nothing_writes_nothing(tmp_path: Path):
    store = MarkdownStore(tmp_path)
    await store.update("new.md", lambda text: text)
    assert names(tmp_path) == []


async def test_bytes_that_nobody_touched_stay_as_they_are(tmp_path: Path):
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    await MarkdownStore(tmp_path).update("a.md", add("three"))
    assert (tmp_path / "a.md").read_bytes() == b"\xef\xbb\xbfone\r\ntwo\r\nthree\n"


async def test_permissions_are_kept_and_a_backup_holds_the_earlier_text(
    tmp_path: Path,
):
    file = tmp_path / "a.md"
    file.write_text("old\n")
    file.chmod(0o600)
    await MarkdownStore(tmp_path).update("a.md", lambda _: "new\n", backup=True)
    assert file.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "a.md.bak").read_text() == "old\n"
    assert names(tmp_path) == ["a.md", "a.md.bak"]


async def test_invalid_utf8_is_reported_with_file_and_byte(tmp_path: Path):
    (tmp_path / "a.md").write_bytes(b"fine \xff")
    store = MarkdownStore(tmp_path)
    with pytest.raises(StorageError, match=r"a\.md is not UTF-8 at byte 5"):
        await store.read("a.md")
    with pytest.raises(StorageError, match="at byte 5"):
        await store.update("a.md", add("x"))
    assert (tmp_path / "a.md").read_bytes() == b"fine \xff"


async def test_text_that_has_no_utf8_bytes_is_refused_and_the_file_kept(tmp_path: Path):
    (tmp_path / "a.md").write_text("kept")
    with pytest.raises(StorageError, match="position 4"):
        await MarkdownStore(tmp_path).update("a.md", lambda text: text + "\ud800")
    assert (tmp_path / "a.md").read_text() == "kept"


async def test_an_edit_saved_meanwhile_is_kept_and_the_update_applied_to_it(tmp_path: Path):
    file = tmp_path / "a.md"
    file.write_text("one\n")
    interruptions = iter(["by hand\n"])

    def slow(text: str) -> str:
        for line in interruptions:
            file.write_text(text + line)
        return text + "two\n"

    await MarkdownStore(tmp_path).update("a.md", slow)
    assert file.read_text() == "one\nby hand\ntwo\n"


async def test_a_file_under_constant_edits_is_reported_and_their_edits_kept(
    tmp_path: Path,
):
    file = tmp_path / "a.md"
    calls: list[str] = []

    def restless(text: str) -> str:
        calls.append(text)
        file.write_text(f"{text}{len(calls)}\n")
        return text + "ours\n"

    with pytest.raises(StorageError, match=f"{UPDATE_TRIES} times in a row"):
        await MarkdownStore(tmp_path).update("a.md", restless)
    assert file.read_text() == "1\n2\n3\n"


async def test_an_error_of_the_edit_leaves_the_file_and_no_litter(tmp_path: Path):
    (tmp_path / "a.md").write_text("kept")
    store = MarkdownStore(tmp_path)
    with pytest.raises(ZeroDivisionError):
        await store.update("a.md", lambda _: str(1 // 0))
    await store.update("a.md", add(" on"))  # the lock is free again
    assert names(tmp_path) == ["a.md"]


@given(lines=st.lists(st.text("abcdefgh ", min_size=1, max_size=8), min_size=2, max_size=12))
@settings(max_examples=25, deadline=None)
def test_concurrent_editors_lose_nothing(lines: list[str]):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)

        def by_hand() -> None:
            asyncio.run(MarkdownStore(root).update("n/a.md", add("thread")))

        async def edit() -> None:
            stores = [MarkdownStore(root) for _ in range(3)]
            await asyncio.gather(
                *(stores[n % 3].update("n/a.md", add(line)) for n, line in enumerate(lines))
            )

        others = [threading.Thread(target=by_hand) for _ in range(2)]
        for thread in others:
            thread.start()
        asyncio.run(edit())
        for thread in others:
            thread.join()
        assert sorted((root / "n/a.md").read_text().splitlines()) == sorted(
            [*lines, "thread", "thread"]
        )


@pytest.mark.parametrize(
    "path", ["../x.md", "/etc/passwd", "a/../../x", "", "a//b", "./a", "a\0b", "a\\b", "a/"]
)
async def test_paths_out_of_the_root_are_refused(tmp_path: Path, path: str):
    store = MarkdownStore(tmp_path / "root")
    with pytest.raises(StorageError, match="not a path below"):
        await store.read(path)
    with pytest.raises(StorageError, match="not a path below"):
        await store.update(path, add("x"))


async def test_symbolic_links_are_refused_whether_folder_or_file(tmp_path: Path):
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (root / "link.md").symlink_to(outside / "secret.md")
    (root / "folder").symlink_to(outside)
    store = MarkdownStore(root)
    for path in ("link.md", "folder/secret.md"):
        with pytest.raises(StorageError, match="symbolic link"):
            await store.read(path)
        with pytest.raises(StorageError, match="symbolic link"):
            await store.update(path, add("x"))
    with pytest.raises(StorageError, match=r"link\.md: it is a symbolic link;"):
        await store.read("link.md")
    assert (outside / "secret.md").read_text() == "secret"
