"""A database and the virtual files over it."""

from pathlib import Path

import pytest

from bot.files.database_files import DatabaseFiles
from bot.files.virtual import VirtualFiles
from bot.storage.database import SqliteDatabase
from bot.storage.home import open_database
from bot.testing.fake_clock import FakeClock


@pytest.fixture
async def database(tmp_path: Path):
    database = await open_database(tmp_path / "bellhop.db")
    yield database
    await database.close()


@pytest.fixture
def files(database: SqliteDatabase) -> VirtualFiles:
    clock = FakeClock()
    return VirtualFiles(
        [
            DatabaseFiles(database, clock, "/preferences", "person"),
            DatabaseFiles(database, clock, "/documents", "person"),
            DatabaseFiles(database, clock, "/team", "workspace"),
        ]
    )
