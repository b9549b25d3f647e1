"""A home folder: its database, and the lock of the process that runs its turns."""

import asyncio
import fcntl
import logging
import os
import socket
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.errors import HomeInUse, StorageError
from bot.regular_file import regular_status
from bot.storage.damage import LOG_TABLE, find_damage, is_damage, set_aside, unusable
from bot.storage.database import SqliteDatabase
from bot.storage.migrate import (
    CARRY_FIRST,
    Migration,
    applied_migrations,
    is_carriable,
    make_tables,
    migrate,
    shipped_migrations,
)
from bot.storage.process_files import ProcessFile
from bot.storage.putting_back import require_whole

log = logging.getLogger(__name__)


_PAGE_BYTES = 512
"""A commit writes whole pages and rows of turns are short, so 4 KB pages write 3.5 times as
much.
"""


async def open_database(path: Path, *, read_only: bool = False) -> SqliteDatabase:
    """Open the database of a home, creating and migrating it unless `read_only`.

    Raises StorageError.
    """
    await asyncio.to_thread(require_current if read_only else make_database, path)
    database = SqliteDatabase(path, read_only=read_only)
    await database.open()
    return database


def is_made(path: Path) -> bool:
    """Whether there is a database. A start that is killed leaves an empty file.

    Raises OSError, also for a folder or a pipe.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return False
    return regular_status(status, path).st_size > 0


def require_current(path: Path) -> None:
    """Raises StorageError unless a database of this version is there. Blocking."""
    try:
        if not is_made(path):
            raise StorageError(
                f"there is no database at {path} yet; the first `bellhop chat` or `bellhop run` "
                "makes it"
            )
        applied = applied_migrations(path)
    except (sqlite3.Error, OSError) as error:
        raise unusable("cannot read the database", path, error) from error
    if not is_carriable(applied):
        raise StorageError(f"{path} is of a Bellhop that is too old for this one; {CARRY_FIRST}")
    if {migration.number for migration in shipped_migrations()} - set(applied):
        raise StorageError(
            f"{path} is of an earlier version; `bellhop chat` or `bellhop run` brings it up to date"
        )


def make_database(path: Path) -> None:
    """Make a database file, or bring the one that is there up to date. Blocking.

    Raises StorageError.
    """
    require_whole(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not is_made(path)
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            if is_new:
                _fill(connection)
            connection.execute("PRAGMA journal_mode=WAL")
            if not is_new:
                bring_up_to_date(connection, shipped_migrations())
            _let_shrink(connection)
        finally:
            connection.close()
    except (sqlite3.Error, OSError) as error:
        raise unusable("cannot use the database", path, error) from error


def bring_up_to_date(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    """Migrate. A cycle log that is too damaged for that is set aside, and begun anew. Blocking.

    Raises StorageError.
    """
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchone():
        make_tables(connection)
        return
    try:
        migrate(connection, migrations)
    except StorageError as error:
        cause = error.__cause__
        if not (isinstance(cause, sqlite3.Error) and is_damage(cause)):
            raise
        if LOG_TABLE not in find_damage(connection).log_tables:
            raise
        aside = set_aside(connection, LOG_TABLE)
        log.exception(
            "table=<%s>, aside=<%s> | damaged; replaced by an empty table", LOG_TABLE, aside
        )
        migrate(connection, migrations)


def _fill(connection: sqlite3.Connection) -> None:
    """Write all tables into an empty file at once."""
    with closing(sqlite3.connect(":memory:")) as tables:
        tables.deserialize(_all_tables())
        tables.backup(connection)


@cache
def _all_tables() -> bytes:
    """A database without rows.

    It takes some milliseconds, so the result is kept for the next file of this process.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size={_PAGE_BYTES}")
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        make_tables(connection)
        return connection.serialize()


def _let_shrink(connection: sqlite3.Connection) -> None:
    """Rewrite a file of an earlier version once, if there is room, so that it can shrink."""
    if connection.execute("PRAGMA auto_vacuum").fetchone()[0] != 0:
        return
    try:
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        connection.execute("VACUUM")
    except sqlite3.Error as error:
        log.warning("error=<%s> | the database can't be rewritten, so it doesn't shrink", error)


@dataclass
class HomeLock:
    """Held by a process that runs turns on a home (`run`, `chat`); freed when it dies.

    With a SQLite file one process holds it. With `shared` others of its kind may hold it, too: they
    work on one database on a server. A command that needs the home for itself takes it unshared.
    """

    path: Path
    shared: bool = False
    _descriptor: int | None = None
    _file: ProcessFile | None = None

    def acquire(self) -> None:
        """Raises HomeInUse, naming a process that holds it, and StorageError on a full disk."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            kind = fcntl.LOCK_SH if self.shared else fcntl.LOCK_EX
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 300).decode(errors="replace").strip() or "unknown"
            os.close(descriptor)
            raise HomeInUse(
                f"another Bellhop (process {holder}) runs on {self.path.parent.parent};"
                " stop it first, or use another --home"
            ) from None
        here = f"{os.getpid()} on {socket.gethostname()}" if self.shared else f"{os.getpid()}"
        try:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{here}\n".encode(), 0)
        except OSError as error:
            os.close(descriptor)
            raise unusable("the lock was not written to", self.path, error) from error
        self._descriptor = descriptor
        if self.shared:
            self._file = ProcessFile(self.path.parent.parent)
            self._file.make()

    def release(self) -> None:
        if self._file is not None:
            self._file.remove()
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
