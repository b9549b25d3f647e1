"""What an operator reads of a PostgreSQL database that can't be used: one sentence, no password."""

import socket
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from bot.assembly.database import open_home_database
from bot.assembly.home_settings import load_settings
from bot.cli.doctor import examine
from bot.errors import StorageError
from bot.plugins.postgresql.connecting import Server
from bot.plugins.postgresql.processes import LOCKS, RUNS
from bot.storage.migrate import CARRIED_DIGESTS, CARRIED_FROM
from bot.testing.kept_databases import PostgresKept, keep_in
from bot.testing.loaded_program import run_loaded
from bot.testing.postgres_server import PostgresServer

PASSWORD = "sesame-0pen"


async def refused(home: Path, url: str, sentence: str) -> None:
    """`doctor`, and what opens the home to work on it, say so; nothing is left behind."""
    keep_in(home, PostgresKept(url))
    found = {one.check: one for one in await examine(home, live=False)}
    assert (found["database"].state, found["database"].text.count(sentence)) == ("error", 1), found
    with pytest.raises(StorageError) as told:
        await open_home_database(load_settings(home))
    assert str(told.value).count(sentence) == 1, told.value
    assert PASSWORD not in f"{found}{told.value}"
    assert "\n" not in str(told.value)
    for file in (".env", "bellhop.yaml"):
        (home / file).unlink()


def as_user(url: str, user: str, password: str = PASSWORD) -> str:
    return url.replace("bellhop@", f"{user}:{password}@" if password else f"{user}@")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder that only its owner reads."""
    tmp_path.chmod(0o700)
    return tmp_path


async def test_the_way_to_the_server(home: Path, postgres: PostgresServer):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    await refused(home, f"postgresql://ann:{PASSWORD}@127.0.0.1:{port}/x", "can't be reached")
    url = postgres.url(postgres.database())
    postgres.add_user("ann", PASSWORD)
    for user, password in (("ann", "pw-of-nobody-7f31"), ("ann", ""), ("nobody_known", PASSWORD)):
        await refused(home, as_user(url, user, password), "refuses the user or the password")
    postgres.run_sql("postgres", "ALTER ROLE ann CONNECTION LIMIT 0")
    await refused(home, as_user(url, "ann"), "takes no more connections; raise max_connections")


async def test_the_rights_in_the_database(home: Path, postgres: PostgresServer):
    postgres.add_user("ben", PASSWORD)
    await refused(home, as_user(postgres.url("nowhere"), "ben"), "nowhere at")
    filled, empty = postgres.database(), postgres.database(prepared=False)
    await refused(
        home, as_user(postgres.url(filled), "ben"), "use the user who owns the schema bellhop"
    )
    await refused(
        home, as_user(postgres.url(empty), "ben"), "allow it with GRANT CREATE ON DATABASE"
    )


async def test_a_pooler_on_the_way(home: Path, postgres: PostgresServer):
    """pg_backend_pid() that never changes is what a pooler in transaction mode looks like."""
    name = postgres.database()
    url = postgres.url(name)
    await refused(home, f"{url}&options=-csearch_path%3Dpublic", "did not take the connection's")
    same = "CREATE FUNCTION bellhop.pg_backend_pid() RETURNS int LANGUAGE sql AS 'SELECT 7'"
    postgres.run_sql(name, same)
    await refused(home, url, "set pool_mode = session")


async def test_a_standby(home: Path, postgres: PostgresServer):
    name = postgres.database()
    yes = "CREATE FUNCTION bellhop.pg_is_in_recovery() RETURNS bool LANGUAGE sql AS 'SELECT true'"
    postgres.run_sql(name, yes)
    await refused(home, postgres.url(name), "is a standby, which takes no writes; name the primary")


@contextmanager
def beside(url: str, version: str) -> Generator[None]:
    """Another process of Bellhop that works on the database."""
    name = f"bellhop {version} 812@turns-1"
    with psycopg.connect(Server.at(url).conninfo, application_name=name) as connection:
        connection.execute("SELECT pg_advisory_lock_shared(%s, %s)", (LOCKS, RUNS))
        yield


async def test_tables_of_another_version(home: Path, postgres: PostgresServer):
    name = postgres.database()
    url = postgres.url(name)
    postgres.run_sql(name, "INSERT INTO bellhop.migrations VALUES (9000, '9000_new', '', '')")
    await refused(home, url, "newer")
    earlier = f"VALUES ({CARRIED_FROM}, '', '{min(CARRIED_DIGESTS)}', '')"
    postgres.run_sql(name, "DELETE FROM bellhop.migrations")
    postgres.run_sql(name, f"INSERT INTO bellhop.migrations {earlier}")
    keep_in(home, PostgresKept(url))
    with beside(url, "0.0.9"), pytest.raises(StorageError, match=r"812@turns-1 \(0.0.9\); stop"):
        await open_home_database(load_settings(home))
    kept = postgres.run_sql(name, "SELECT max(number) FROM bellhop.migrations")
    assert kept == str(CARRIED_FROM), "nothing was changed"


async def test_another_version_with_the_same_tables_is_told_of(
    home: Path, postgres: PostgresServer, caplog: pytest.LogCaptureFixture
):
    url = postgres.url(postgres.database())
    keep_in(home, PostgresKept(url))
    with beside(url, "0.0.9"):
        database = await open_home_database(load_settings(home))
    await database.close()
    assert "process=<812@turns-1>, version=<0.0.9> | another version" in caplog.text


def test_the_program_says_it_in_one_line(
    home: Path, postgres: PostgresServer, environment: dict[str, str]
):
    postgres.add_user("eve", PASSWORD)
    keep_in(home, PostgresKept(as_user(postgres.url(postgres.database()), "eve", "s3same-shut")))
    done = run_loaded(["run", "--home", str(home)], environment)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"bellhop: PostgreSQL database d")
    assert done.stderr.endswith(b"refuses the user or the password of database.url; check both\n")
    assert done.stderr.count(b"\n") == 1
