"""Where `database.url` points, and what its database needs."""

from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot.assembly.database import database_at
from bot.errors import SettingsError


@pytest.mark.parametrize("url", ["mysql://x", "sqlite:///"])
def test_other_database_urls_are_refused_with_the_remedy(url: str, tmp_path: Path):
    with pytest.raises(SettingsError, match=r"sqlite:///data/bellhop\.db"):
        database_at(url, tmp_path)


@pytest.mark.parametrize("missing", ["psycopg_pool", "procrastinate"])
def test_a_missing_package_is_told_with_what_to_install(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    url = "postgresql://bellhop@localhost/bellhop"
    assert database_at(url, tmp_path).name == "PostgreSQL database bellhop at localhost:5432"

    def found(name: str) -> ModuleSpec | None:
        return None if name == missing else find_spec(name)

    monkeypatch.setattr("bot.assembly.database.find_spec", found)
    with pytest.raises(SettingsError, match=r"pip install 'bellhop-assistant\[postgresql\]'"):
        database_at(url, tmp_path)
