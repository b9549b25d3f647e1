"""What the house rules are checked on: the checkout's own files."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def bot_files() -> list[Path]:
    return _sources("bot")


@pytest.fixture(scope="session")
def test_files() -> list[Path]:
    return _sources("tests")
