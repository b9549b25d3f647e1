"""A PostgreSQL database behind the `DatabaseServer` protocol."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from bot.plugin.databases import AppliedMigrations, Moved, ServerCondition, Told
from bot.plugins.postgresql.advisory_locks import AdvisoryLocks
from bot.plugins.postgresql.condition import condition
from bot.plugins.postgresql.connecting import Server
from bot.plugins.postgresql.copying_out import copy_out
from bot.plugins.postgresql.database import PostgresDatabase
from bot.plugins.postgresql.jobs_store import ProcrastinateJobs
from bot.plugins.postgresql.moving import move, set_aside
from bot.plugins.postgresql.notices import PostgresNotices
from bot.plugins.postgresql.preparing import look, prepare, require


class PostgresDatabaseServer:
    """Implements `domain.database_server.DatabaseServer`."""

    def __init__(self, url: str) -> None:
        """Raises SettingsError for what is no `postgresql://` URL."""
        self._server = Server.at(url)
        self.jobs = ProcrastinateJobs(self._server)

    @property
    def name(self) -> str:
        return self._server.name

    async def open(self, *, read_only: bool = False) -> PostgresDatabase:
        await asyncio.to_thread(require if read_only else prepare, self._server)
        database = PostgresDatabase(self._server, read_only=read_only)
        await database.open()
        return database

    def notices(self) -> PostgresNotices:
        return PostgresNotices(self._server)

    def locks(self) -> AdvisoryLocks:
        return AdvisoryLocks(self._server)

    def look(self) -> AppliedMigrations:
        return look(self._server)

    def condition(self) -> ServerCondition:
        return condition(self._server)

    def copy_out(self, path: Path) -> None:
        copy_out(self._server, path)

    def move(
        self, source: Path, told: Told = lambda _: None, last: Callable[[], None] = lambda: None
    ) -> Moved:
        return move(source, self._server, told, last)

    def set_aside(self, name: str) -> bool:
        return set_aside(self._server, name)
