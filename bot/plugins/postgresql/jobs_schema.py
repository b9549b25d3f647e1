"""The tables of procrastinate, which gives work to processes, in a schema of their own.

A job only says "work on this session"; the turn journal says what there is to do. So the tables can
be replaced while no process works, because a start wakes every session that has work.
"""

from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from bot.plugins.postgresql.connecting import JOBS_SCHEMA
from bot.plugins.postgresql.processes import require_alone

_FILE = "sql/schema.sql"
_BY_LOCK = (
    "CREATE INDEX jobs_by_lock ON procrastinate_jobs (lock) WHERE status IN ('todo', 'doing')"
)
"""An index, so that finding the jobs of one session doesn't read all jobs."""


def ensure_jobs(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Make the tables of the installed procrastinate, within the caller's transaction. Blocking.

    Tables of another version are replaced. Raises StorageError while another process uses them.
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
