"""The first process of a home makes a file, and all others read it."""

import stat
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from bot.errors import StorageError
from bot.storage.home_id import made_once


def test_all_get_the_text_of_the_first(tmp_path: Path):
    path = tmp_path / "data" / "key"
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(partial(made_once, path), map(str, range(8))))
    assert found == {path.read_text().strip()}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["key"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "data").write_text("a file")
    with pytest.raises(StorageError, match=r"cannot write .*key"):
        made_once(tmp_path / "data" / "key", "text")
