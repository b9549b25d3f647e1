"""A home goes from a SQLite file to PostgreSQL: everything, once, also after an interruption."""

import asyncio
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bot.domain.database import Unit, Write
from bot.domain.database_server import Contents
from bot.errors import HomeInUse, StorageError
from bot.plugins.postgresql import moving
from bot.plugins.postgresql import server as postgresql_server
from bot.plugins.postgresql.connecting import Server
from bot.plugins.postgresql.database import PostgresDatabase
from bot.plugins.postgresql.moving import move
from bot.plugins.postgresql.preparing import prepare, require
from bot.plugins.postgresql.server import copy_out
from bot.plugins.postgresql.statements import stored_value
from bot.plugins.postgresql.tables import summed
from bot.storage.fulltext import index_text
from bot.storage.home import make_database, open_database
from bot.testing.filled_database import fill_with_plugin
from bot.testing.postgres_server import PostgresServer

IDLE = "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"
FOUND = "SELECT w.rowid AS id FROM message_words(?) AS w ORDER BY w.rank, 1"


@pytest.fixture
async def home(tmp_path: Path) -> Path:
    """A database with rows in each table, some of which were deleted again."""
    path = tmp_path / "data" / "bellhop.db"
    await (await open_database(path)).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        fill_with_plugin(connection, rows=5)
        connection.execute("DELETE FROM message_words")
        connection.executemany(
            "INSERT INTO message_words (rowid, words) VALUES (?, ?)",
            [(1, index_text("The paper is stuck")), (2, index_text("Paper, paper: 北京\0"))],
        )
        connection.execute("DELETE FROM inbox WHERE id > 3")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.fixture
def server(postgres: PostgresServer) -> Server:
    return Server.at(postgres.url(postgres.database(prepared=False)))


class Cut(Exception):
    """The process ends here."""


