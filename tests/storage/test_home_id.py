"""A home and its database belong together, or nothing is done with either."""

import os
import shutil
from pathlib import Path

import pytest

from bot.assembly.database import home_lock, open_home_database
from bot.assembly.home_settings import load_settings
from bot.errors import HomeInUse, StorageError
from bot.storage.home_id import FILE, database_id, home_id


def a_home(folder: Path, url: str = "") -> Path:
    folder.mkdir()
    if url:
        (folder / ".env").write_text(f"DATABASE_URL={url}\n")
        (folder / "bellhop.yaml").write_text("database: {url: '${DATABASE_URL}'}\n")
    return folder


async def opened(home: Path, *, read_only: bool = False) -> str:
    """Open a home and its database once; returns the id of both."""
    database = await open_home_database(load_settings(home), read_only=read_only)
    try:
        found = await database_id(database)
        assert found == home_id(home)
        return found
    finally:
        await database.close()


async def test_a_home_keeps_the_id_of_its_first_start(tmp_path: Path):
    home = a_home(tmp_path / "home")
    first = await opened(home)
    assert len(first) == 32
    assert await opened(home) == first == await opened(home, read_only=True)
    assert [path.name for path in (home / "data").glob("home.id*")] == ["home.id"]


async def test_the_database_of_another_home_is_refused(tmp_path: Path):
    one, other = a_home(tmp_path / "one"), a_home(tmp_path / "other")
    await opened(one)
    mine = await opened(other)
    shutil.copy(one / "data" / "bellhop.db", other / "data" / "bellhop.db")
    for read_only in (True, False):
        with pytest.raises(StorageError, match="belong to two homes") as refused:
            await opened(other, read_only=read_only)
        assert mine in str(refused.value)
    (other / FILE).write_text((one / FILE).read_text())  # what the sentence tells
    assert await opened(other) == home_id(one)


async def test_a_lost_file_or_database_gets_the_id_of_the_other(tmp_path: Path):
    home = a_home(tmp_path / "home")
    first = await opened(home)
    (home / FILE).unlink()
    assert await opened(home) == first
    (home / "data" / "bellhop.db").unlink()
    assert await opened(home) == first
    (home / FILE).write_text("what is this?")
    with pytest.raises(StorageError, match="holds no id of a home"):
        await opened(home)
    (home / FILE).unlink()
    os.mkfifo(home / FILE)
    with pytest.raises(StorageError, match="not a regular file; make it a readable file"):
        await opened(home)


def test_without_a_server_one_process_has_the_home_to_itself(tmp_path: Path):
    plain = a_home(tmp_path / "plain")
    only, other = home_lock(load_settings(plain)), home_lock(load_settings(plain))
    only.acquire()
    with pytest.raises(HomeInUse):
        other.acquire()
    only.release()
