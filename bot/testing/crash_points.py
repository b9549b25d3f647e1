"""In-process crashes at the n-th write, before or after it is stored."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NoReturn, cast

from bot.domain.database import Database, Read, RewritableDatabase, Row, Unit, Write, WriteResult

_TARGET = re.compile(r"\s*(INSERT|UPDATE|DELETE|SELECT)\s+(?:OR \w+\s+)?(?:INTO\s+|FROM\s+)?(\w+)")


class ProcessGone(BaseException):
    """Raised by everything in a process that has ended.

    It is a BaseException, so no recovery code handles it.
    """


class Moment(StrEnum):
    """Whether the process ends before the n-th write is stored, or right after."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True)
class CrashPoint:
    """The write to end at, counted from 1: of all writes, or of those with `name` (see `named`)."""

    write: int
    moment: Moment
    name: str = ""


def named(unit: Unit) -> str:
    """Name a unit by its verbs and tables, and the keys of a turn's steps.

    The same commit has the same name in every life, even if parallel commits come in another order.
    """
    return ", ".join(dict.fromkeys(map(_named, unit.writes)))


def _named(write: Write) -> str:
    found = _TARGET.match(write.sql)
    if found is None:
        return write.sql
    if found[1] == "INSERT" and found[2] == "steps":
        *rows, _session, _owner, _epoch = write.params
        steps = zip(rows[1::4], rows[2::4], strict=True)
        return ", ".join(f"{key} {state}" for key, state in steps)
    return f"{found[1]} {found[2]}".lower()


def crash_points(commits: Sequence[str]) -> Iterator[CrashPoint]:
    """Return every possible crash of a life with these commits; each must happen when tried."""
    seen: Counter[str] = Counter()
    for name in commits:
        seen[name] += 1
        yield from (CrashPoint(seen[name], moment, name) for moment in Moment)


class CrashingDatabase:
    """Wraps a database for one life of a process; without a `point` it only records commits.

    Effects outside the database call `alive` first, so nothing happens after the process ends.
    """

    def __init__(self, database: Database, point: CrashPoint | None = None) -> None:
        self.commits: list[str] = []
        """The names of all writes so far, including the one at which the process ended."""
        self.gone = False
        self._database = database
        self._point = point

    @property
    def writes(self) -> int:
        return len(self.commits)

    def alive(self) -> None:
        """Raise ProcessGone if the process has ended."""
        if self.gone:
            raise ProcessGone

    def end(self) -> NoReturn:
        """End the process now."""
        self.gone = True
        raise ProcessGone

    async def write(self, unit: Unit) -> WriteResult:
        self.alive()
        if not unit.writes:
            return WriteResult(())
        name = named(unit)
        self.commits.append(name)
        if self._point is None or not self._is_here(self._point, name):
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

    def _is_here(self, point: CrashPoint, name: str) -> bool:
        count = self.commits.count(name) if point.name else len(self.commits)
        return point.name in {"", name} and count == point.write

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        self.alive()
        return await self._database.read(sql, params)

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        self.alive()
        return await self._database.read_one(sql, params)

    async def read_all(self, *reads: Read) -> list[list[Row]]:
        self.alive()
        return await self._database.read_all(*reads)

    async def rewrite(self) -> tuple[str, ...]:
        self.alive()
        return await cast("RewritableDatabase", self._database).rewrite()
