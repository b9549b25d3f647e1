"""PostgreSQL: the same tables and words, a server that goes away, what can't be used."""

import ast
import asyncio
import os
import re
from pathlib import Path
from typing import Any

import psycopg
import pytest

import bot
from bot.assembly.own_plugins import OWN
from bot.domain.database import Database, Unit, Write
from bot.errors import HomeInUse, SettingsError, StorageError, UnitRejected
from bot.plugins.postgresql.connecting import Server
from bot.plugins.postgresql.database import PostgresDatabase
from bot.plugins.postgresql.fitness import connected
from bot.plugins.postgresql.preparing import prepare, require
from bot.plugins.postgresql.processes import LOCKS, RUNS
from bot.plugins.postgresql.statements import translated
from bot.storage.fulltext import fts_query, index_text
from bot.storage.plugin_tables import apply_table_files, table_files
from bot.storage.seen import NARROWED
from bot.storage.stems import StemmedQuery, indexed
from bot.testing.own_tables import open_with_own_tables
from bot.testing.postgres_relay import Lost, postgres_relay
from bot.testing.postgres_server import PostgresServer

NOTE = "INSERT INTO audit (at, person, kind, tool) VALUES ('', ?, '', '') RETURNING id"


async def noted(database: Database) -> list[str]:
    return [row["person"] for row in await database.read("SELECT person FROM audit ORDER BY id")]


def note(person: str) -> Unit:
    return Unit.of(Write(NOTE, (person,)))


# --- units ----------------------------------------------------------------------------------------


class Traced(PostgresDatabase):
    """Notes what its writing connection sends."""

    def __init__(self, server: Server, path: Path) -> None:
        super().__init__(server)
        self._path = path

    async def _connected(self, patience: float) -> psycopg.AsyncConnection[dict[str, Any]]:
        connection = await super()._connected(patience)
        with self._path.open("w") as file:
            connection.pgconn.trace(os.dup(file.fileno()))
        return connection

    def sent(self, word: str) -> int:
        """How many of the sent messages have this word."""
        return sum(word in line for line in self._path.read_text().splitlines())


async def test_units_share_a_round_trip_and_get_savepoints_only_if_one_is_refused(
    there: PostgresDatabase, tmp_path: Path
):
    database = Traced(there.server, tmp_path / "sent")
    await database.open()
    try:
        await asyncio.gather(database.write(note("ann")), database.write(note("ben")))
        assert (database.sent("SAVEPOINT"), database.sent("Sync")) == (0, 1)
        refused = Unit.of(Write("DELETE FROM audit WHERE person = 'nobody'", rows=1))
        outcomes = await asyncio.gather(
            database.write(note("cleo")), database.write(refused), return_exceptions=True
        )
        assert database.sent("SAVEPOINT") > 0
        assert isinstance(outcomes[1], UnitRejected)
        assert await noted(database) == ["ann", "ben", "cleo"]
        with pytest.raises(UnitRejected):
            await database.write(refused)
        await database.write(note("dan"))
        assert await noted(database) == ["ann", "ben", "cleo", "dan"]
    finally:
        await database.close()


async def test_statements_are_still_stored_after_one_that_the_server_refused(
    there: PostgresDatabase,
):
    refused = Unit.of(Write("INSERT INTO audit (at, person, kind, tool) VALUES (NULL, '', '', '')"))
    with pytest.raises(StorageError, match="not-null"):
        await there.write(refused)
    for _ in range(5):  # the driver prepares the next one
        await there.write(note("ann"))
    with pytest.raises(StorageError, match="not-null"):
        await there.write(refused + note("nobody"))
    await there.write(note("ben"))
    assert await noted(there) == [*["ann"] * 5, "ben"]


# --- the same words -------------------------------------------------------------------------------

