"""Finds the processes of Bellhop that work on a database, and their versions.

Each connection carries its process's name, and each process that may write holds a lock of the
server. So the server knows the processes, and forgets those that die.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg

from bot.plugin.databases import (
    HomeInUse,
    StorageError,
    WorkingProcess,
    __version__,
    process_name,
)

LOCKS = 1_651_862_636
"""The first key of our advisory locks; the second key names the lock."""
RUNS = 1
"""The lock of each process that may write: shared, or exclusive to fill or replace all data."""
_LOOKS_AGAIN = 10
_LOOK_AGAIN_S = 0.2
_NAME_BYTES = 63
"""The most bytes of a name; the server cuts longer ones."""
_WORKING = """
SELECT activity.application_name, count(*) FROM pg_stat_activity AS activity
WHERE activity.datname = current_database() AND activity.application_name IN (
    SELECT one.application_name FROM pg_locks JOIN pg_stat_activity AS one USING (pid)
    WHERE locktype = 'advisory' AND classid = %s AND objid = %s AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
)
GROUP BY activity.application_name ORDER BY activity.application_name
"""


def application_name() -> str:
    """The `application_name` of this process's connections."""
    return f"bellhop {__version__} {process_name()}".encode()[:_NAME_BYTES].decode(errors="ignore")


def working_processes(connection: psycopg.Connection[tuple[Any, ...]]) -> list[WorkingProcess]:
    """All processes that may write, including this one. Raises psycopg.Error."""
    found: list[WorkingProcess] = []
    for name, connections in connection.execute(_WORKING, (LOCKS, RUNS)).fetchall():
        _, version, process = (*str(name).split(" ", 2), "", "")[:3]
        found.append(WorkingProcess(process, version, int(connections)))
    return found


def require_alone(
    connection: psycopg.Connection[tuple[Any, ...]], pause: Callable[[float], None] = time.sleep
) -> None:
    """Refuse to change tables that another process uses. Blocking.

    Looks several times, with a `pause` of so many seconds between, because the server sees the end
    of a process a little later. Raises StorageError.
    """
    others: list[WorkingProcess] = []
    for _ in _looks(pause):
        if not (others := _others(connection)):
            return
    raise StorageError(
        "this version has to change the tables of the database, but other processes of Bellhop"
        f" work with them: {', '.join(map(str, others))}; stop those first, then start this one"
    )


def lock_alone(
    connection: psycopg.Connection[tuple[Any, ...]],
    named: str,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Take the exclusive lock of a database; `named` says which, in an error. Blocking.

    Looks several times like `require_alone`. It never waits in the server's queue: there it would
    turn away processes that start meanwhile. Raises HomeInUse and psycopg.Error.
    """
    for _ in _looks(pause):
        taken = connection.execute("SELECT pg_try_advisory_lock(%s::int, %s::int)", (LOCKS, RUNS))
        if taken.fetchone() == (True,):
            return
    raise HomeInUse(f"another Bellhop works on the {named}; stop it first")


def _looks(pause: Callable[[float], None]) -> Iterator[None]:
    """Yields for each look, with a pause before all but the first."""
    yield
    for _ in range(_LOOKS_AGAIN):
        pause(_LOOK_AGAIN_S)
        yield


def _others(connection: psycopg.Connection[tuple[Any, ...]]) -> list[WorkingProcess]:
    # Within a transaction the server would show the processes of the first look again.
    connection.execute("SELECT pg_stat_clear_snapshot()")
    _, _, own = application_name().split(" ", 2)
    return [one for one in working_processes(connection) if one.name != own]
