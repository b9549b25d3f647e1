"""A damaged cycle log loses the log: turns go on, and a new log is begun."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.domain.database import Unit, Write
from bot.errors import StorageError
from bot.storage.damage import find_damage, set_aside
from bot.storage.home import bring_up_to_date, make_database, open_database
from bot.storage.migrate import Migration, shipped_migrations
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, say


def damage(database: Path, name: str) -> None:
    """Overwrite the first page of a table or index, as a failing disk would."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with database.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(os.urandom(size))


LOG = (
    "cycle_events",
    "cycle_events_of_person",
    "cycle_events_start",
    "cycle_events_of_step",
)


@pytest.mark.parametrize("name", LOG)
async def test_turns_go_on_and_the_log_begins_anew(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
):
    path = tmp_path / "data" / "bellhop.db"
    async with running_app(tmp_path, ScriptedModel([say("One.")])) as house:
        assert await house.ask("ann", "hi") == "One."
    damage(path, name)
    async with running_app(
        tmp_path, ScriptedModel([say("Two."), say("Three.")]), house.chat
    ) as house:
        assert await house.ask("ann", "hi again") == "Two."
        assert "cycle_events" in "".join(
            record.message for record in caplog.records if record.levelname == "ERROR"
        )
        assert await house.ask("ann", "and again") == "Three."
        assert [summary.text for summary in await house.app.cycle_log.recent(None, 9)] == [
            "and again",
            "hi again",
        ]
        assert await house.app.database.read("SELECT 1 FROM inbox WHERE state <> 'done'") == []
    with closing(sqlite3.connect(path)) as connection:
        found = find_damage(connection)
        assert (found.beyond_log, len(found.log_tables)) == (False, 1)
        assert found.log_tables[0].startswith("cycle_events_damaged_")
        indexes = {row[1] for row in connection.execute("PRAGMA index_list(cycle_events)")}
        assert len(indexes) == 4


async def test_damage_elsewhere_fails_the_unit_and_nothing_of_it_is_stored(tmp_path: Path):
    path = tmp_path / "bellhop.db"
    await (await open_database(path)).close()
    damage(path, "audit")
    database = await open_database(path)
    try:
        unit = Unit.of(
            Write("INSERT INTO claims VALUES ('s', 'x', 1)"),
            Write("INSERT INTO audit (at, person, kind, tool) VALUES ('', '', '', '')"),
        )
        with pytest.raises(StorageError, match="malformed"):
            await database.write(unit)
        assert await database.read("SELECT * FROM claims") == []
    finally:
        await database.close()


LATER = Migration(9000, "9000_agents_x.sqlite.sql", "CREATE INDEX later ON cycle_events (step);")


def upgrade(path: Path) -> None:
    """Open the file with a version that has one more migration, of the log."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        bring_up_to_date(connection, [*shipped_migrations(), LATER])


def of_this_version(path: Path) -> list[tuple[object, ...]]:
    """Make a file with rows in the cycle log; returns them."""
    rows: list[tuple[object, ...]] = [
        (number, f"cycle{number % 3}", number // 3, f"model:{number}", "llm_request", f"ü{number}")
        for number in range(1, 60)
    ]
    make_database(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO cycle_events (id, cycle_id, turn, step, type, data, at, session_id,"
            " person, agent, private) VALUES (?, ?, ?, ?, ?, ?, '', 's', 'ann', 'assistant', 1)",
            rows,
        )
        connection.execute("COMMIT")
    return rows


def logged(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(
            "SELECT id, cycle_id, turn, step, type, data FROM cycle_events ORDER BY id"
        ).fetchall()


def test_an_upgrade_keeps_the_log(tmp_path: Path):
    path = tmp_path / "bellhop.db"
    rows = of_this_version(path)
    upgrade(path)
    assert logged(path) == rows


@pytest.mark.parametrize("name", ["cycle_events"])
def test_an_upgrade_sets_a_damaged_log_aside(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
):
    path = tmp_path / "bellhop.db"
    of_this_version(path)
    damage(path, name)
    upgrade(path)
    assert logged(path) == []
    assert "damaged; replaced by an empty table" in caplog.text
    with closing(sqlite3.connect(path)) as connection:
        found = find_damage(connection)
    assert (found.beyond_log, len(found.log_tables)) == (False, 1)


def test_an_upgrade_goes_on_beside_a_log_that_was_set_aside_before(tmp_path: Path):
    path = tmp_path / "bellhop.db"
    of_this_version(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        set_aside(connection, "cycle_events")
    upgrade(path)
    assert logged(path) == []
