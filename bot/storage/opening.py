"""Opening the database that `database.url` names: a SQLite file, or a PostgreSQL server."""

import asyncio
import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from bot.domain.database import RewritableDatabase
from bot.errors import SettingsError
from bot.settings import Settings
from bot.storage.home import HomeLock, database_path, is_server, open_database
from bot.storage.home_id import belong_together
from bot.storage.settings import DatabaseSettings

if TYPE_CHECKING:
    from bot.storage.postgresql.connecting import Server

_REFERENCE = re.compile(r"\$\{(\w+)\}")


class OpenDatabase(RewritableDatabase, Protocol):
    """A database that is connected until it is closed."""

    async def close(self) -> None:
        """Write what is queued, then close all connections."""
        ...


def database_url(settings: Settings) -> str:
    """`database.url`, with `${NAME}` replaced by the secret.

    Raises SettingsError when there is no secret of that name.
    """
    return resolved(settings, settings.get(DatabaseSettings).url, "database.url")


def resolved(settings: Settings, url: str, named_by: str) -> str:
    """A database URL, with `${NAME}` replaced by the secret.

    Raises SettingsError that names the setting when there is no secret of that name.
    """
    reference = _REFERENCE.fullmatch(url.strip())
    if reference is None:
        return url
    secret = settings.secret(reference[1])
    if not secret:
        raise SettingsError(
            f"{named_by}: there is no {reference[1]} in the environment or in .env; write"
            f" {reference[1]}=postgresql://USER:PASSWORD@HOST/DATABASE into .env"
        )
    return secret


async def open_home_database(settings: Settings, *, read_only: bool = False) -> OpenDatabase:
    """Open the database of a home, creating and migrating it unless `read_only`.

    Raises SettingsError, HomeInUse or StorageError, also for the database of another home.
    """
    url = database_url(settings)
    server = is_server(url)
    database = await (
        _open_server(url, read_only=read_only)
        if server
        else open_database(database_path(url, settings.home), read_only=read_only)
    )
    try:
        await belong_together(settings.home, database, server=server, read_only=read_only)
    except BaseException:
        await database.close()
        raise
    return database


def home_lock(settings: Settings) -> HomeLock:
    """The lock of a home for a process that runs turns on it, or that writes what they read.

    Raises SettingsError.
    """
    path = settings.home / "data" / "bellhop.lock"
    return HomeLock(path, shared=is_server(database_url(settings)))


async def _open_server(url: str, *, read_only: bool) -> OpenDatabase:
    server = server_at(url)
    from bot.storage.postgresql.database import PostgresDatabase  # noqa: PLC0415
    from bot.storage.postgresql.preparing import prepare, require  # noqa: PLC0415

    await asyncio.to_thread(require if read_only else prepare, server)
    database = PostgresDatabase(server, read_only=read_only)
    await database.open()
    return database


def server_at(url: str) -> "Server":
    """Where a `postgresql://` URL points.

    Raises SettingsError, also where the driver is missing.
    """
    require_driver()
    from bot.storage.postgresql.connecting import Server  # noqa: PLC0415

    return Server.at(url)


def require_driver() -> None:
    """Raises SettingsError where a package for PostgreSQL is missing: SQLite doesn't need them."""
    if find_spec("psycopg_pool") is None or find_spec("procrastinate") is None:
        raise SettingsError(
            "database.url names a PostgreSQL server, but what that needs is not installed; run"
            " pip install 'bellhop-assistant[postgresql]'"
        )
