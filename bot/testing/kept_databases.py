"""Databases that outlive the processes of a test: SQLite files, or on a PostgreSQL server."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from bot.domain.database import OpenDatabase
from bot.plugins.postgresql.connecting import Server, set_up
from bot.plugins.postgresql.database import PostgresDatabase
from bot.plugins.postgresql.fitness import connected
from bot.plugins.postgresql.schema import in_postgresql
from bot.plugins.postgresql.server import PostgresDatabaseServer
from bot.plugins.postgresql.statements import translated
from bot.storage.database import SqliteDatabase
from bot.storage.home import make_database
from bot.testing.own_tables import own_tables
from bot.testing.postgres_server import PostgresServer


class KeptDatabase(Protocol):
    """One database, which each process opens for itself."""

    async def open(self) -> OpenDatabase:
        """Connect to it, as a starting process does."""
        ...

    def run_sql(self, sql: str) -> list[Any]:
        """Run one statement in SQLite's dialect; return the first column. This call blocks."""
        ...


class KeptDatabases(Protocol):
    """Gives a test one empty database after another."""

    async def fresh(self) -> KeptDatabase:
        """Return an empty database with all tables. The one before must not be used any more."""
        ...


class SqliteFiles:
    """SQLite files in a folder, each a copy of a migrated one."""

    def __init__(self, folder: Path) -> None:
        self._template = folder / "template.db"
        self._numbers = count(1)

    async def fresh(self) -> "SqliteFile":
        if not self._template.exists():
            await asyncio.to_thread(_make_tables, self._template)
        paths = (self._template.with_name(f"{number}.db") for number in self._numbers)
        path = next(path for path in paths if not path.exists())
        await asyncio.to_thread(shutil.copyfile, self._template, path)
        return SqliteFile(path)


def _make_tables(path: Path) -> None:
    make_database(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        for write in own_tables():
            connection.execute(write.sql, write.params)


class SqliteFile:
    """A migrated SQLite file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    async def open(self) -> OpenDatabase:
        database = SqliteDatabase(self.path)
        await database.open()
        return database

    def run_sql(self, sql: str) -> list[Any]:
        with closing(sqlite3.connect(self.path)) as connection, connection:
            return [row[0] for row in connection.execute(sql)]


class PostgresDatabases:
    """One PostgreSQL database, emptied whenever a fresh one is needed, which takes milliseconds.

    `close` returns it to the server for the next test.
    """

    def __init__(self, server: PostgresServer) -> None:
        self.server = server
        self._name: str | None = None

    async def fresh(self) -> "PostgresKept":
        if self._name is None:
            self._name = await asyncio.to_thread(self.server.take)
        else:
            await asyncio.to_thread(self.server.empty, self._name)
        return PostgresKept(self.server.url(self._name))

    def close(self) -> None:
        if self._name is not None:
            self.server.give_back(self._name)
            self._name = None


class PostgresKept:
    """A migrated database at a `postgresql://` URL."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.server = PostgresDatabaseServer(url)
        self._server = Server.at(url)

    async def open(self) -> OpenDatabase:
        database = PostgresDatabase(self._server)
        await database.open()
        return database

    def run_sql(self, sql: str) -> list[Any]:
        with closing(connected(self._server)) as connection:
            set_up(connection)
            if sql.startswith("CREATE TABLE"):
                sql = in_postgresql(f"{sql};", "a test")
            cursor = connection.execute(translated(sql)[0])
            return [row[0] for row in cursor] if cursor.description else []


def keep_in(home: Path, kept: PostgresKept) -> None:
    """Configure a home to store its state there, as an operator does."""
    with (home / ".env").open("a") as file:
        file.write(f"DATABASE_URL={kept.url}\n")
    with (home / "bellhop.yaml").open("a") as file:
        file.write("\ndatabase:\n  url: ${DATABASE_URL}\n")
