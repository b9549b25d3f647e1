"""The processes that share a database, where several may."""

from uuid import uuid4

from bot.domain.processes import Processes, ProcessRole
from bot.errors import SettingsError
from bot.settings import Settings
from bot.storage.home import is_server
from bot.storage.opening import OpenDatabase, database_url


def require_shared(settings: Settings, role: ProcessRole) -> None:
    """Raises SettingsError for a part of the work where one process has the database alone."""
    if role is not ProcessRole.BOTH and not is_server(database_url(settings)):
        raise SettingsError(
            f"--only {role} needs a database that several processes share, and database.url names"
            " a SQLite file; set it to a PostgreSQL server, or run without --only"
        )


def build_processes(
    settings: Settings, database: OpenDatabase, role: ProcessRole
) -> Processes | None:
    """None where one process has the database alone."""
    if not is_server(database_url(settings)):
        return None
    from bot.storage.postgresql.database import PostgresDatabase  # noqa: PLC0415 - its driver
    from bot.storage.postgresql.notices import PostgresNotices  # noqa: PLC0415

    assert isinstance(database, PostgresDatabase)  # noqa: S101 - the URL says so
    return Processes(uuid4().hex, role, PostgresNotices(database.server), database.locks)
