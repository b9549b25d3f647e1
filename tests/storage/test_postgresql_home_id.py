"""A home of several processes belongs to its server, and its folder to them all."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.assembly.database import home_lock
from bot.assembly.home_settings import load_settings
from bot.domain.database import Database, OpenDatabase, Row
from bot.errors import HomeInUse, StorageError
from bot.storage.home import HomeLock
from bot.storage.home_id import FILE, belong_together, database_id, home_id
from bot.testing.postgres_server import PostgresServer
from bot.testing.slow_to_tell import SlowToTell
from tests.storage.test_home_id import a_home, opened


async def test_with_a_server_an_empty_folder_is_not_taken_for_the_home(
    tmp_path: Path, postgres: PostgresServer
):
    url = postgres.url(postgres.database())
    home, elsewhere = a_home(tmp_path / "home", url), a_home(tmp_path / "elsewhere", url)
    first = await opened(home)
    with pytest.raises(StorageError, match="Mount the home that all processes share"):
        await opened(elsewhere)
    (elsewhere / "data").mkdir()
    (elsewhere / FILE).write_text(f"{first}\n")
    assert await opened(elsewhere) == first


async def test_two_first_starts_at_once_agree(tmp_path: Path, postgres: PostgresServer):
    home = a_home(tmp_path / "home", postgres.url(postgres.database()))
    first, second = await asyncio.gather(opened(home), opened(home))
    assert first == second


class Overtaken(SlowToTell):
    """Another process starts for the first time, from its begin to its end, before each read."""

    def __init__(self, database: Database, home: Path) -> None:
        super().__init__(database)
        self._home = home

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        await belong_together(self._home, self._database, server=True)
        return await super().read_one(sql, params)


async def test_a_first_start_that_another_overtakes_belongs_to_its_home(
    tmp_path: Path, database: OpenDatabase
):
    home = a_home(tmp_path / "home")
    await belong_together(home, Overtaken(database, home), server=True)
    assert await database_id(database) == home_id(home) != ""


def test_processes_share_a_home_only_with_a_server(tmp_path: Path, postgres: PostgresServer):
    home = a_home(tmp_path / "home", postgres.url(postgres.database()))
    first, second = home_lock(load_settings(home)), home_lock(load_settings(home))
    alone = HomeLock(first.path)
    first.acquire()
    second.acquire()
    with pytest.raises(HomeInUse, match=r"process \d+ on \S+\) runs on"):
        alone.acquire()
    first.release()
    second.release()
    alone.acquire()
    with pytest.raises(HomeInUse):
        first.acquire()
    alone.release()
