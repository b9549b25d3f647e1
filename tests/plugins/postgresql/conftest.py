"""Where PostgreSQL is missing, what needs it is left out; tests/conftest.py says so in a line."""

from collections.abc import AsyncGenerator

import pytest

from bot.plugins.postgresql.database import PostgresDatabase
from bot.testing.postgres_server import PostgresServer, postgres_programs

collect_ignore_glob = [] if postgres_programs() else ["test_postgresql*.py"]


@pytest.fixture
async def there(postgres: PostgresServer) -> AsyncGenerator[PostgresDatabase]:
    async with postgres.opened() as opened:
        yield opened
