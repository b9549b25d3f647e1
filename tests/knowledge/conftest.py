"""A real database with collections of documents."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.domain.database import Database
from bot.knowledge.documents import DocumentCollections
from bot.storage.home import open_database
from bot.testing.fake_clock import FakeClock
from bot.web.client import WebClient
from bot.web.settings import WebSettings


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await open_database(tmp_path / "bellhop.db")
    yield opened
    await opened.close()


@pytest.fixture
def collections(database: Database) -> DocumentCollections:
    return DocumentCollections(
        database, FakeClock(), WebClient(WebSettings(allow_private=("127.0.0.1",)))
    )
