"""What PostgreSQL needs beside SQLite: its packages, and a migration for each of SQLite's."""

from importlib.machinery import ModuleSpec
from importlib.util import find_spec

import pytest

from bot.errors import SettingsError
from bot.plugins.postgresql.plugin import server_at
from bot.plugins.postgresql.schema import own_migrations
from bot.storage.migrate import shipped_migrations


@pytest.mark.parametrize("missing", ["psycopg_pool", "procrastinate"])
def test_a_missing_package_is_told_with_what_to_install(
    missing: str, monkeypatch: pytest.MonkeyPatch
):
    url = "postgresql://bellhop@localhost/bellhop"
    assert server_at(url).name == "PostgreSQL database bellhop at localhost:5432"

    def found(name: str) -> ModuleSpec | None:
        return None if name == missing else find_spec(name)

    monkeypatch.setattr("bot.plugins.postgresql.plugin.find_spec", found)
    with pytest.raises(SettingsError, match=r"pip install 'bellhop-assistant\[postgresql\]'"):
        server_at(url)


def test_a_server_has_the_migrations_that_a_file_has():
    here, there = (
        [one.number for one in shipped] for shipped in (shipped_migrations(), own_migrations())
    )
    assert here == there, "a migration has one file, or one for each database"
