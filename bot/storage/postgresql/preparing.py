"""Bringing a PostgreSQL database up to date, and saying what is wrong with one."""

import hashlib
from dataclasses import dataclass
from typing import Any

import psycopg

from bot.errors import StorageError
from bot.storage.migrate import Migration, missing_migrations, shipped_migrations
from bot.storage.postgresql.connecting import SCHEMA, Server, reason, refusal

OLDEST = 130_000
"""`normalize()` and triggers as we use them need PostgreSQL 13."""
MOVING = "moving"
"""The table that is there while a home is copied into the database."""
_LOCK = int.from_bytes(hashlib.sha256(b"bellhop migrations").digest()[:4]) >> 1


@dataclass(frozen=True)
class Applied:
    """What a database holds: number and digest of each migration."""

    migrations: dict[int, str]
    version: str
    """Of the server."""


def look(server: Server) -> Applied:
    """What is there, which is only read. Blocking.

    Raises StorageError when the server can't be reached or used.
    """
    with connected(server) as connection:
        _require_moved(server, connection)
        version = connection.info.parameter_status("server_version") or "?"
        return Applied({number: row[1] for number, row in _applied(connection).items()}, version)


def require(server: Server) -> Applied:
    """What is there, with all migrations of this version. Blocking.

    Raises StorageError for a database that is empty or of an earlier version.
    """
    found = look(server)
    applied = found.migrations
    if not applied:
        raise StorageError(
            f"there is nothing in the {server.name} yet; the first `bellhop chat` or `bellhop run`"
            " fills it"
        )
    if {migration.number for migration in shipped_migrations("postgresql")} - set(applied):
        raise StorageError(
            f"the {server.name} is of an earlier version; `bellhop chat` or `bellhop run` brings it"
            " up to date"
        )
    return found


def prepare(server: Server) -> list[str]:
    """Apply what is missing, all or nothing; returns the names applied. Blocking.

    Raises StorageError when the database is newer than this program, or can't be used.
    """
    with connected(server) as connection:
        _require_moved(server, connection)
        try:
            return migrated(connection)
        except psycopg.Error as error:
            raise refusal(server, error) from error


def is_moving(connection: psycopg.Connection[tuple[Any, ...]]) -> bool:
    """Whether a home is being copied into the database, or was and is not all there."""
    there = connection.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.{MOVING}",)).fetchone()
    return there is not None and there[0] is not None


def _require_moved(server: Server, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    if is_moving(connection):
        raise StorageError(
            f"the {server.name} holds only a part of a home, because a copy was cut off; run the"
            " same `bellhop migrate --to` or `bellhop restore` again, it goes on"
        )


def connected(server: Server) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection that commits each statement by itself.

    Raises StorageError when the server can't be reached, or is not fit.
    """
    try:
        connection = psycopg.connect(server.conninfo, autocommit=True)
    except psycopg.Error as error:
        raise refusal(server, error) from error
    try:
        if connection.info.server_version < OLDEST:
            raise StorageError(f"{server.name} is older than PostgreSQL 13; use a newer server")
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise StorageError(
                f"{server.name} keeps text as {encoding}; make a database with"
                " createdb --encoding=UTF8 --template=template0"
            )
    except StorageError:
        connection.close()
        raise
    return connection


def _applied(connection: psycopg.Connection[tuple[Any, ...]]) -> dict[int, tuple[str, str]]:
    there = connection.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.migrations",)).fetchone()
    if there is None or there[0] is None:
        return {}
    rows = connection.execute("SELECT number, name, digest FROM migrations").fetchall()
    return {int(str(number)): (str(name), str(digest)) for number, name, digest in rows}


def migrated(connection: psycopg.Connection[tuple[Any, ...]]) -> list[str]:
    """Apply what is missing, all or nothing; returns the names applied. Raises as `prepare`."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        missing = missing_migrations(_applied(connection), shipped_migrations("postgresql"))
        if missing:
            _apply(connection, missing)
    return [migration.name for migration in missing]


def _apply(connection: psycopg.Connection[tuple[Any, ...]], missing: list[Migration]) -> None:
    if connection.execute("SELECT to_regnamespace(%s)", (SCHEMA,)).fetchone() == (None,):
        connection.execute(f"CREATE SCHEMA {SCHEMA}")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL,"
        " digest TEXT NOT NULL, applied_at TEXT NOT NULL)"
    )
    for migration in missing:
        try:
            connection.execute(migration.sql.encode())
        except psycopg.Error as error:
            raise StorageError(
                f"migration {migration.name} failed: {reason(error)}; the database is as it was"
            ) from error
        connection.execute(
            "INSERT INTO migrations VALUES (%s, %s, %s,"
            " to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'))",
            (migration.number, migration.name, migration.digest),
        )
