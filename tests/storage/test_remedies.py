"""Errors about a database file name the file, the cause and what an operator can do."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.domain.database import Unit, Write
from bot.errors import StorageError
from bot.storage.backup import copy_of
from bot.storage.damage import RESTORE, remedy_for, unusable
from bot.storage.home import make_database, open_database, require_current


def sqlite_error(code: int, text: str = "refused") -> sqlite3.Error:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error


def overwrite(path: Path, first: int, last: int | None = None) -> None:
    """Put other bytes into pages of a database file, as a failing disk would."""
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(first)
        file.write(b"\xa5" * ((last or size) - first))


def copied(path: Path) -> None:
    copy_of(path)(path.with_name("copy.db"))


@pytest.mark.parametrize("use", [make_database, require_current, copied])
@pytest.mark.parametrize(("first", "last"), [(0, 512), (512, None)])
def test_a_damaged_file_names_the_restore(
    tmp_path: Path, first: int, last: int | None, use: Callable[[Path], None]
):
    path = tmp_path / "bellhop.db"
    make_database(path)
    overwrite(path, first, last)
    with pytest.raises(StorageError) as refused:
        use(path)
    assert str(path) in str(refused.value)
    assert str(refused.value).endswith(RESTORE)


async def test_damage_while_running_names_the_restore(tmp_path: Path):
    path = tmp_path / "bellhop.db"
    database = await open_database(path)
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        overwrite(path, 512)
        for refused in (
            database.read("SELECT * FROM inbox"),
            database.write(Unit.of(Write("INSERT INTO claims VALUES ('s', 'x', 1)"))),
        ):
            with pytest.raises(StorageError) as told:
                await refused
            assert str(path) in str(told.value)
            assert str(told.value).endswith(RESTORE)
    finally:
        await database.close()


async def test_a_full_disk_asks_for_space(tmp_path: Path):
    path = tmp_path / "bellhop.db"
    database = await open_database(path)
    try:
        await database.write(Unit.of(Write("PRAGMA max_page_count=1")))
        for _ in "alone", "again":
            with pytest.raises(
                StorageError, match=f"full; free some space on the disk of {tmp_path}"
            ):
                await database.write(
                    Unit.of(Write("INSERT INTO claims VALUES ('s', hex(zeroblob(100000)), 1)"))
                )
    finally:
        await database.close()


def test_a_locked_file_names_how_to_find_its_holder(tmp_path: Path):
    path = tmp_path / "bellhop.db"
    make_database(path)
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as holder,
        closing(sqlite3.connect(path, timeout=0)) as other,
    ):
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError) as locked:
            other.execute("BEGIN IMMEDIATE")
    assert f"fuser {path}" in str(unusable("cannot use the database", path, locked.value))


def test_a_folder_or_a_pipe_in_the_place_of_the_file_is_named(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    for path, what in ((tmp_path, "a folder"), (tmp_path / "pipe", "not a regular file")):
        with pytest.raises(StorageError, match=f"it is {what}; move away what lies there"):
            make_database(path)


@pytest.mark.parametrize(
    "error",
    [
        sqlite_error(sqlite3.SQLITE_CANTOPEN),
        sqlite_error(sqlite3.SQLITE_READONLY_DIRECTORY),
        PermissionError(errno.EACCES, "Permission denied"),
    ],
)
def test_rights_are_mended_by_a_command(
    error: sqlite3.Error | OSError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "bellhop.db"
    assert f"chmod u+rwX {tmp_path} {path}" in remedy_for(error, path)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 4242)
    assert f"chown -R user {os.getuid() + 4242} {tmp_path}" in remedy_for(error, path)


def test_a_disk_that_fails_and_a_full_one_have_their_remedies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path, failed = tmp_path / "x.db", sqlite_error(sqlite3.SQLITE_IOERR_SHMSIZE)
    assert "dmesg" in remedy_for(failed, path)
    assert "free some space" in remedy_for(OSError(errno.ENOSPC, "No space left on device"), path)
    full = shutil.disk_usage(tmp_path)._replace(free=0)

    def measured(_: Path) -> object:
        return full

    monkeypatch.setattr(shutil, "disk_usage", measured)
    assert "free some space" in remedy_for(failed, path)


def test_an_error_of_a_statement_has_no_remedy_in_the_file(tmp_path: Path):
    error = sqlite_error(sqlite3.SQLITE_ERROR, "no such table: x")
    assert str(unusable("cannot read", tmp_path / "x.db", error)).endswith("no such table: x")
