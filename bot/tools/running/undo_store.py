"""The table undoable: changes of tools that their person can take back."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Row, Unit, Write, made_of
from bot.domain.privacy import Learned
from bot.domain.tool_outcomes import Undoable
from bot.storage.inserts import purge_of

KEPT = timedelta(hours=1)
LISTED = 50

_INSERT = (
    "INSERT INTO undoable (person, reach, channel, turn, noun, done, name, back, told, at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_NEWEST = (
    "SELECT * FROM undoable WHERE person = ? AND at > ? AND undone_at IS NULL ORDER BY id DESC"
    " LIMIT ?"
)


@dataclass(frozen=True)
class Change:
    """A stored change."""

    id: int
    person: str
    learned: Learned
    noun: str
    done: str
    name: str
    back: Unit
    at: datetime
    undone: bool


@dataclass(frozen=True)
class Changed:
    """Whose change it is, where and in which turn it was made."""

    person: str
    learned: Learned
    turn: int
    at: datetime
    told: bool
    """Whether the answer tells it: text from outside was there."""


class UndoableRows:
    """Reads one person's changes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self, person: str, now: datetime) -> list[Change]:
        """Those that can still be taken back, the newest first."""
        rows = await self._database.read(_NEWEST, (person, format_utc(now - KEPT), LISTED))
        return [_change(row) for row in rows]

    async def find(self, person: str, id_: int, now: datetime) -> Change | None:
        """One of them, also if it was taken back already."""
        sql = "SELECT * FROM undoable WHERE person = ? AND id = ? AND at > ?"
        row = await self._database.read_one(sql, (person, id_, format_utc(now - KEPT)))
        return _change(row) if row else None

    async def told_in(self, turn: int) -> list[tuple[str, str, int]]:
        """(noun, done, how many) of a turn's changes that its answer tells."""
        sql = (
            "SELECT noun, done, count(*) AS n, min(id) AS first FROM undoable"
            " WHERE turn = ? AND told = 1 AND undone_at IS NULL GROUP BY noun, done ORDER BY first"
        )
        rows = await self._database.read(sql, (turn,))
        return [(str(row["noun"]), str(row["done"]), int(row["n"])) for row in rows]


def record(changes: Sequence[Undoable], about: Changed) -> Unit:
    """Record changes beside their writes, and forget the person's expired ones."""
    if not changes:
        return Unit()
    where = (about.person, about.learned.reach, about.learned.channel, about.turn)
    at = format_utc(about.at)
    writes = [
        Write(
            _INSERT,
            (*where, one.noun, one.done, one.name, _dump(one.back), int(about.told), at),
            rows=1,
        )
        for one in changes
    ]
    expired = Write(
        "DELETE FROM undoable WHERE person = ? AND at <= ?",
        (about.person, format_utc(about.at - KEPT)),
    )
    return Unit.of(*writes, expired)


def undo(change: Change, now: datetime) -> Unit:
    """Take a change back, once; rejected if it was, or if the thing was changed since."""
    marked = Write(
        "UPDATE undoable SET undone_at = ? WHERE id = ? AND undone_at IS NULL",
        (format_utc(now), change.id),
        rows=1,
    )
    return Unit.of(marked) + change.back


purge_undoable = purge_of("undoable", "id", "at")


def _change(row: Row) -> Change:
    return made_of(
        Change,
        row,
        learned=Learned.of(row),
        back=_load(row["back"]),
        at=parse_utc(row["at"]),
        undone=row["undone_at"] is not None,
    )


def _dump(unit: Unit) -> str:
    return json.dumps([[one.sql, list(one.params), one.rows] for one in unit.writes])


def _load(text: str) -> Unit:
    writes: list[tuple[str, list[Any], int | None]] = json.loads(text)
    return Unit(tuple(Write(sql, tuple(params), rows) for sql, params, rows in writes))
