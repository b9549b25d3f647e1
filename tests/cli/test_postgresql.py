"""A home on a PostgreSQL server, as a person at the terminal sees it."""

import asyncio
import json
from pathlib import Path
from shutil import copytree, ignore_patterns

from typer.testing import CliRunner, Result

from bot import __version__
from bot.assembly.database import home_lock, open_home_database
from bot.assembly.home_settings import load_settings
from bot.cli.doctor import examine
from bot.cli.main import app
from bot.domain.database import Unit, Write
from bot.domain.health import Check
from bot.storage.home import HomeLock, open_database
from bot.storage.process_files import ProcessFile, process_files, process_name
from bot.testing.kept_databases import PostgresKept, keep_in
from bot.testing.postgres_server import PostgresServer


async def told(home: Path, url: str, setting: str = "${DATABASE_URL}") -> tuple[str, str]:
    (home / ".env").write_text(f"DATABASE_URL={url}\n")
    (home / "bellhop.yaml").write_text(f"database:\n  url: {setting}\n")
    found = {one.check: one for one in await examine(home, live=False)}
    check = found.get("database") or found["settings"]
    assert "hunter22" not in str(found)
    return check.state, check.text


async def test_doctor_says_what_is_wrong_with_the_server(tmp_path: Path, postgres: PostgresServer):
    url = postgres.url(postgres.database())
    state, text = await told(tmp_path, url)
    assert (state, ", migration 00" in text, "next start" in text) == ("ok", True, False)
    state, text = await told(tmp_path, postgres.url(postgres.database(prepared=False)))
    assert (state, "still empty; the next start makes" in text) == ("ok", True)
    state, text = await told(tmp_path, "postgresql://ann:hunter22@127.0.0.1:1/x")
    assert state == "error"
    assert "can't be reached" in text
    state, text = await told(tmp_path, url, "${NO_URL}")
    assert (state, "there is no NO_URL" in text) == ("error", True)
    state, text = await told(tmp_path, url, "postgresql://ann:hunter22@127.0.0.1/x")
    assert (state, "in .env as DATABASE_URL" in text) == ("error", True)


async def findings(home: Path) -> dict[str, Check]:
    return {one.check: one for one in await examine(home, live=False)}


async def test_doctor_sees_the_processes_that_share_a_home(
    tmp_path: Path, postgres: PostgresServer
):
    home, copy = tmp_path / "home", tmp_path / "copy"
    home.mkdir()
    keep_in(home, PostgresKept(postgres.url(postgres.database())))
    settings = load_settings(home)
    lock = home_lock(settings)
    lock.acquire()
    database = await open_home_database(settings)
    copytree(home, copy, ignore=ignore_patterns("*@*"))
    here, there = await findings(home), await findings(copy)
    (copy / "data/home.id").write_text(f"{'0' * 32}\n")
    other = await findings(copy)
    await database.close()
    lock.release()
    assert list((home / "data/processes").iterdir()) == []

    assert (here["home"].state, here["processes"].state) == ("ok", "ok")
    assert here["processes"].text == f"{process_name()} ({__version__})"
    assert "of 57 are open" in here["connections"].text
    assert here["server"].text.startswith("fsync or full_page_writes is off")
    assert there["processes"].state == "warning"
    assert f"has no file of {process_name()}" in there["processes"].text
    assert other["home"].state == "error"
    assert f"says {'0' * 32}, and the database belongs to the home" in other["home"].text


async def test_doctor_sees_sessions_that_nobody_works_on(tmp_path: Path, postgres: PostgresServer):
    name = postgres.database()
    keep_in(tmp_path, PostgresKept(postgres.url(name)))
    postgres.run_sql(name, "INSERT INTO bellhop.home_values VALUES ('home id', '', 'x', '')")
    assert "sessions" not in await findings(tmp_path)
    defer = (
        "SET search_path = bellhop_jobs, pg_catalog;"
        " INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock,"
        " args, status) VALUES ('default', 'work_session', 0, 's', 's', '{}', 'todo')"
    )
    postgres.run_sql(name, defer)
    assert "1 have work, and no process runs turns" in (await findings(tmp_path))["sessions"].text
    taken = "UPDATE procrastinate_jobs SET status = 'doing'"
    postgres.run_sql(name, f"SET search_path = bellhop_jobs, pg_catalog; {taken}")
    held = (await findings(tmp_path))["sessions"]
    assert (held.state, "1 are held by a process" in held.text) == ("warning", True)


def test_the_file_of_a_process_that_died_is_removed(tmp_path: Path):
    first = ProcessFile(tmp_path)
    first.make()
    left = tmp_path / "data/processes" / "1@gone"
    left.touch()
    ProcessFile(tmp_path).make()
    assert process_files(tmp_path) == {process_name()}
    first.remove()
    assert process_files(tmp_path) == frozenset()


def bellhop(home: Path, *words: object) -> Result:
    return CliRunner().invoke(app, [*map(str, words), "--home", str(home)])


