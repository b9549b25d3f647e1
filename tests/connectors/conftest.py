"""A real database per test, and a desk to call tools at."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.home import open_database
from bot.testing.desk import Desk
from bot.testing.fake_clock import FakeClock


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    database = await open_database(tmp_path / "bellhop.db")
    yield Desk(database, FakeClock())
    await database.close()
