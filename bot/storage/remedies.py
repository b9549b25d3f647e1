"""What an operator can do about a database file that SQLite refuses."""

import errno
import os
import sqlite3
from pathlib import Path

from bot.errors import StorageError
from bot.storage.ownership import made_usable

RESTORE = (
    "stop Bellhop, then `bellhop restore BACKUP --overwrite` puts your newest backup in its place"
    " and keeps the damaged file in before-restore-… in the home"
)
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_RIGHTS = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY})
_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


def unusable(failed: str, path: Path, error: sqlite3.Error | OSError) -> StorageError:
    """The error for an operator. `failed` says what did not work; file, cause and remedy follow."""
    remedy = remedy_for(error, path)
    return StorageError(f"{failed} {path}: {_cause(error)}{f'; {remedy}' if remedy else ''}")


def remedy_for(error: sqlite3.Error | OSError, path: Path) -> str:
    """What to do so that the file can be used again; empty where its file is not the cause."""
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113 - never raise
        return "it is not a file; move it away"
    code = _code(error)
    if code in _DAMAGED:
        return RESTORE
    if code in _RIGHTS:
        return made_usable(path)
    if code in _LOCKED:
        return f"another program has locked it; end that program (`fuser {path}` names it)"
    if code == sqlite3.SQLITE_FULL:
        return f"free some space on the disk of {path.parent}; what was stored before is intact"
    if code == sqlite3.SQLITE_IOERR:
        return f"`dmesg` tells of errors of the disk; if the file is lost, {RESTORE}"
    return ""


def is_of_disk(error: sqlite3.Error) -> bool:
    """Whether the disk was full or failed."""
    return _code(error) in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}


def file_of(connection: sqlite3.Connection) -> Path:
    """The file of a connection, for an error about it."""
    return Path(str(connection.execute("PRAGMA database_list").fetchone()[2]))


def _code(error: sqlite3.Error | OSError) -> int:
    """SQLite's primary code for what happened."""
    if isinstance(error, OSError):
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        return sqlite3.SQLITE_FULL if full else sqlite3.SQLITE_CANTOPEN
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _cause(error: sqlite3.Error | OSError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