TEXTS = [
    "The printer on the second floor prints nothing, says Ann; the paper is stuck.",
    "Printing works again. We printed the invoices for Müller and the invoices of Smith.",
    "Die Rechnungen für März liegen beim Drucker, die Rechnung für April fehlt.",
    "北京的天气很好 我们明天去北京",
    "Invoice numbers: 4711, 4712. INVOICE! invoice? Invoices are due on Monday.",
    "nothing of it",
    "el informe está en la impresora; informes de ventas, l'imprimante est cassée",
]
QUERIES = [
    "invoice",
    "printing paper",
    "Rechnung",
    "北京",
    "京",
    "muller",
    "informe impresora",
    "due",
]


async def test_ranked_results_are_the_same(there: PostgresDatabase, tmp_path: Path):
    embedded = await open_with_own_tables(tmp_path / "a.db")
    found: list[list[tuple[object, ...]]] = []
    for database in (embedded, there):
        await database.write(
            Unit(
                tuple(
                    Write(sql, (number, text))
                    for number, text in enumerate(TEXTS, 1)
                    for sql, text in (
                        ("INSERT INTO message_words (rowid, words) VALUES (?, ?)", indexed(text)),
                        (
                            "INSERT INTO knowledge_entries_text (rowid, body) VALUES (?, ?)",
                            index_text(text),
                        ),
                    )
                )
                + tuple(
                    Write(
                        "INSERT INTO document_part_words (rowid, words, around) VALUES (?, ?, ?)",
                        (number, indexed(text), indexed(TEXTS[-number][:30])),
                    )
                    for number, text in enumerate(TEXTS, 1)
                )
                + (Write("DELETE FROM message_words WHERE rowid = 6"),)
            )
        )
        results: list[tuple[object, ...]] = []
        for query in QUERIES:
            words = " OR ".join(StemmedQuery.of(query).groups)
            for table, expression, more in (
                ("message_words(?)", words, ()),
                ("knowledge_entries_text(?)", fts_query(query), ()),
                ("document_part_words(?, ?)", words, ("bm25(1.0, 2.0)",)),
            ):
                rows = await database.read(
                    f"SELECT w.rowid AS id, w.rank AS rank FROM {table} AS w ORDER BY 2, 1",  # noqa: S608
                    (expression, *more),
                )
                results += [(query, table, row["id"], round(row["rank"], 9)) for row in rows]
        counts = await database.read("SELECT term, doc FROM message_terms ORDER BY term")
        found.append([*results, *[(row["term"], row["doc"]) for row in counts]])
    await embedded.close()
    assert len(found[0]) > 60
    assert found[0] == found[1]


async def test_the_beginning_of_a_too_long_text_is_found(there: PostgresDatabase):
    await there.write(
        Unit.of(
            Write(
                "INSERT INTO meetings_words (rowid, body)"
                " SELECT 7, 'pumpkin ' || string_agg('word' || n, ' ')"
                " FROM generate_series(1, 100000) AS one (n)"
            )
        )
    )
    sql = "SELECT w.rowid AS id FROM meetings_words(?) AS w"
    for word, found in (("pumpkin", [7]), ("word50000", [7]), ("word100000", [])):
        assert [row["id"] for row in await there.read(sql, (f'"{word}"',))] == found


def test_a_statement_is_said_in_other_words():
    sql = "SELECT '?', ?2, CAST(t.text AS BLOB) FROM a CROSS JOIN b ON ?2 = x WHERE ? IS NULL"
    assert translated(sql, (None, "b")) == (
        b"SELECT '?', $1, convert_to(t.text, 'UTF8') FROM a JOIN b ON $1 = x WHERE NULL IS NULL",
        ("b",),
    )


# --- a server that goes away ----------------------------------------------------------------------


