"""A memory folder with hand-written files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.memory.tiers import MemoryStore
from bot.storage.markdown import MarkdownStore


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    return MemoryStore(MarkdownStore(tmp_path / "memory"))


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], None]:
    def write(path: str, text: str) -> None:
        file = tmp_path / "memory" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    return write
