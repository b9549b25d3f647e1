"""A real database with collections of documents."""

import pytest

from bot.domain.database import Database
from bot.knowledge.reading import DocumentReader
from bot.plugins.collections.documents import DocumentCollections
from bot.testing.fake_clock import FakeClock
from bot.testing.own_readers import OWN_READERS
from bot.web.client import WebClient
from bot.web.settings import WebSettings


@pytest.fixture
def collections(database: Database) -> DocumentCollections:
    return DocumentCollections(
        database,
        FakeClock(),
        WebClient(WebSettings(allow_private=("127.0.0.1",))),
        reader=DocumentReader(readers=OWN_READERS),
    )