def cut_at(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    def cut(value: object) -> object:
        if isinstance(value, str) and value.startswith(text):
            raise Cut
        return stored_value(value)

    monkeypatch.setattr(moving, "stored_value", cut)


async def test_everything_is_there_and_goes_on(home: Path, server: Server):
    before = await asyncio.to_thread(home.read_bytes)
    moved = move(home, server)
    assert await asyncio.to_thread(home.read_bytes) == before
    assert len(moved.tables) > 60
    assert all(one.rows for one in moved.tables.values())
    assert moved.left == ()
    require(server)
    database = PostgresDatabase(server)
    await database.open()
    assert [row["id"] for row in await database.read(FOUND, ('"paper"',))] == [2, 1]
    insert = "INSERT INTO {} RETURNING {}"
    added = await database.write(
        Unit.of(
            Write(
                insert.format(
                    "inbox (session, key, body, state, accepted_at) VALUES ('s','k','','new','')",
                    "id",
                )
            ),
            Write(
                insert.format(
                    "audit (at, person, kind, tool) VALUES ('', '', 'security', '')", "id"
                )
            ),
            Write("UPDATE messages SET text = 'other' WHERE id = 1"),
        )
    )
    assert [rows[0]["id"] for rows in added.returned[:2]] == [6, 6]  # 4 and 5 were given before
    assert [row["id"] for row in await database.read(FOUND, ('"paper"',))] == [2]
    await database.close()
    with pytest.raises(StorageError, match=r"holds a home already.*name an empty database"):
        move(home, server)


def test_a_copy_that_was_stopped_goes_on(
    home: Path, server: Server, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(moving, "_ROWS", 2)
    told: list[str] = []
    for text in ("place 4", "author 5"):
        with monkeypatch.context() as here:
            cut_at(here, text)
            with pytest.raises(Cut):
                move(home, server, told.append)
        for opening in (require, prepare):
            with pytest.raises(StorageError, match="run the same `bellhop migrate --to`"):
                opening(server)
    moved = move(home, server, told.append)
    assert moved.tables["steps"].rows == 5
    assert told == ["A copy was begun before; it goes on."] * 2
    require(server)


def test_while_the_server_is_away_nothing_of_a_copy_is_lost(
    home: Path, server: Server, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
):
    def stopped(value: object) -> object:
        if isinstance(value, str) and value.startswith("author 5"):
            postgres.stop()
        return stored_value(value)

    monkeypatch.setattr(moving, "_TOLD_ROWS", 5)
    told: list[str] = []
    with monkeypatch.context() as here:
        here.setattr(moving, "stored_value", stopped)
        with pytest.raises(StorageError, match="the same command goes on with it"):
            move(home, server, told.append)
    with pytest.raises(StorageError, match="can't be reached"):
        move(home, server)
    postgres.start()
    assert "audit: 5 rows are copied." in told
    told.clear()
    move(home, server, told.append)
    assert "audit: 5 rows are copied." not in told
    require(server)


def test_changes_since_an_interrupted_copy_are_copied(
    home: Path, server: Server, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as here:
        cut_at(here, "author 5")
        with pytest.raises(Cut):
            move(home, server)
    with closing(sqlite3.connect(home, isolation_level=None)) as connection:
        connection.execute("UPDATE audit SET detail = 'later' WHERE id = 1")
        connection.execute("DELETE FROM collected_documents")
        connection.execute("INSERT INTO collections VALUES ('0', '', '')")
        connection.execute("UPDATE document_parts SET id = id + 100")
    told: list[str] = []
    assert move(home, server, told.append).tables["collected_documents"].rows == 0
    assert "begins anew" in told[-1]


def test_a_copy_that_differs_is_not_used(
    home: Path, server: Server, monkeypatch: pytest.MonkeyPatch
):
    def other(value: object) -> object:
        return "other" if str(value).startswith("detail 3") else stored_value(value)

    monkeypatch.setattr(moving, "stored_value", other)
    with pytest.raises(StorageError, match="the copy of audit, schedule_ticks differs"):
        move(home, server)
    with pytest.raises(StorageError, match="only a part of a home"):
        prepare(server)


async def test_a_database_in_use_is_left_alone(home: Path, server: Server):
    prepare(server)
    database = PostgresDatabase(server)
    await database.open()
    with pytest.raises(HomeInUse, match="stop it first"):
        move(home, server)
    await database.close()


def state_of(path: Path) -> tuple[list[object], dict[str, list[tuple[object, ...]]], list[object]]:
    """Schema, rows of each table, and ids for "paper". SQLite's own tables are left out."""
    with closing(sqlite3.connect(path)) as connection:
        schema = connection.execute(
            "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
        ).fetchall()
        tables = connection.execute(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'"
            " AND name NOT IN ('migrations', 'sqlite_schema', 'sqlite_stat1')"
        ).fetchall()
        rows = {
            name: sorted(connection.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr)  # noqa: S608
            for (name,) in tables
        }
        return schema, rows, connection.execute(FOUND, ('"paper"',)).fetchall()


def test_a_servers_data_fills_a_file(
    home: Path,
    server: Server,
    tmp_path: Path,
    postgres: PostgresServer,
    monkeypatch: pytest.MonkeyPatch,
):
    with closing(sqlite3.connect(home, isolation_level=None)) as connection:
        connection.execute("UPDATE message_words SET words = replace(words, char(0), '')")
        connection.execute("UPDATE messages SET text = 'plain'")  # which triggers note down
        connection.execute("UPDATE virtual_files SET text = 'plain'")
    move(home, server)
    out = tmp_path / "out.db"
    idle: set[str] = set()

    def noted(rows: Iterable[Sequence[object]]) -> Contents:
        if not idle:
            idle.add(postgres.run_sql("postgres", IDLE))
        return summed(rows)

    monkeypatch.setattr(postgresql_server, "summed", noted)
    make_database(out)
    copy_out(server, out)
    assert idle == {"0"}  # the server would end a transaction that waits for the comparison
    schema, rows, found = state_of(home)
    copied_schema, copied_rows, copied_found = state_of(out)
    assert (copied_schema, copied_found) == (schema, found)
    assert len(rows) > 60
    assert copied_rows == {
        name: [tuple(without_zero(value) for value in row) for row in of_one]
        for name, of_one in rows.items()
    }


def without_zero(value: object) -> object:
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value


def test_nothing_of_a_newer_version_is_copied(
    server: Server, postgres: PostgresServer, tmp_path: Path
):
    with pytest.raises(StorageError, match="nothing in the"):
        copy_out(server, tmp_path / "out.db")
    prepare(server)
    name = server.name.split()[2]
    postgres.run_sql(name, "INSERT INTO bellhop.migrations VALUES (9000, '9000_new', '', '')")
    with pytest.raises(StorageError, match="9000, which this version"):
        copy_out(server, tmp_path / "out.db")
    assert not (tmp_path / "out.db").exists()
