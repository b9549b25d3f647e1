"""The file of a home: how it is opened, migrated and locked."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from bot.domain.database import Unit, Write
from bot.errors import HomeInUse, StorageError
from bot.storage.database import SqliteDatabase
from bot.storage.home import HomeLock, make_database, open_database
from bot.storage.migrate import (
    Migration,
    make_tables,
    migrate,
    shipped_migrations,
    split_statements,
)
from bot.storage.queues import ReadQueue, ThreadedConnection

TABLE = Write("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")


def insert(number: int) -> Write:
    return Write("INSERT INTO things VALUES (?, ?) RETURNING id", (number, f"thing {number}"))


async def test_queued_writes_finish_before_closing(tmp_path: Path):
    database = await open_database(tmp_path / "a.db")
    await database.write(Unit.of(TABLE))
    writes = [asyncio.create_task(database.write(Unit.of(insert(number)))) for number in range(50)]
    await asyncio.sleep(0)
    await database.close()
    await asyncio.gather(*writes)
    again = await open_database(tmp_path / "a.db", read_only=True)
    assert await again.read("SELECT count(*) AS n FROM things") == [{"n": 50}]
    with pytest.raises(StorageError):
        await again.write(Unit.of(insert(99)))
    await again.close()


class Traced(SqliteDatabase):
    """Notes the statements that write."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.statements: list[str] = []

    def _connect_writer(self) -> sqlite3.Connection:
        connection = super()._connect_writer()
        connection.set_trace_callback(self.statements.append)
        return connection


async def test_units_of_one_transaction_get_savepoints_only_if_one_is_refused(tmp_path: Path):
    database = Traced(tmp_path / "a.db")
    await database.open()
    await database.write(Unit.of(TABLE))

    async def statements(*writes: Write) -> list[str]:
        database.statements.clear()
        await asyncio.gather(
            *(database.write(Unit.of(write)) for write in writes), return_exceptions=True
        )
        return [statement.split()[0] for statement in database.statements]

    once = await statements(insert(1), insert(2), insert(3))
    assert once == ["BEGIN", "INSERT", "INSERT", "INSERT", "COMMIT"]
    refused = Write("UPDATE things SET name = 'x' WHERE id = 9", rows=1)
    assert await statements(insert(4), refused) == [
        *("BEGIN", "INSERT", "UPDATE", "ROLLBACK"),
        *("BEGIN", "SAVEPOINT", "INSERT", "RELEASE"),
        *("SAVEPOINT", "UPDATE", "ROLLBACK", "RELEASE", "COMMIT"),
    ]
    assert await database.read("SELECT id FROM things") == [{"id": n} for n in (1, 2, 3, 4)]
    await database.close()


def test_a_process_that_never_closes_its_database_ends(tmp_path: Path):
    script = (
        "import asyncio, sys; from pathlib import Path;"
        " from bot.storage.home import open_database;"
        " asyncio.run(open_database(Path(sys.argv[1])))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "a.db"], check=False, timeout=60
    )
    assert ended.returncode == 0


def test_a_thread_survives_that_its_event_loop_ends_in_mid_job() -> None:
    """It would print a traceback beside the error that ended the loop."""
    begun, let_go, done = Event(), Event(), Event()

    def job(*_: object) -> int:
        begun.set()
        let_go.wait()
        return 1

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(":memory:")
        connection.row_factory = sqlite3.Row
        connection.create_function("job", 1, job)
        return connection

    async def leave(*, reading: bool) -> ThreadedConnection:
        begun.clear()
        let_go.clear()
        thread, reads = await ThreadedConnection.opened(connect), ReadQueue()
        reads.start([thread])
        waits = reads.read("SELECT job(?)", (1,)) if reading else thread.run(job)
        task = asyncio.create_task(waits)
        await asyncio.to_thread(begun.wait)
        task.cancel()
        return thread

    for reading in (False, True):
        thread = asyncio.run(leave(reading=reading))
        let_go.set()
        done.clear()
        thread.post(done.set)
        assert done.wait(60)
        asyncio.run(thread.close())


async def test_a_missing_database_is_named_when_only_reading(tmp_path: Path):
    with pytest.raises(StorageError, match="no database at"):
        await open_database(tmp_path / "none.db", read_only=True)