async def test_while_the_server_is_started_again_people_wait_and_nothing_is_lost(
    there: PostgresDatabase, postgres: PostgresServer
):
    await there.write(note("before"))
    await asyncio.to_thread(postgres.stop)
    writes = [asyncio.create_task(there.write(note(f"p{number}"))) for number in range(20)]
    read = asyncio.create_task(noted(there))
    await asyncio.sleep(0)
    await asyncio.to_thread(postgres.start)
    ids = [(await one).returned[0][0]["id"] for one in writes]
    assert (await read)[0] == "before"
    assert await noted(there) == ["before", *(f"p{number}" for number in range(20))]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize(
    "losses", [[Lost.REQUEST], [Lost.ANSWER], [Lost.REQUEST, Lost.REQUEST, Lost.ANSWER]]
)
async def test_a_commit_that_nobody_answered_is_done_once(
    losses: list[Lost], postgres: PostgresServer, tmp_path: Path, there: PostgresDatabase
):
    name = there.server.name.split()[2]
    async with postgres_relay(postgres.folder, tmp_path) as relay:
        database = PostgresDatabase(Server.at(f"postgresql://bellhop@/{name}?host={tmp_path}"))
        await database.open()
        for number in range(4):
            relay.losses = list(losses) if number % 2 else []
            outcomes = await asyncio.gather(
                *(database.write(note(f"{number}.{part}")) for part in range(3))
            )
            assert len({one.returned[0][0]["id"] for one in outcomes}) == 3
            assert not relay.losses
        assert await noted(database) == [f"{n}.{part}" for n in range(4) for part in range(3)]
        await database.close()


async def test_several_processes_write_and_see_what_the_others_wrote(there: PostgresDatabase):
    second = PostgresDatabase(there.server)
    await second.open()
    await asyncio.gather(*(one.write(note(f"p{n}")) for n in range(5) for one in (there, second)))
    assert await noted(there) == await noted(second)
    assert len(await noted(there)) == 10
    reading = PostgresDatabase(there.server, read_only=True)
    await reading.open()
    assert len(await noted(reading)) == 10
    with pytest.raises(StorageError, match="reading only"):
        await reading.write(note("x"))
    await reading.close()
    await second.close()


