"""Editors of the files of a folder take turns, in all processes and on all machines."""

import contextlib
import fcntl
import os
from collections.abc import Generator
from pathlib import Path

LOCK = ".lock"
"""Lies in each folder whose files are edited. A lock on the folder itself would do on one machine,
but over NFS it is not passed on to the server."""
_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


@contextlib.contextmanager
def locked(folder: int, *, shared: bool = False) -> Generator[None]:
    """Wait until nobody edits the files of an open folder; then nobody else does.

    With `shared` others may hold it so, too. A process that dies holds nothing. Blocking. Raises
    OSError.
    """
    while True:
        lock = os.open(LOCK, _OPEN, 0o600, dir_fd=folder)
        try:
            fcntl.flock(lock, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
            if _is_there(lock, folder):
                yield
                return
        finally:
            os.close(lock)


def remove_lock(folder: Path) -> None:
    """Remove the lock of a folder that holds nothing else, so that the folder can be removed."""
    if [one.name for one in folder.iterdir()] == [LOCK]:
        (folder / LOCK).unlink(missing_ok=True)


def _is_there(lock: int, folder: int) -> bool:
    """Whether the folder still has this very file: it may have been removed meanwhile."""
    try:
        return os.path.samestat(os.fstat(lock), os.stat(LOCK, dir_fd=folder, follow_symlinks=False))
    except FileNotFoundError:
        return False
