"""Questions to the state database of OpenClaw. A copy in memory is asked: nothing is written.

Blocking.
"""

import sqlite3
from typing import Any

_PAIRED = "SELECT channel_key, entry FROM channel_pairing_allow_entries ORDER BY 1, 2"
_JOBS = "SELECT job_json FROM cron_jobs ORDER BY job_id"
_KIND = "SELECT type FROM sqlite_master WHERE name = ?"
_MOST_ROWS = 1_000
_STEPS = 2_000_000
"""Steps of SQLite's machine for one question."""


def paired_accounts(data: bytes) -> list[tuple[Any, Any]]:
    """Platform and id of each account that may write. Raises sqlite3.Error."""
    return _rows(data, "channel_pairing_allow_entries", _PAIRED)


def stored_jobs(data: bytes) -> list[Any]:
    """The JSON of each job. Raises sqlite3.Error."""
    return [text for (text,) in _rows(data, "cron_jobs", _JOBS)]


def _rows(data: bytes, table: str, query: str) -> list[Any]:
    # A copy in memory can't be in WAL mode; these two bytes of the header say that it is.
    copy = b"".join((data[:18], b"\x01\x01", data[20:])) if data[18:20] == b"\x02\x02" else data
    database = sqlite3.connect(":memory:")
    try:
        database.deserialize(copy)
        database.execute("PRAGMA trusted_schema = OFF")
        database.set_progress_handler(lambda: 1, _STEPS)
        if database.execute(_KIND, (table,)).fetchone() != ("table",):
            return []
        return database.execute(query).fetchmany(_MOST_ROWS)
    finally:
        database.close()
