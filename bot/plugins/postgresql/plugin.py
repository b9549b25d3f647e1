"""PostgreSQL, which several processes of a home can share."""

from importlib.util import find_spec

from bot.plugin.databases import DatabaseEngine, DatabaseServer, SettingsError
from bot.plugin.plugin import NoSettings, Plugin


def server_at(url: str) -> DatabaseServer:
    """Raises SettingsError, also where a package is missing: SQLite doesn't need them."""
    if find_spec("psycopg_pool") is None or find_spec("procrastinate") is None:
        raise SettingsError(
            "database.url names a PostgreSQL server, but what that needs is not installed; run"
            " pip install 'bellhop-assistant[postgresql]'"
        )
    from bot.plugins.postgresql.server import (  # noqa: PLC0415 - imports the driver
        PostgresDatabaseServer,
    )

    return PostgresDatabaseServer(url)


class PostgreSQL(Plugin[NoSettings]):
    name = "postgresql"
    title = "a database that several processes share"
    databases = (DatabaseEngine(("postgresql", "postgres"), server_at),)
