"""The requirements on a server, and on a pooler before it."""

from typing import Any

import psycopg

from bot.plugin.databases import StorageError
from bot.plugins.postgresql.connecting import SEARCHED, Server, refusal

OLDEST = 130_000
"""`normalize()` and triggers as we use them need PostgreSQL 13."""
_ASKED = "SELECT current_setting('search_path'), pg_is_in_recovery()"


def connected(server: Server) -> psycopg.Connection[tuple[Any, ...]]:
    """Open a connection in autocommit mode.

    Raises StorageError when the server can't be reached, or is not fit.
    """
    try:
        connection = psycopg.connect(server.conninfo, autocommit=True)
    except psycopg.Error as error:
        raise refusal(server, error) from error
    try:
        require_fit(server, connection)
    except BaseException as error:
        connection.close()
        if isinstance(error, psycopg.Error):
            raise refusal(server, error) from error
        raise
    return connection


def require_fit(server: Server, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Raises StorageError for a server that Bellhop can't use, and psycopg.Error."""
    if connection.info.server_version < OLDEST:
        raise StorageError(f"{server.name} is older than PostgreSQL 13; use a newer server")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StorageError(
            f"{server.name} keeps text as {encoding}; make a database with"
            " createdb --encoding=UTF8 --template=template0"
        )
    searched, in_recovery = connection.execute(_ASKED).fetchone() or ("", False)
    if searched.replace(" ", "") != SEARCHED.replace(" ", ""):
        raise StorageError(
            f"{server.name} did not take the connection's search_path; a pooler in front of it, or"
            " options in database.url, changed it. Connect to PostgreSQL itself, or give the user"
            f" the setting: ALTER ROLE … SET search_path = {SEARCHED}"
        )
    if in_recovery:
        raise StorageError(
            f"{server.name} is a standby, which takes no writes; name the primary, or name both"
            " hosts and add target_session_attrs=read-write to database.url"
        )


def require_own_sessions(server: Server, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Refuse a pooler that gives two connections one session of the server. Blocking.

    Locks and prepared statements belong to a session. Raises StorageError.
    """
    with connected(server) as other:
        first, second = (
            one.execute("SELECT pg_backend_pid()").fetchone() for one in (connection, other)
        )
    if first == second:
        raise StorageError(
            f"{server.name} is behind a pooler that shares sessions (pool_mode transaction or"
            " statement), but locks belong to a session; set pool_mode = session, or connect to"
            " PostgreSQL itself"
        )
