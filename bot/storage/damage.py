"""Finds damage in a database file, and says what an operator can do where SQLite refuses it.

Damage of the cycle log is told from any other.
"""

import errno
import os
import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.errors import StorageError
from bot.storage.ownership import made_usable

_MOST = 5
"""The most findings in a report; one bad page has hundreds."""
LOG_TABLE = "cycle_events"
"""The table whose loss no turn minds."""
_LEAST_FREE = 64 * 1024
_LOG = re.compile(rf"{LOG_TABLE}(?:_damaged_\d+)?")

RESTORE = (
    "stop Bellhop, then `bellhop restore BACKUP --overwrite` puts your newest backup in its place"
    " and keeps the damaged file in before-restore-… in the home"
)
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_RIGHTS = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY})
_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


@dataclass(frozen=True)
class Damage:
    """The damage of a database; none if `text` is empty."""

    text: str = ""
    log_tables: tuple[str, ...] = ()
    """Damaged tables of the cycle log, including those that were set aside."""
    beyond_log: bool = False
    """Whether anything else is damaged."""
    foreign_keys: tuple[str, ...] = ()
    """Tables with rows that refer to rows that are not there."""


def find_damage(connection: sqlite3.Connection) -> Damage:
    """Run SQLite's own checks, which read the whole file.

    Blocking. Raises sqlite3.Error when it can't be opened.
    """
    found = _check(connection, f"PRAGMA quick_check({_MOST})")
    foreign = (
        tuple(sorted({str(row[0]) for row in connection.execute("PRAGMA foreign_key_check")}))
        if not found
        else ()
    )
    if not found:
        return Damage(foreign_keys=foreign)
    tables = [
        row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    ]
    damaged = [
        str(table) for table in tables if _check(connection, f'PRAGMA quick_check("{table}")')
    ]
    log = tuple(table for table in damaged if _LOG.fullmatch(table))
    names = f" in {', '.join(damaged)}" if damaged else ""
    return Damage(f"{found[0]}{names}", log, beyond_log=log != tuple(damaged) or not damaged)


def look_for_damage(path: Path) -> Damage:
    """`find_damage` in a file, which is only read.

    Blocking. Raises sqlite3.Error when it can't be opened.
    """
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return find_damage(connection)


def _check(connection: sqlite3.Connection, pragma: str) -> list[str]:
    try:
        lines = [str(row[0]) for row in connection.execute(pragma)]
    except sqlite3.DatabaseError as error:  # the check itself met a page that it can't read
        return [str(error)]
    if lines == ["ok"]:
        return []
    told = [line for text in lines for line in text.splitlines() if not line.startswith("***")]
    return told[:_MOST] or lines[:_MOST]


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite met a page that it can't read."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT


def set_aside(connection: sqlite3.Connection, table: str) -> str:
    """Give a damaged table another name and begin an empty one in its place; returns that name.

    Raises sqlite3.Error.

    The table is neither read nor deleted, because either would meet the damage. Its indexes keep
    their names.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        made = connection.execute(
            (
                "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL "
                "ORDER BY type DESC"
            ),
            (table,),
        ).fetchall()
        number = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        aside = f"{table}_damaged_{number}"
        connection.execute(f'ALTER TABLE "{table}" RENAME TO "{aside}"')
        for kind, name, sql in made:
            connection.execute(sql if kind == "table" else sql.replace(name, f"{name}_{number}", 1))
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return aside


def unusable(failed: str, path: Path, error: sqlite3.Error | OSError) -> StorageError:
    """The error for an operator. `failed` says what did not work; file, cause and remedy follow."""
    remedy = remedy_for(error, path)
    return StorageError(f"{failed} {path}: {_cause(error)}{f'; {remedy}' if remedy else ''}")


def remedy_for(error: sqlite3.Error | OSError, path: Path) -> str:
    """What to do so that the file can be used again; empty where its file is not the cause."""
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113 - never raise
        return "move away what lies there"
    code = _code(error)
    if code in _DAMAGED:
        return RESTORE
    if code in _RIGHTS:
        return made_usable(path)
    if code in _LOCKED:
        return f"another program has locked it; end that program (`fuser {path}` names it)"
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _is_full(path.parent)):
        return f"free some space on the disk of {path.parent}; what was stored before is intact"
    if code == sqlite3.SQLITE_IOERR:
        return (
            "`dmesg` tells of errors of the disk, `quota` and `ulimit -f` of limits; if the file is"
            f" lost, {RESTORE}"
        )
    return ""


def _is_full(folder: Path) -> bool:
    """Whether not even a -shm file can be made there, which SQLite calls an I/O error."""
    try:
        return shutil.disk_usage(folder).free < _LEAST_FREE
    except OSError:
        return False


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
