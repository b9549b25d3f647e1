"""The condition of a server, as `bellhop doctor` reports it."""

import time
from collections.abc import Sequence

import psycopg

from bot.plugin.databases import Check, HomeValue, ServerCondition, WorkingProcess
from bot.plugins.postgresql.connecting import Server, refusal
from bot.plugins.postgresql.database import CONNECTIONS
from bot.plugins.postgresql.fitness import connected
from bot.plugins.postgresql.processes import working_processes

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


_AHEAD_S = 2.0
"""Clocks further apart make schedules come early or late on some machine."""
_STORED = {"on", "remote_apply", "remote_write", "local"}
"""Values of synchronous_commit that put a commit on disk before it is answered."""


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
    ahead = float(there[0]) - ours if there else 0.0
    return ServerCondition(
        (
            _settings(synchronous, ahead, writes_through=fsync and full_pages),
            _connections(used - 1, maximum, processes),
        ),
        owner[0] if owner else "",
        processes,
        *jobs,
    )


def _settings(synchronous_commit: str, ahead: float, *, writes_through: bool) -> Check:
    """Whether commits survive; and `ahead`, how far the server's clock is ahead of ours."""
    problems: list[str] = []
    if synchronous_commit not in _STORED:
        problems.append(
            f"synchronous_commit is {synchronous_commit}: a message that was accepted can be"
            " lost when the server stops; set it to on"
        )
    if not writes_through:
        problems.append(
            "fsync or full_page_writes is off: the database can be damaged when the machine loses"
            " power; set both to on"
        )
    if abs(ahead) > _AHEAD_S:
        problems.append(
            f"the clocks of this machine and the server are {abs(ahead):.1f} s apart;"
            " synchronise both (NTP)"
        )
    if problems:
        return Check("server", "warning", "\n".join(problems))
    return Check(
        "server",
        "ok",
        f"synchronous_commit {synchronous_commit}, clocks {abs(ahead) * 1000:.0f} ms apart",
    )


def _connections(used: int, maximum: int, processes: Sequence[WorkingProcess]) -> Check:
    """Whether ordinary users may open as many connections as the processes need."""
    ours = sum(one.connections for one in processes)
    told = (
        f"{used} of {maximum} are open, {ours} of them by Bellhop;"
        f" a process opens up to {CONNECTIONS}"
    )
    if used + CONNECTIONS * max(1, len(processes)) - ours > maximum:
        return Check("connections", "warning", f"{told}. Raise max_connections")
    return Check("connections", "ok", told)
