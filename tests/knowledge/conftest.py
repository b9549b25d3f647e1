"""Documents that are read in the process of the test."""

import pytest

from bot.knowledge import reading
from bot.testing.read_here import read_here


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what is read; those of limits start a process for each document."""
    monkeypatch.setattr(reading, "run_limited", read_here)
