"""Crashes in process: a database whose n-th write never happens, or happens and then the process is gone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NoReturn

from bot.domain.database import Database, Row, Unit, Written


class ProcessGone(BaseException):
    """What everything in a process that is gone runs into. A BaseException, so that no recovery code handles it."""


class Moment(StrEnum):
    """When the process ends: the n-th write is lost, or it is stored and nobody lives to see it."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True)
class CrashPoint:
    """`write` counts from 1."""

    write: int
    moment: Moment


def crash_points(writes: int) -> Iterator[CrashPoint]:
    """Every point at which a run with so many writes can end."""
    for write in range(1, writes + 1):
        yield from (CrashPoint(write, moment) for moment in Moment)


class CrashingDatabase:
    """Wraps a database for one life of a process; `point` None counts the writes and never crashes.

    Effects outside the database call `alive` first, so that nothing happens after the end of the process.
    """

    def __init__(self, database: Database, point: CrashPoint | None = None) -> None:
        self.writes = 0
        self.gone = False
        self._database = database
        self._point = point

    def alive(self) -> None:
        """Raises ProcessGone once the process is gone."""
        if self.gone:
            raise ProcessGone

    def end(self) -> NoReturn:
        """Kill the process now."""
        self.gone = True
        raise ProcessGone

    async def write(self, unit: Unit) -> Written:
        self.alive()
        if not unit:
            return Written(())
        self.writes += 1
        if self._point is None or self.writes != self._point.write:
            written = await self._database.write(unit)
            self.alive()
            return written
        if self._point.moment is Moment.BEFORE:
            self.end()
        try:
            await self._database.write(unit)
        finally:
            self.gone = True
        raise ProcessGone

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        self.alive()
        return await self._database.read(sql, params)

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        self.alive()
        return await self._database.read_one(sql, params)
