"""Several processes that run turns over one PostgreSQL database."""

from collections.abc import AsyncGenerator, Generator

import pytest

from bot.testing.kept_databases import PostgresDatabases
from bot.testing.postgres_server import PostgresServer, postgres_programs
from bot.testing.several_processes import SeveralProcesses

# tests/conftest.py says in a line that these were left out.
collect_ignore_glob = [] if postgres_programs() else ["test_*.py"]


@pytest.fixture
def databases(postgres: PostgresServer) -> Generator[PostgresDatabases]:
    databases = PostgresDatabases(postgres)
    yield databases
    databases.close()


@pytest.fixture
async def town(databases: PostgresDatabases) -> AsyncGenerator[SeveralProcesses]:
    town = SeveralProcesses(await databases.fresh())
    yield town
    await town.close()
