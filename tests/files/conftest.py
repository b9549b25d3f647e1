"""A database and the virtual files over it."""

import pytest

from bot.domain.database import Database
from bot.files.database_files import DatabaseFiles
from bot.files.virtual import VirtualFiles
from bot.testing.fake_clock import FakeClock


@pytest.fixture
def files(database: Database) -> VirtualFiles:
    clock = FakeClock()
    return VirtualFiles(
        [
            DatabaseFiles(database, clock, "/preferences", "person"),
            DatabaseFiles(database, clock, "/documents", "person"),
            DatabaseFiles(database, clock, "/team", "workspace"),
        ]
    )
