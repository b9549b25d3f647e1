"""Migrates a PostgreSQL database, and checks one."""

import hashlib
import logging
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from bot.plugin.databases import (
    CARRY_FIRST,
    AppliedMigrations,
    Migration,
    StorageError,
    __version__,
    is_carriable,
    missing_migrations,
)
from bot.plugins.postgresql.connecting import (
    JOBS_SCHEMA,
    SCHEMA,
    Server,
    no_schema,
    reason,
    refusal,
)
from bot.plugins.postgresql.fitness import connected, require_own_sessions
from bot.plugins.postgresql.processes import require_alone, working_processes
from bot.plugins.postgresql.schema import in_postgresql, own_migrations, whole_schema

log = logging.getLogger(__name__)

_FILE = "sql/schema.sql"
_BY_LOCK = (
    "CREATE INDEX jobs_by_lock ON procrastinate_jobs (lock) WHERE status IN ('todo', 'doing')"
)
"""An index, so that finding the jobs of one session doesn't read all jobs."""


def ensure_jobs(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Make the tables of the installed procrastinate, within the caller's transaction. Blocking.

    Tables of another version are replaced: a job only says "work on this session", and a start
    wakes every session that has work. Raises StorageError while another process uses them.
    """
    wanted = f"procrastinate {version('procrastinate')}"
    row = connection.execute(
        "SELECT obj_description(to_regnamespace(%s), 'pg_namespace')", (JOBS_SCHEMA,)
    ).fetchone()
    found = row[0] if row else None
    if found == wanted:
        return
    schema = sql.Identifier(JOBS_SCHEMA)
    if found is not None:
        require_alone(connection)
        connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(schema))
    connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(schema))
    connection.execute(sql.SQL("SET LOCAL search_path TO {}, pg_catalog").format(schema))
    connection.execute(_installed().encode())
    connection.execute(_BY_LOCK)
    connection.execute("SET LOCAL search_path TO DEFAULT")
    connection.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(schema, sql.Literal(wanted)))


def _installed() -> str:
    """The script of the installed version, without importing the package."""
    spec = find_spec("procrastinate")
    assert spec is not None  # noqa: S101 - it comes with the driver
    assert spec.origin is not None  # noqa: S101 - it is a package in files
    return (Path(spec.origin).parent / _FILE).read_text(encoding="utf-8")


MOVING = "moving"
"""The table that exists while a home is copied into the database."""
_LOCK = int.from_bytes(hashlib.sha256(b"bellhop migrations").digest()[:4]) >> 1


def look(server: Server) -> AppliedMigrations:
    """Read the applied migrations. Blocking.

    Raises StorageError when the server can't be reached or used.
    """
    with connected(server) as connection:
        try:
            require_own_sessions(server, connection)
            _require_moved(server, connection)
            applied = _applied(connection)
            if not applied:
                _require_rights(server, connection)
        except psycopg.Error as error:
            raise refusal(server, error) from error
        version = connection.info.parameter_status("server_version") or "?"
        return AppliedMigrations(
            {number: row[1] for number, row in applied.items()},
            {migration.number: migration.digest for migration in own_migrations()},
            version,
        )


def require(server: Server) -> AppliedMigrations:
    """Read the applied migrations, which must be all of this version. Blocking.

    Raises StorageError for a database that is empty or of an earlier version.
    """
    found = look(server)
    if not found.applied:
        raise StorageError(
            f"there is nothing in the {server.name} yet; the first `bellhop chat` or `bellhop run`"
            " fills it"
        )
    if not is_carriable(found.applied):
        raise StorageError(
            f"the {server.name} is of a Bellhop that is too old for this one; {CARRY_FIRST}"
        )
    if set(found.shipped) - set(found.applied):
        raise StorageError(
            f"the {server.name} is of an earlier version; `bellhop chat` or `bellhop run` brings it"
            " up to date"
        )
    return found


def prepare(server: Server) -> list[str]:
    """Apply missing migrations, all or none; returns their names. Blocking.

    Raises StorageError when the database is newer than this program, or can't be used.
    """
    with connected(server) as connection:
        try:
            require_own_sessions(server, connection)
            _require_moved(server, connection)
            applied = migrated(connection, own_migrations())
            for one in working_processes(connection):
                if one.version == __version__:
                    continue
                log.warning(
                    "process=<%s>, version=<%s> | another version of Bellhop works on this"
                    " database; bring all to one version soon",
                    one.name,
                    one.version,
                )
            return applied
        except psycopg.Error as error:
            raise refusal(server, error) from error


def is_moving(connection: psycopg.Connection[tuple[Any, ...]]) -> bool:
    """Whether a copy of a home into the database is running or was interrupted."""
    there = connection.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.{MOVING}",)).fetchone()
    return there is not None and there[0] is not None


def _require_rights(server: Server, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Require the right to create a schema, unless the schema exists already."""
    asked = "SELECT to_regnamespace(%s), has_database_privilege(current_database(), 'CREATE')"
    schema, may_make = connection.execute(asked, (SCHEMA,)).fetchone() or (None, False)
    if schema is None and not may_make:
        raise no_schema(server)


def _require_moved(server: Server, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    if is_moving(connection):
        raise StorageError(
            f"the {server.name} holds only a part of a home, because a copy was cut off; run the"
            " same `bellhop migrate --to` or `bellhop restore` again, it goes on"
        )


def _applied(connection: psycopg.Connection[tuple[Any, ...]]) -> dict[int, tuple[str, str]]:
    there = connection.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.migrations",)).fetchone()
    if there is None or there[0] is None:
        return {}
    rows = connection.execute("SELECT number, name, digest FROM migrations").fetchall()
    return {int(str(number)): (str(name), str(digest)) for number, name, digest in rows}


def migrated(
    connection: psycopg.Connection[tuple[Any, ...]], shipped: Sequence[Migration]
) -> list[str]:
    """Make all tables in an empty database, or apply missing migrations; all or none.

    Returns the names of the migrations. Raises like `prepare`.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        applied = _applied(connection)
        missing = missing_migrations(applied, shipped) if applied else shipped
        if missing and applied:
            require_alone(connection)
        ensure_jobs(connection)
        if not applied:
            _make_tables(connection)
        for migration in missing if applied else ():
            script = f"{in_postgresql(migration.sql, migration.name)}{migration.own}"
            _run(connection, migration.name, script)
        for migration in missing:
            _note(connection, migration)
    return [migration.name for migration in missing]


def _make_tables(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    if connection.execute("SELECT to_regnamespace(%s)", (SCHEMA,)).fetchone() == (None,):
        connection.execute(f"CREATE SCHEMA {SCHEMA}")
    # An empty one may be what a test or an operator left.
    connection.execute("DROP TABLE IF EXISTS migrations")
    _run(connection, "of the schema", whole_schema())


def _run(connection: psycopg.Connection[tuple[Any, ...]], name: str, script: str) -> None:
    try:
        connection.execute(script.encode())
    except psycopg.Error as error:
        raise StorageError(
            f"migration {name} failed: {reason(error)}; the database is as it was"
        ) from error


def _note(connection: psycopg.Connection[tuple[Any, ...]], migration: Migration) -> None:
    connection.execute(
        "INSERT INTO migrations VALUES (%s, %s, %s,"
        " to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'))",
        (migration.number, migration.name, migration.digest),
    )
