"""A temporary home with tool files."""

from pathlib import Path

import pytest

from bot.testing.tools import ToolFolder


@pytest.fixture
def files(tmp_path: Path) -> ToolFolder:
    return ToolFolder(tmp_path)
