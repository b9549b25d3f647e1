"""A home to import into, the fixtures, and a folder to import from."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.testing.import_home import ImportHome


@pytest.fixture
def home(tmp_path: Path) -> ImportHome:
    path = tmp_path / "home"
    path.mkdir()
    return ImportHome(path)


@pytest.fixture
def fixtures() -> Path:
    return Path(__file__).parent / "fixtures"


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Writes a file below a source folder; gives that folder."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return tmp_path / "source"

    return write
