"""Builds the part that lets several processes share a database."""

from pathlib import Path
from uuid import uuid4

from bot.connections.credentials import new_key
from bot.connections.sealed_notices import SealedNotices
from bot.domain.processes import Processes, ProcessRole
from bot.errors import SettingsError
from bot.log import register_secret
from bot.settings import Settings
from bot.storage.home import is_server
from bot.storage.made_once import made_once
from bot.storage.opening import OpenDatabase, database_url

NOTICE_KEY = Path("data/notices.key")
"""The key that seals the notices between the processes of a home."""


def require_shared(settings: Settings, role: ProcessRole) -> None:
    """Raises SettingsError for a process with one role if only one process may use the database."""
    if role is not ProcessRole.BOTH and not is_server(database_url(settings)):
        raise SettingsError(
            f"--only {role} needs a database that several processes share, and database.url names"
            " a SQLite file; set it to a PostgreSQL server, or run without --only"
        )


def build_processes(
    settings: Settings, database: OpenDatabase, role: ProcessRole, *, read_only: bool = False
) -> Processes | None:
    """Build it; None if one process has the database alone. Blocking.

    With `read_only`, nothing is written, and no notices arrive.
    Raises StorageError and SettingsError.
    """
    if not is_server(database_url(settings)):
        return None
    from bot.storage.postgresql.database import PostgresDatabase  # noqa: PLC0415 - its driver
    from bot.storage.postgresql.notices import PostgresNotices  # noqa: PLC0415

    assert isinstance(database, PostgresDatabase)  # noqa: S101 - the URL says so
    key = new_key() if read_only else made_once(settings.home / NOTICE_KEY, new_key())
    register_secret(key)
    try:
        notices = SealedNotices(PostgresNotices(database.server), key)
    except ValueError:
        raise SettingsError(
            f"{settings.home / NOTICE_KEY} holds no key; stop all processes and remove it, and the"
            " next start makes another"
        ) from None
    return Processes(uuid4().hex, role, notices, database.locks)
