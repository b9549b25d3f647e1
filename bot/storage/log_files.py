"""Where a process writes its log. A file turns over by being renamed, so each has its own."""

import fcntl
import os
import socket
from dataclasses import dataclass
from itertools import count
from pathlib import Path


@dataclass
class LogFile:
    """The log of one process, until `release`."""

    path: Path
    _lock: int | None = None

    @classmethod
    def of(cls, home: Path, *, shared: bool) -> "LogFile":
        """`data/bellhop.log`, or with `shared` the first of this machine that no process has.

        Such a name stays the same over restarts, so old files don't pile up. Blocking. Raises
        OSError.
        """
        data = home / "data"
        data.mkdir(parents=True, exist_ok=True)
        if not shared:
            return cls(data / "bellhop.log")
        for number in count(1):
            path = data / f"bellhop.{socket.gethostname()}.{number}.log"
            lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            return cls(path, lock)
        raise AssertionError  # numbers do not end

    def release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def is_log(name: str) -> bool:
    """Whether a file of `data/` belongs to the log of a process."""
    return name.startswith("bellhop.") and name.endswith((".log", ".log.1", ".log.lock"))


def log_files(data: Path) -> list[Path]:
    """All log files of a home, the newest first. Blocking."""
    found = [one for one in data.glob("bellhop*.log*") if is_log(one.name)]
    kept = [one for one in found if one.suffix != ".lock" and one.is_file()]
    return sorted(kept, key=lambda one: (-one.stat().st_mtime_ns, one.name))