async def test_a_process_frozen_in_a_transaction_does_not_block_the_others(
    there: PostgresDatabase, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.plugins.postgresql.database.FROZEN_S", 0.2)
    other = PostgresDatabase(there.server)
    await other.open()
    with connected(there.server) as frozen:
        frozen.execute("SET idle_in_transaction_session_timeout = 0")
        frozen.execute("BEGIN")
        frozen.execute("SELECT pg_advisory_xact_lock(%s::int, %s::int)", (LOCKS, RUNS + 1))
        await other.write(note("meanwhile"))
        with pytest.raises(psycopg.OperationalError, match="terminating connection"):
            frozen.execute("COMMIT")
    assert await noted(other) == ["meanwhile"]
    await other.close()


async def test_nobody_writes_while_the_database_is_filled_or_set_aside(
    there: PostgresDatabase, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.plugins.postgresql.database.OTHERS_PATIENCE_S", 0.1)
    await there.close()
    with connected(there.server) as alone:
        alone.execute("SELECT pg_advisory_lock(%s, %s)", (LOCKS, RUNS))
        second = PostgresDatabase(there.server)
        with pytest.raises(HomeInUse, match="bellhop restore"):
            await second.open()


async def test_a_reading_loop_ends_when_cancelled(there: PostgresDatabase):
    """Also who gets a connection at this very moment: there are few, and many wait for one."""
    reads = 0
    all_read = asyncio.Event()

    async def forever() -> None:
        nonlocal reads
        while True:
            await there.read("SELECT 1")
            reads += 1
            if reads > 200:
                all_read.set()

    tasks = [asyncio.create_task(forever()) for _ in range(40)]
    await all_read.wait()
    for task in tasks:
        task.cancel()
    _, left = await asyncio.wait(tasks, timeout=20)
    for task in left:
        task.cancel()
    assert not left


# --- what can't be used ---------------------------------------------------------------------------


def test_an_invalid_url_is_not_repeated():
    with pytest.raises(SettingsError) as caught:
        Server.at("postgresql://ann:pass%zzword@host:port/x")
    assert "word" not in str(caught.value).replace("PASSWORD", "")
    server = Server.at("postgresql://ann:hunter22@127.0.0.1:1/x")
    assert "hunter22" not in f"{server!r}{server.name}"
    with pytest.raises(StorageError, match=r"can't be reached.*is the server running") as refused:
        prepare(server)
    assert "hunter22" not in str(refused.value)


def test_each_database_that_cannot_be_used_has_its_sentence(postgres: PostgresServer):
    def url(name: str) -> Server:
        return Server.at(postgres.url(name))

    with pytest.raises(StorageError, match=r"does not exist; make it"):
        prepare(url("nowhere"))
    latin = postgres.database(prepared=False, encoding="LATIN1")
    with pytest.raises(StorageError, match=r"keeps text as LATIN1.*--encoding=UTF8"):
        prepare(url(latin))
    empty = postgres.database(prepared=False)
    with pytest.raises(StorageError, match="nothing in the"):
        require(url(empty))
    assert prepare(url(empty))[0].endswith("storage_carried_over.sql")
    assert prepare(url(empty)) == []
    require(url(empty))
    postgres.run_sql(empty, "INSERT INTO bellhop.migrations VALUES (9000, '9000_new', '', '')")
    with pytest.raises(StorageError, match="9000_new, which this version"):
        prepare(url(empty))
    postgres.run_sql(empty, "DELETE FROM bellhop.migrations")
    with pytest.raises(StorageError, match="nothing in the"):
        require(url(empty))
    postgres.run_sql(empty, "CREATE ROLE guest LOGIN")
    with pytest.raises(StorageError, match="GRANT CREATE"):
        prepare(
            Server.at(postgres.url(postgres.database(prepared=False)).replace("bellhop@", "guest@"))
        )


# --- every statement ------------------------------------------------------------------------------

UNDERSTOOD = """
CREATE FUNCTION bellhop.understood(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'PREPARE one AS ' || statement;
    DEALLOCATE one;
    RETURN '';
EXCEPTION WHEN indeterminate_datatype OR ambiguous_parameter OR ambiguous_function THEN
    RETURN '';  -- the driver says what the values are
WHEN others THEN
    RETURN SQLERRM;
END
$$
"""
FRAGMENTS = ("missing FROM-clause entry", "syntax error at end of input", 'relation "given"')
"""What is wrong with a statement that stands within another."""
VERBS = ("SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "WITH ")
PARTS = {"seen": "TRUE", "narrowed": NARROWED}


def statements() -> set[str]:
    """What stands whole in the modules with SQL; a statement that is put together is not seen.

    Tables of a rival's home (`plugins/openclaw`) are none of ours.
    """
    found: set[str] = set()
    for path in Path(bot.__file__).parent.rglob("*store.py"):
        if "openclaw" in path.parts:
            continue
        tree = ast.parse(path.read_text())
        pieces = {
            id(piece)
            for node in ast.walk(tree)
            if isinstance(node, ast.JoinedStr)
            for piece in node.values
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and id(node) not in pieces:
                sql = " ".join(str(node.value).split())
                if sql.startswith(VERBS):
                    found.add(re.sub(r"\{(\w+)\}", lambda part: PARTS.get(part[1], part[0]), sql))
    return found


async def test_every_statement_of_a_store_is_understood(
    there: PostgresDatabase, postgres: PostgresServer
):
    for own in OWN:
        files = table_files(own.name, own.folder / "migrations")
        await apply_table_files(there, own.name, files, "2026-11-25T09:00:00Z", read_only=False)
    name = there.server.name.split()[2]
    postgres.run_sql(name, UNDERSTOOD)
    checked = sorted(sql for sql in statements() if "{" not in sql)
    problems = {
        sql: row["problem"]
        for sql in checked
        for row in await there.read(
            "SELECT bellhop.understood(?) AS problem", (translated(sql, ("",) * 40)[0].decode(),)
        )
        if row["problem"] and not row["problem"].startswith(FRAGMENTS)
    }
    postgres.run_sql(name, "DROP FUNCTION bellhop.understood(text)")
    assert len(checked) > 150
    assert problems == {}
