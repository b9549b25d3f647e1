"""A home of the version before: looked at, backed up, restored, and opened."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli.doctor import examine
from bot.cli.main import app
from bot.storage.migrate import shipped_migrations

BEFORE = Path(__file__).parents[1] / "storage" / "before" / "0089.sqlite.sql"
OPEN = (
    "INSERT INTO inbox (session, key, body, state, accepted_at)"
    " VALUES ('s', 'discord:1', '{}', 'new', '')"
)
CHOICE = "INSERT INTO memory_choices VALUES ('ann', '', 0, '')"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """One request is open in it, and Bellhop learns nothing from one person."""
    (tmp_path / "home" / "data").mkdir(parents=True)
    with closing(sqlite3.connect(database(tmp_path / "home"))) as connection, connection:
        connection.executescript(f"{BEFORE.read_text()};{OPEN};{CHOICE}")
    return tmp_path / "home"


def database(home: Path) -> Path:
    return home / "data" / "bellhop.db"


def run_sql(home: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database(home))) as connection, connection:
        return connection.execute(sql).fetchall()


def bellhop(home: Path, *words: object) -> Result:
    return CliRunner().invoke(app, [*map(str, words), "--home", str(home)])


async def state(home: Path) -> tuple[str, str]:
    found = next(one for one in await examine(home, live=False) if one.check == "database")
    return found.state, found.text


async def test_doctor_says_what_the_next_start_does(home: Path):
    since = len(shipped_migrations())
    assert await state(home) == (
        "ok",
        f"{database(home)}, migration 0089, {since} more at the next start",
    )
    run_sql(home, "DELETE FROM migrations WHERE number > 88")
    found, text = await state(home)
    assert found == "error"
    assert "start it once with the Bellhop of 29 November 2026 (commit b3821a70)" in text


def test_its_backup_is_carried_over_by_a_restore(home: Path, tmp_path: Path):
    path, there = tmp_path / "copy.bellhop", tmp_path / "there"
    assert bellhop(home, "backup", path).exit_code == 0
    done = bellhop(there, "restore", path)
    assert done.exit_code == 0, done.output
    assert "1 request that was not finished" in done.output
    assert run_sql(there, "SELECT key FROM inbox") == [("discord:1",)]
    assert run_sql(there, "SELECT person, name, value FROM person_values") == [
        ("ann", "learning", "off")
    ]
    assert run_sql(home, "SELECT max(number) FROM migrations") == [(89,)], "the home is as it was"
