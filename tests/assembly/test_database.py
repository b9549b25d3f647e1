"""Where `database.url` points."""

from pathlib import Path

import pytest

from bot.assembly.database import database_at, server_at
from bot.assembly.own_plugins import OWN
from bot.errors import SettingsError


@pytest.mark.parametrize("url", ["mysql://x", "sqlite:///", "postgresql"])
def test_other_database_urls_are_refused_with_the_remedy(url: str, tmp_path: Path):
    remedy = r"sqlite:///data/bellhop\.db, or \$\{DATABASE_URL\} with a postgresql:// URL in \.env$"
    with pytest.raises(SettingsError, match=remedy):
        database_at(url, tmp_path, OWN)


def test_a_file_lies_below_the_home(tmp_path: Path):
    assert database_at("sqlite:///data/a.db", tmp_path, OWN) == tmp_path / "data" / "a.db"
    assert server_at("sqlite:///data/a.db", OWN) is None


def test_without_a_plugin_for_it_a_server_is_refused_with_the_remedy(tmp_path: Path):
    with pytest.raises(SettingsError, match="no plug-in has another database") as refused:
        database_at("postgresql://ann:hunter22@db/x", tmp_path, ())
    assert "hunter22" not in str(refused.value)
    assert database_at("sqlite:///data/a.db", tmp_path, ()) == tmp_path / "data" / "a.db"
