"""PostgreSQL needs packages that SQLite doesn't."""

from importlib.machinery import ModuleSpec
from importlib.util import find_spec

import pytest

from bot.errors import SettingsError
from bot.storage.opening import require_driver


@pytest.mark.parametrize("missing", ["psycopg_pool", "procrastinate"])
def test_a_missing_package_is_told_with_what_to_install(
    missing: str, monkeypatch: pytest.MonkeyPatch
):
    require_driver()

    def found(name: str) -> ModuleSpec | None:
        return None if name == missing else find_spec(name)

    monkeypatch.setattr("bot.storage.opening.find_spec", found)
    with pytest.raises(SettingsError, match=r"pip install 'bellhop-assistant\[postgresql\]'"):
        require_driver()
