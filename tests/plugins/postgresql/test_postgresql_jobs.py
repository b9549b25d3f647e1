"""procrastinate's tables: those of the installed version, replaced when nobody else works."""

from collections.abc import Generator

import pytest

from bot.errors import StorageError
from bot.plugins.postgresql.connecting import Server
from bot.plugins.postgresql.fitness import connected
from bot.plugins.postgresql.preparing import prepare
from bot.plugins.postgresql.processes import LOCKS, RUNS, lock_alone, require_alone
from bot.testing.postgres_server import PostgresServer

OLDER = "COMMENT ON SCHEMA bellhop_jobs IS 'procrastinate 2.0.0'"
VERSION = "SELECT obj_description('bellhop_jobs'::regnamespace)"
WORK = "INSERT INTO inbox (session, key, body, state, accepted_at) VALUES ('s', %r, '', %r, '')"
JOBS = "SELECT count(*) FROM bellhop_jobs.procrastinate_jobs"


@pytest.fixture
def name(postgres: PostgresServer) -> Generator[str]:
    name = postgres.take()
    yield name
    postgres.give_back(name)


def run_sql(postgres: PostgresServer, name: str, sql: str) -> str:
    return postgres.run_sql(name, f"SET search_path = bellhop, bellhop_jobs, pg_catalog; {sql}")


def test_tables_of_another_version_are_made_anew(postgres: PostgresServer, name: str):
    current = run_sql(postgres, name, VERSION)
    run_sql(postgres, name, WORK % ("k1", "new"))
    assert run_sql(postgres, name, JOBS) == "1"
    run_sql(postgres, name, OLDER)
    prepare(Server.at(postgres.url(name)))
    assert run_sql(postgres, name, VERSION) == current
    assert run_sql(postgres, name, JOBS) == "0"
    run_sql(postgres, name, WORK % ("k2", "new"))
    assert run_sql(postgres, name, JOBS) == "1"


def test_tables_that_others_use_are_left_alone(postgres: PostgresServer, name: str):
    run_sql(postgres, name, OLDER)
    with connected(Server.at(postgres.url(name))) as other:
        other.execute("SET application_name = 'bellhop 0.0.1 7@elsewhere'")
        other.execute("SELECT pg_advisory_lock_shared(%s::int, %s::int)", (LOCKS, RUNS))
        with pytest.raises(StorageError, match="7@elsewhere"):
            prepare(Server.at(postgres.url(name)))
    assert run_sql(postgres, name, VERSION) == "procrastinate 2.0.0"
    prepare(Server.at(postgres.url(name)))


def test_a_process_that_is_about_to_go_is_waited_for(postgres: PostgresServer, name: str):
    server = Server.at(postgres.url(name))
    with connected(server) as connection, connected(server) as other, connection.transaction():
        other.execute("SET application_name = 'bellhop 0.0.1 7@elsewhere'")
        other.execute("SELECT pg_advisory_lock_shared(%s::int, %s::int)", (LOCKS, RUNS))

        def goes(_seconds: float) -> None:
            other.execute("SELECT pg_advisory_unlock_all()")

        require_alone(connection, pause=goes)


def test_the_lock_of_a_process_that_has_just_gone_is_waited_for(
    postgres: PostgresServer, name: str
):
    server = Server.at(postgres.url(name))
    with connected(server) as connection, connected(server) as other:
        other.execute("SELECT pg_advisory_lock_shared(%s::int, %s::int)", (LOCKS, RUNS))

        def goes(_seconds: float) -> None:
            other.execute("SELECT pg_advisory_unlock_all()")

        lock_alone(connection, server.name, pause=goes)


def test_work_wakes_its_session_once_until_the_job_is_taken(postgres: PostgresServer, name: str):
    for key, state in (("k1", "new"), ("k2", "new"), ("k3", "recorded"), ("k4", "waiting")):
        run_sql(postgres, name, WORK % (key, state))
    assert run_sql(postgres, name, JOBS) == "1"
    run_sql(postgres, name, "UPDATE procrastinate_jobs SET status = 'doing'")
    run_sql(postgres, name, "UPDATE inbox SET state = 'ready' WHERE key = 'k4'")
    run_sql(postgres, name, WORK % ("k5", "new"))
    assert run_sql(postgres, name, JOBS) == "2"
