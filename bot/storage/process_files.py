"""A file for each process that works on a home which several share.

The database knows which processes are connected to it. A process whose file is not in this home
works on another folder.
"""

import fcntl
import os
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path("data/processes")


def process_name() -> str:
    """The name of this process, unique among those that share a home."""
    return f"{os.getpid()}@{socket.gethostname()}"


def process_files(home: Path) -> frozenset[str]:
    """The names of the processes that have a file in this home. Blocking."""
    folder = home / FOLDER
    return frozenset(path.name for path in folder.iterdir()) if folder.is_dir() else frozenset()


@dataclass
class ProcessFile:
    """The file of this process. It is locked, so that others see when it is left over."""

    home: Path
    _descriptor: int | None = None

    def make(self) -> None:
        """Make it, and remove those of processes that are gone. Blocking. Raises OSError."""
        folder = self.home / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.iterdir():
            _remove_unlocked(left)
        part = folder / f".{secrets.token_hex(4)}"
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        part.rename(self._path)
        self._descriptor = descriptor

    def remove(self) -> None:
        """Blocking."""
        if self._descriptor is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None

    @property
    def _path(self) -> Path:
        return self.home / FOLDER / process_name()


def _remove_unlocked(path: Path) -> None:
    with suppress(OSError):  # another process may be quicker
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
        finally:
            os.close(descriptor)
