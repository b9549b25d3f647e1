"""A database whose answers come after what is written meanwhile."""

import asyncio
from collections.abc import Sequence
from typing import Any

from bot.domain.database import Database, Read, Row, Unit, WriteResult


class SlowToTell(Database):
    """Reads at once, and tells what it read when the gate is open."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.gate = asyncio.Event()
        self.has_read = asyncio.Event()

    async def write(self, unit: Unit) -> WriteResult:
        return await self._database.write(unit)

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        rows = await self._database.read(sql, params)
        self.has_read.set()
        await self.gate.wait()
        return rows

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        return await self._database.read_one(sql, params)

    async def read_all(self, *reads: Read) -> list[list[Row]]:
        return await self._database.read_all(*reads)