async def a_home(home: Path) -> None:
    database = await open_database(home / "data" / "bellhop.db")
    await database.write(
        Unit.of(
            Write(
                "INSERT INTO inbox (session, key, body, state, accepted_at)"
                " VALUES ('s', 'discord:1', '{}', 'new', '')"
            )
        )
    )
    await database.close()


def test_a_home_moves_to_a_server(tmp_path: Path, postgres: PostgresServer):
    asyncio.run(a_home(tmp_path))
    name = postgres.database(prepared=False)
    (tmp_path / ".env").write_text(f"DATABASE_URL={postgres.url(name)}\n")
    done = bellhop(tmp_path, "migrate", "--to", "${DATABASE_URL}", "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.output)
    assert (report["rows"], report["tables"]["inbox"]["rows"]) == (1, 1)
    assert postgres.run_sql(name, "SELECT key FROM bellhop.inbox") == "discord:1"

    other = postgres.url(postgres.database(prepared=False))
    told = bellhop(tmp_path, "migrate", "--to", other)
    assert told.exit_code == 0, told.output
    assert "tables; 1 row in all" in told.output
    assert "bellhop.db is as it was" in told.output
    assert "DATABASE_URL= and the URL" in told.output
    assert 'bellhop.yaml   database: {url: "${DATABASE_URL}"}' in told.output


def test_an_impossible_move_is_one_sentence(tmp_path: Path, postgres: PostgresServer):
    url = postgres.url(postgres.database(prepared=False))

    def refused(sentence: str, to: str = url) -> None:
        done = bellhop(tmp_path, "migrate", "--to", to)
        assert done.exit_code == 1, done.output
        assert sentence in done.output
        assert len(done.output.splitlines()) == 1, done.output
        assert "hunter22" not in done.output

    refused("there is no database at")
    asyncio.run(a_home(tmp_path))
    refused("names no PostgreSQL server", "sqlite:///data/other.db")
    refused("--to: there is no NO_URL in", "${NO_URL}")
    refused("can't be reached", "postgresql://ann:hunter22@127.0.0.1:1/x")
    lock = HomeLock(tmp_path / "data" / "bellhop.lock")
    lock.acquire()
    refused("another Bellhop")
    lock.release()
    (tmp_path / ".env").write_text(f"DATABASE_URL={url}\n")
    (tmp_path / "bellhop.yaml").write_text("database: {url: '${DATABASE_URL}'}\n")
    refused("names a PostgreSQL server already")


def test_a_home_on_a_server_is_backed_up_and_restored(tmp_path: Path, postgres: PostgresServer):
    home, path, there = tmp_path / "home", tmp_path / "copy.bellhop", tmp_path / "there"
    asyncio.run(a_home(home))
    (home / "memory").mkdir()
    (home / "memory" / "system.md").write_text("We speak English.")
    first, second = (postgres.database(prepared=False) for _ in range(2))
    (home / ".env").write_text(f"DATABASE_URL={postgres.url(first)}\n")
    assert bellhop(home, "migrate", "--to", "${DATABASE_URL}").exit_code == 0
    (home / "bellhop.yaml").write_text("database: {url: '${DATABASE_URL}'}\n")
    made = bellhop(home, "backup", path)
    assert made.exit_code == 0, made.output

    there.mkdir()
    done = bellhop(there, "restore", path)
    assert "there is no DATABASE_URL in" in done.output
    (there / ".env").write_text(f"DATABASE_URL={postgres.url(second)}\n")
    done = bellhop(there, "restore", path)
    assert done.exit_code == 0, done.output
    assert "1 request that was not finished" in done.output
    assert postgres.run_sql(second, "SELECT key FROM bellhop.inbox") == "discord:1"
    assert (there / "memory" / "system.md").read_text() == "We speak English."
    assert not (there / "data" / "bellhop.db").exists()

    (there / "memory" / "system.md").write_text("Later.")
    done = bellhop(there, "restore", path)
    assert (done.exit_code, "bellhop restore` has --overwrite" in done.output) == (1, True)
    assert (there / "memory" / "system.md").read_text() == "Later."
    done = bellhop(there, "restore", path, "--overwrite", "--without-open-turns")
    assert done.exit_code == 0, done.output
    schemas = postgres.run_sql(
        second, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'bellhop%' ORDER BY 1"
    ).split()
    assert schemas[0] == "bellhop"
    assert f"is in its schema {schemas[1]}" in done.output
    assert postgres.run_sql(second, "SELECT state FROM bellhop.inbox") == "failed"
    kept = postgres.run_sql(second, f"SELECT state FROM {schemas[1]}.inbox")  # noqa: S608
    assert kept == "new"

    file = tmp_path / "file"
    file.mkdir()
    (file / ".env").write_text("DATABASE_URL=sqlite:///data/bellhop.db\n")
    assert bellhop(file, "restore", path).exit_code == 0
    assert bellhop(file, "usage").exit_code == 0
    assert (file / "data" / "bellhop.db").exists()
