"""Editors of the files of a folder take turns, in all processes and on all machines."""

import contextlib
import fcntl
import os
from collections.abc import Generator
from pathlib import Path

LOCKS = ".locks"
"""The home's folder of locks, so that none lies among the files that people look at."""
LOCK = ".lock"
"""The lock of a folder outside the home, and of one that only Bellhop looks into."""
_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


def lock_of(home: Path, folder: Path) -> Path:
    """The file that editors of files below a folder lock.

    A lock on the folder itself would do on one machine, but over NFS it is not passed on to the
    server. Outside the home it lies in the folder: another home may edit the same files.
    """
    if not folder.is_relative_to(home):
        return folder / LOCK
    return home / LOCKS / ("-".join(folder.relative_to(home).parts) or "home")


@contextlib.contextmanager
def locked(lock: Path, *, shared: bool = False) -> Generator[None]:
    """Wait until nobody edits what this lock is for; then nobody else does.

    With `shared` others may hold it so, too. A process that dies holds nothing. Blocking. Raises
    OSError.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(lock, _OPEN, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def remove_former_locks(home: Path) -> None:
    """Once for each home: earlier versions left a lock in every folder with edited files."""
    if (home / LOCKS).is_dir():
        return
    (home / LOCKS).mkdir()
    for lock in (home / LOCK, home / "skills" / ".staged" / LOCK, *(home / "memory").rglob(LOCK)):
        lock.unlink(missing_ok=True)
