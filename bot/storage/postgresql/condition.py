"""The condition of a server, as `bellhop doctor` reports it."""

import time
from dataclasses import dataclass

import psycopg

from bot.storage.postgresql.connecting import Server, refusal
from bot.storage.postgresql.fitness import connected
from bot.storage.postgresql.processes import Process, working_processes
from bot.storage.values import HomeValue

_ASKED = """
SELECT current_setting('synchronous_commit'), current_setting('fsync') = 'on',
    current_setting('full_page_writes') = 'on',
    current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int,
    (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')
"""
_HOME_ID = "SELECT value FROM home_values WHERE name = %s"
_JOBS = """
SELECT
    (SELECT count(*) FROM procrastinate_workers
        WHERE last_heartbeat > now() - interval '20 seconds'),
    (SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo'),
    (SELECT count(*) FROM procrastinate_jobs AS job
        LEFT JOIN procrastinate_workers AS worker ON worker.id = job.worker_id
        WHERE job.status = 'doing'
        AND (worker.id IS NULL OR worker.last_heartbeat < now() - interval '20 seconds'))
"""


@dataclass(frozen=True)
class ServerCondition:
    """The state of a server that an operator may want to change."""

    synchronous_commit: str
    writes_through: bool
    """Whether commits survive a power failure."""
    connections: int
    """Open connections of all programs."""
    max_connections: int
    """The most connections of ordinary users."""
    clock_ahead_s: float
    """How far the server's clock is ahead of ours."""
    home_id: str
    """The id of the home that the database belongs to, or ""."""
    processes: tuple[Process, ...]
    runners: int
    """Processes that run turns, and were heard of in the last 20 seconds."""
    waiting_sessions: int
    """Sessions with work that no process has begun."""
    stalled_sessions: int
    """Sessions of a process that sends no heartbeat."""


def condition(server: Server) -> ServerCondition:
    """Ask a server whose tables are complete. Blocking. Raises StorageError."""
    with connected(server) as connection:
        try:
            row = connection.execute(_ASKED).fetchone() or ("", False, False, 0, 0)
            synchronous, fsync, full_pages, maximum, used = row
            began = time.time()
            there = connection.execute("SELECT extract(epoch FROM clock_timestamp())").fetchone()
            ours = (began + time.time()) / 2
            owner = connection.execute(_HOME_ID, (HomeValue.HOME_ID,)).fetchone()
            processes = tuple(working_processes(connection))
            jobs = connection.execute(_JOBS).fetchone() or (0, 0, 0)
        except psycopg.Error as error:
            raise refusal(server, error) from error
    return ServerCondition(
        synchronous,
        fsync and full_pages,
        used - 1,
        maximum,
        float(there[0]) - ours if there else 0.0,
        owner[0] if owner else "",
        processes,
        *jobs,
    )
