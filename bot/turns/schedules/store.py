"""All SQL of schedules."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Write
from bot.domain.json_types import JsonObject
from bot.turns.store import to_json


@dataclass(frozen=True)
class Schedule:
    """Work that will be submitted: again and again (`cron`) or once. `next_due` None: nothing will come any more."""

    id: int
    session: str
    body: JsonObject
    cron: str | None
    zone: str
    next_due: datetime | None
    paused: bool
    created_at: datetime


def insert(session: str, body: JsonObject, cron: str | None, zone: str, next_due: datetime, now: datetime) -> Write:
    """Returns the id."""
    return Write(
        "INSERT INTO schedules (session, body, cron, zone, next_due, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
        (session, to_json(body, "the body of a schedule"), cron, zone, format_utc(next_due), format_utc(now)),
        rows=1,
    )


def move_on(schedule: Schedule, next_due: datetime | None) -> Write:
    """No row when somebody else moved, paused or removed it."""
    return Write(
        "UPDATE schedules SET next_due = ? WHERE id = ? AND next_due = ? AND paused = 0",
        (_moment(next_due), schedule.id, _moment(schedule.next_due)),
        rows=1,
    )


def pause(schedule: int) -> Write:
    return Write("UPDATE schedules SET paused = 1 WHERE id = ? AND next_due IS NOT NULL RETURNING id", (schedule,))


def resume(schedule: int, next_due: datetime) -> Write:
    return Write(
        "UPDATE schedules SET paused = 0, next_due = ? WHERE id = ? AND next_due IS NOT NULL RETURNING id",
        (format_utc(next_due), schedule),
    )


def remove(schedule: int) -> Write:
    return Write("DELETE FROM schedules WHERE id = ? RETURNING id", (schedule,))


async def read_all(database: Database) -> list[Schedule]:
    return [_schedule(row) for row in await database.read("SELECT * FROM schedules ORDER BY next_due, id")]


async def read(database: Database, schedule: int) -> Schedule | None:
    row = await database.read_one("SELECT * FROM schedules WHERE id = ?", (schedule,))
    return _schedule(row) if row else None


def _schedule(row: Mapping[str, Any]) -> Schedule:
    return Schedule(
        id=row["id"],
        session=row["session"],
        body=json.loads(row["body"]),
        cron=row["cron"],
        zone=row["zone"],
        next_due=parse_utc(row["next_due"]) if row["next_due"] else None,
        paused=bool(row["paused"]),
        created_at=parse_utc(row["created_at"]),
    )


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else format_utc(moment)
