"""What a rewritten SQLite file holds of deleted rows: nothing, whoever wrote it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.domain.database import Unit, Write
from bot.storage import database as sqlite_database
from bot.storage.database import LOG_BUSY
from bot.storage.home import make_database, open_database
from bot.testing.byte_search import holding

_PUT = "INSERT INTO audit (at, person, kind, tool, detail) VALUES ('', 'ann', 'k', 't', ?)"


async def test_pages_from_before_overwriting_are_gone_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bellhop.db"
    make_database(path)
    with closing(sqlite3.connect(path)) as earlier:
        earlier.execute("PRAGMA secure_delete=OFF")
        earlier.executemany(_PUT, [(f"quxzebra7 {number} {'y' * 900}",) for number in range(50)])
        earlier.execute("DELETE FROM audit")
        earlier.commit()
        earlier.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert holding([tmp_path], ["quxzebra7"])
    database = await open_database(path)
    await database.write(Unit.of(Write(_PUT, ("quxzebra7",)), Write("DELETE FROM audit")))
    assert await database.rewrite() == ()
    assert holding([tmp_path], ["quxzebra7"]) == {}
    assert await database.read("SELECT 1 FROM home_values") is not None
    await database.close()


async def test_a_reader_that_keeps_the_log_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon = [one.replace("timeout=5000", "timeout=50") for one in sqlite_database._PRAGMAS]
    monkeypatch.setattr(sqlite_database, "_PRAGMAS", soon)
    database = await open_database(tmp_path / "bellhop.db")
    await database.write(Unit.of(Write(_PUT, ("quxzebra7",))))
    with closing(sqlite3.connect(tmp_path / "bellhop.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM audit").fetchall()
        await database.write(Unit.of(Write("DELETE FROM audit")))
        assert await database.rewrite() == (LOG_BUSY,)
    assert await database.rewrite() == ()
    assert holding([tmp_path], ["quxzebra7"]) == {}
    await database.close()
