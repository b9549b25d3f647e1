"""One editor at a time, whatever became of the file that the lock lies on."""

import os
import threading
from pathlib import Path

from bot.storage.confined import open_folder
from bot.storage.file_locks import LOCK, locked, remove_lock


def test_editors_take_turns_also_when_the_lock_was_removed_meanwhile(tmp_path: Path):
    held, inside = threading.Event(), list[str]()

    def edit(name: str) -> None:
        with open_folder(tmp_path, ()) as folder:
            held.set()
            with locked(folder):
                inside.append(name)

    with open_folder(tmp_path, ()) as folder:
        with locked(folder):
            waiting = threading.Thread(target=edit, args=("waited",))
            waiting.start()
            held.wait()
            os.unlink(LOCK, dir_fd=folder)  # as when the folder was removed and made again
            assert inside == []
        waiting.join()
        assert inside == ["waited"]
        with locked(folder, shared=True), locked(folder, shared=True):
            inside.append("two readers")
    assert (tmp_path / LOCK).exists()


def test_the_lock_of_an_empty_folder_goes_with_it(tmp_path: Path):
    with open_folder(tmp_path, ("ann",), create=True) as folder, locked(folder):
        (tmp_path / "ann" / "note.md").touch()
    remove_lock(tmp_path / "ann")
    assert (tmp_path / "ann" / LOCK).exists()
    (tmp_path / "ann" / "note.md").unlink()
    remove_lock(tmp_path / "ann")
    (tmp_path / "ann").rmdir()