async def test_a_file_that_is_no_database_is_named(tmp_path: Path):
    path = tmp_path / "broken.db"
    path.write_bytes(b"this is not a database" * 100)
    with pytest.raises(StorageError, match=r"cannot use the database .*broken\.db"):
        await open_database(path)


def test_a_second_owner_of_a_home_is_refused_with_the_first_ones_process(tmp_path: Path):
    first = HomeLock(tmp_path / "data" / "bellhop.lock")
    first.acquire()
    with pytest.raises(HomeInUse, match=r"process \d+"):
        HomeLock(tmp_path / "data" / "bellhop.lock").acquire()
    first.release()
    second = HomeLock(tmp_path / "data" / "bellhop.lock")
    second.acquire()
    second.release()


def test_a_lock_that_can_not_be_written_is_named(tmp_path: Path):
    lock = HomeLock(tmp_path / "bellhop.lock")
    lock.path.symlink_to("/dev/full")
    with pytest.raises(StorageError, match=r"the lock was not written to .*bellhop\.lock: "):
        lock.acquire()


def test_a_changed_or_unknown_migration_stops_the_start(tmp_path: Path):
    connection = sqlite3.connect(tmp_path / "m.db", isolation_level=None)
    make_tables(connection)
    now = shipped_migrations()
    one = Migration(
        9001, "9001_storage_one.sqlite.sql", "CREATE TABLE one (a);\nCREATE TABLE two (b);"
    )
    assert migrate(connection, [*now, one]) == [one.name]
    assert migrate(connection, [*now, one]) == []
    with pytest.raises(StorageError, match="changed after"):
        migrate(connection, [*now, Migration(9001, one.name, "CREATE TABLE three (c);")])
    with pytest.raises(StorageError, match="does not know"):
        migrate(connection, now)
    bad = "CREATE TABLE four (d);\nNONSENSE;"
    with pytest.raises(StorageError, match="9002_storage_bad"):
        migrate(connection, [*now, one, Migration(9002, "9002_storage_bad.sqlite.sql", bad)])
    assert connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE name = 'four'"
    ).fetchone() == (0,)
    connection.close()


def test_each_new_file_is_what_the_schema_makes_of_an_empty_one(tmp_path: Path):
    def content(path: Path) -> list[object]:
        with closing(sqlite3.connect(path)) as connection:
            pragmas = ("journal_mode", "auto_vacuum", "page_size", "integrity_check")
            return [
                *(connection.execute(f"PRAGMA {name}").fetchone() for name in pragmas),
                *connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name"),
                *connection.execute("SELECT number, name, digest FROM migrations ORDER BY number"),
            ]

    by_schema = tmp_path / "made.db"
    with closing(sqlite3.connect(by_schema, isolation_level=None)) as connection:
        connection.execute("PRAGMA page_size=512")
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        connection.execute("PRAGMA journal_mode=WAL")
        make_tables(connection)
    (tmp_path / "empty.db").touch()
    for name in ("first.db", "second.db", "empty.db"):
        make_database(tmp_path / name)
        assert content(tmp_path / name) == content(by_schema)


def test_migrations_are_numbered_without_gaps():
    numbers = [migration.number for migration in shipped_migrations()]
    assert numbers == list(range(90, 90 + len(numbers)))


def test_statements_are_cut_at_semicolons_only_where_a_statement_ends():
    script = "-- a; b\nCREATE TABLE a (b TEXT DEFAULT ';');\nCREATE TABLE c (d);\n-- end\n"
    assert len(split_statements(script)) == 2
    with pytest.raises(StorageError, match="unfinished"):
        split_statements("CREATE TABLE a (b")


async def test_an_upgraded_file_can_shrink_after_its_next_start(
    tmp_path: Path,
):
    path = tmp_path / "bellhop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE kept (x)")
        connection.execute("INSERT INTO kept VALUES ('still here')")
        connection.commit()
        assert connection.execute("PRAGMA auto_vacuum").fetchone() == (0,)
    database = await open_database(path)
    try:
        assert await database.read("PRAGMA auto_vacuum") == [{"auto_vacuum": 2}]
        assert await database.read("SELECT x FROM kept") == [{"x": "still here"}]
    finally:
        await database.close()
