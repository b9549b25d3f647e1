"""The database that `database.url` names: a SQLite file, or a database on a server."""

import re
from importlib.util import find_spec
from pathlib import Path

from bot.domain.database import OpenDatabase
from bot.domain.database_server import DatabaseServer
from bot.errors import SettingsError
from bot.settings import Settings
from bot.storage.home import HomeLock, open_database
from bot.storage.home_id import belong_together
from bot.storage.settings import DatabaseSettings

_REFERENCE = re.compile(r"\$\{(\w+)\}")


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


def database_at(url: str, home: Path) -> DatabaseServer | Path:
    """Where a URL points: to a server, or to a file, relative ones below the home.

    Raises SettingsError.
    """
    if url.startswith(("postgresql://", "postgres://")):
        return _server_at(url)
    prefix = "sqlite:///"
    if not url.startswith(prefix) or len(url) == len(prefix):
        # A value that is not a URL may be a misplaced secret, so the error doesn't quote it.
        raise SettingsError(
            "database.url is not a database URL; use sqlite:///data/bellhop.db, or ${DATABASE_URL}"
            " with a postgresql:// URL in .env"
        )
    return home / url.removeprefix(prefix)


def home_database(settings: Settings) -> DatabaseServer | Path:
    """The server or file that `database.url` names. Raises SettingsError."""
    return database_at(database_url(settings), settings.home)


async def open_home_database(settings: Settings, *, read_only: bool = False) -> OpenDatabase:
    """Open the database of a home, creating and migrating it unless `read_only`.

    Raises SettingsError, HomeInUse or StorageError, also for the database of another home.
    """
    place = home_database(settings)
    in_file = isinstance(place, Path)
    database: OpenDatabase = await (
        open_database(place, read_only=read_only) if in_file else place.open(read_only=read_only)
    )
    try:
        await belong_together(settings.home, database, server=not in_file, read_only=read_only)
    except BaseException:
        await database.close()
        raise
    return database


def home_lock(settings: Settings) -> HomeLock:
    """The lock of a home for a process that runs turns on it, or that writes what they read.

    Raises SettingsError.
    """
    path = settings.home / "data" / "bellhop.lock"
    return HomeLock(path, shared=not isinstance(home_database(settings), Path))


def _server_at(url: str) -> DatabaseServer:
    """Raises SettingsError, also where a package is missing: SQLite doesn't need them."""
    if find_spec("psycopg_pool") is None or find_spec("procrastinate") is None:
        raise SettingsError(
            "database.url names a PostgreSQL server, but what that needs is not installed; run"
            " pip install 'bellhop-assistant[postgresql]'"
        )
    from bot.storage.postgresql.server import (  # noqa: PLC0415 - imports the driver
        PostgresDatabaseServer,
    )

    return PostgresDatabaseServer(url)
