"""A database that notes what is read."""

from collections.abc import Sequence
from typing import Any

from bot.domain.database import Database, Read, Row, Unit, WriteResult


class NotedReads:
    """Passes on what is asked of it; a subclass lets something happen on the way."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.reads: list[str] = []

    async def write(self, unit: Unit) -> WriteResult:
        return await self._database.write(unit)

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        self.reads.append(sql)
        return await self._database.read(sql, params)

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        self.reads.append(sql)
        return await self._database.read_one(sql, params)

    async def read_all(self, *reads: Read) -> list[list[Row]]:
        self.reads += [read.sql for read in reads]
        return await self._database.read_all(*reads)
