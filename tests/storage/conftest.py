"""Where PostgreSQL is missing, what needs it is left out; tests/conftest.py says so in a line."""

from pathlib import Path

import pytest

from bot.testing.postgres_server import postgres_programs

collect_ignore_glob = [] if postgres_programs() else ["test_postgresql*.py"]


@pytest.fixture(scope="session")
def before() -> Path:
    """Where the script lies that makes the tables of the last version that is carried over."""
    return Path(__file__).parent / "before"
