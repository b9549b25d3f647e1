"""The database that `database.url` names: a SQLite file, or a database on a server."""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bot.assembly.plugins import plugins_of
from bot.domain.database import OpenDatabase
from bot.domain.database_server import DatabaseServer
from bot.errors import SettingsError
from bot.plugin.databases import DatabaseEngine
from bot.plugin.plugin import AnyPlugin
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


def server_at(url: str, plugins: Sequence[AnyPlugin]) -> DatabaseServer | None:
    """The server of a plug-in that a URL names; None where none of them knows such URLs.

    Raises SettingsError.
    """
    scheme, mark, _ = url.partition("://")
    for engine in _engines(plugins):
        if mark and scheme in engine.schemes:
            return engine.at(url)
    return None


def database_at(url: str, home: Path, plugins: Sequence[AnyPlugin]) -> DatabaseServer | Path:
    """Where a URL points: to a server of a plug-in, or to a file, relative ones below the home.

    Raises SettingsError.
    """
    if (server := server_at(url, plugins)) is not None:
        return server
    prefix = "sqlite:///"
    if not url.startswith(prefix) or len(url) == len(prefix):
        raise _unknown(_engines(plugins))
    return home / url.removeprefix(prefix)


def home_database(settings: Settings) -> DatabaseServer | Path:
    """The server or file that `database.url` names. Raises SettingsError."""
    return database_at(database_url(settings), settings.home, plugins_of(settings))


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


@asynccontextmanager
async def opened(settings: Settings, *, read_only: bool = False) -> AsyncGenerator[OpenDatabase]:
    """The database of a home for a while; unless `read_only`, the home is locked meanwhile.

    Raises as `open_home_database`.
    """
    lock = home_lock(settings)
    if not read_only:
        await asyncio.to_thread(lock.acquire)
    try:
        database = await open_home_database(settings, read_only=read_only)
        try:
            yield database
        finally:
            await database.close()
    finally:
        lock.release()


def _engines(plugins: Sequence[AnyPlugin]) -> list[DatabaseEngine]:
    return [engine for plugin in plugins for engine in plugin.databases]


def _unknown(engines: Sequence[DatabaseEngine]) -> SettingsError:
    """A value that is not a URL may be a misplaced secret, so it isn't quoted."""
    if not engines:
        return SettingsError(
            "database.url names no SQLite file, and no plug-in has another database; use"
            " sqlite:///data/bellhop.db, or add the plug-in of the database to plugins"
        )
    others = (f", or ${{DATABASE_URL}} with a {one.schemes[0]}:// URL in .env" for one in engines)
    return SettingsError(
        f"database.url is not a database URL; use sqlite:///data/bellhop.db{''.join(others)}"
    )
