"""Builds the part that lets several processes share a database."""

from pathlib import Path
from uuid import uuid4

from bot.assembly.database import home_database
from bot.domain.database import Database
from bot.domain.processes import Processes, ProcessRole
from bot.errors import SettingsError
from bot.log import register_secret
from bot.settings import Settings
from bot.storage.exclusive import locks_of
from bot.storage.home_id import made_once

NOTICE_KEY = Path("data/notices.key")
"""The key that seals the notices between the processes of a home."""


def require_shared(settings: Settings, role: ProcessRole) -> None:
    """Raises SettingsError for a process with one role if only one process may use the database."""
    if role is not ProcessRole.BOTH and isinstance(home_database(settings), Path):
        raise SettingsError(
            f"--only {role} needs a database that several processes share, and database.url names"
            " a SQLite file; set it to a PostgreSQL server, or run without --only"
        )


def build_processes(
    settings: Settings, database: Database, role: ProcessRole, *, read_only: bool = False
) -> Processes | None:
    """Build it; None if one process has the database alone. Blocking.

    With `read_only`, nothing is written, and no notices arrive.
    Raises StorageError and SettingsError.
    """
    server, locks = home_database(settings), locks_of(database)
    if isinstance(server, Path) or locks is None:
        return None
    from bot.connections.sealed_notices import SealedNotices  # noqa: PLC0415 - few homes share
    from bot.connections.sealing import new_key  # noqa: PLC0415

    key = new_key() if read_only else made_once(settings.home / NOTICE_KEY, new_key())
    register_secret(key)
    try:
        notices = SealedNotices(server.notices(), key)
    except ValueError:
        raise SettingsError(
            f"{settings.home / NOTICE_KEY} holds no key; stop all processes and remove it, and the"
            " next start makes another"
        ) from None
    return Processes(uuid4().hex, role, notices, locks)
