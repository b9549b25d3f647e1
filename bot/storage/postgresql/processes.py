"""Which processes of Bellhop are connected to a database, and of which version they are.

Each connection carries its process's name, so the server knows who is there, and forgets a process
that dies.
"""

import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from bot import __version__
from bot.errors import StorageError

_NAME_BYTES = 63
"""Longer names are cut by the server."""
_CONNECTED = """
SELECT application_name, count(*) FROM pg_stat_activity
WHERE datname = current_database() AND application_name LIKE 'bellhop %'
GROUP BY application_name ORDER BY application_name
"""


@dataclass(frozen=True)
class Process:
    """A process of Bellhop that is connected to the database."""

    name: str
    """Process id and host, such as `812@turns-1`."""
    version: str
    connections: int


def process_name() -> str:
    """The name of this process, unique among those that share a database."""
    return f"{os.getpid()}@{socket.gethostname()}"


def application_name() -> str:
    """What the connections of this process are called at the server."""
    return f"bellhop {__version__} {process_name()}".encode()[:_NAME_BYTES].decode(errors="ignore")


def connected_processes(connection: psycopg.Connection[tuple[Any, ...]]) -> list[Process]:
    """All processes that are there, this one as well. Raises psycopg.Error."""
    found: list[Process] = []
    for name, connections in connection.execute(_CONNECTED).fetchall():
        _, version, process = (*str(name).split(" ", 2), "", "")[:3]
        found.append(Process(process, version, int(connections)))
    return found


def of_other_versions(processes: Sequence[Process]) -> list[Process]:
    """Those that run another version than this program."""
    return [one for one in processes if one.version != __version__]


def require_alone(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Refuse to change tables that another process works with. Raises StorageError."""
    _, _, own = application_name().split(" ", 2)
    others = [one for one in connected_processes(connection) if one.name != own]
    if others:
        raise StorageError(
            "this version has to change the tables of the database, but other processes of Bellhop"
            f" work with them: {listed(others)}; stop those first, then start this one"
        )


def listed(processes: Sequence[Process]) -> str:
    """Processes for a sentence."""
    return ", ".join(f"{one.name} ({one.version})" for one in processes)
