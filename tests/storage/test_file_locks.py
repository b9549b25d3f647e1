"""One editor at a time, and no lock among the files that people look at."""

import threading
from pathlib import Path

import pytest

from bot.storage.file_locks import LOCK, lock_of, locked, remove_former_locks


@pytest.mark.parametrize(
    ("folder", "lock"),
    [
        ("home", "home/.locks/home"),
        ("home/memory", "home/.locks/memory"),
        ("home/data/blobs", "home/.locks/data-blobs"),
        ("elsewhere", "elsewhere/.lock"),
    ],
)
def test_the_locks_of_a_home_are_in_one_folder(tmp_path: Path, folder: str, lock: str):
    assert lock_of(tmp_path / "home", tmp_path / folder) == tmp_path / lock


def test_a_home_may_be_named_from_within():
    assert lock_of(Path(), Path("memory")) == Path(".locks/memory")


def test_editors_take_turns_and_readers_do_not(tmp_path: Path):
    waits, inside = threading.Event(), list[str]()
    lock = tmp_path / ".locks" / "memory"

    def edit() -> None:
        waits.set()
        with locked(lock):
            inside.append("waited")

    with locked(lock):
        waiting = threading.Thread(target=edit)
        waiting.start()
        waits.wait()
        assert inside == []
    waiting.join()
    assert inside == ["waited"]
    with locked(lock, shared=True), locked(lock, shared=True):
        inside.append("two readers")


def test_locks_of_earlier_versions_are_removed_once(tmp_path: Path):
    former = [tmp_path / LOCK, tmp_path / "memory" / LOCK, tmp_path / "memory" / "ann" / LOCK]
    for lock in former:
        lock.parent.mkdir(parents=True, exist_ok=True)
        lock.touch()
    note = tmp_path / "memory" / "ann" / "assistant_memory.md"
    note.write_text("- likes tea\n")
    remove_former_locks(tmp_path)
    assert not any(lock.exists() for lock in former)
    assert note.exists()
    former[0].touch()
    remove_former_locks(tmp_path)
    assert former[0].exists(), "it looked again, at each start"
