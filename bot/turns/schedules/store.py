"""All SQL of schedules: due times, and the outcome of each tick."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.clock import format_utc, parse_utc, utc_or_none
from bot.domain.database import Database, Write, made_of
from bot.domain.json_types import JsonObject
from bot.storage.inserts import purge_of
from bot.turns.store import to_json

TICKED_AT_ONCE = 100
"""The most schedules that tick in one look at the table; the next look takes the rest."""


@dataclass(frozen=True)
class Schedule:
    """Work to be submitted: repeatedly (`cron`) or once.

    `next_due` None: it will not be submitted again.
    """

    id: int
    session: str
    body: JsonObject
    cron: str | None
    zone: str
    next_due: datetime | None
    paused: bool


def insert(
    session: str, body: JsonObject, cron: str | None, zone: str, next_due: datetime, now: datetime
) -> Write:
    """Returns the id."""
    return Write(
        "INSERT INTO schedules (session, body, cron, zone, next_due, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
        (
            session,
            to_json(body, "the body of a schedule"),
            cron,
            zone,
            format_utc(next_due),
            format_utc(now),
        ),
        rows=1,
    )


def set_once(
    session: str, body: JsonObject, due: datetime, now: datetime, *, keep_body: bool
) -> tuple[Write, Write]:
    """Submit `body` once at `due`.

    A schedule of this session is moved; with `keep_body` its body stays.
    """
    text = to_json(body, "the body of a schedule")
    return (
        Write(
            (
                "UPDATE schedules SET next_due = ?, paused = 0,"
                " body = CASE WHEN ? = 1 THEN body ELSE ? END WHERE session = ?"
            ),
            (format_utc(due), keep_body, text, session),
        ),
        Write(
            "INSERT INTO schedules (session, body, zone, next_due, created_at) SELECT ?, ?, 'UTC', "
            "?, ?"
            " WHERE NOT EXISTS (SELECT 1 FROM schedules WHERE session = ?)",
            (session, text, format_utc(due), format_utc(now), session),
        ),
    )


def arm_once(session: str, body: JsonObject, due: datetime, now: datetime) -> tuple[Write, Write]:
    """Submit `body` once at `due`, unless this session already has a schedule."""
    text = to_json(body, "the body of a schedule")
    return (
        Write(
            (
                "UPDATE schedules SET next_due = ?, paused = 0, body = ? WHERE session = ? AND "
                "next_due IS NULL"
            ),
            (format_utc(due), text, session),
        ),
        Write(
            "INSERT INTO schedules (session, body, zone, next_due, created_at) SELECT ?, ?, 'UTC', "
            "?, ?"
            " WHERE NOT EXISTS (SELECT 1 FROM schedules WHERE session = ?)",
            (session, text, format_utc(due), format_utc(now), session),
        ),
    )


def move_session(session: str, due: datetime) -> Write:
    """Move the schedule of a session to another time; no error when it has none."""
    return Write(
        "UPDATE schedules SET next_due = ?, paused = 0 WHERE session = ?",
        (format_utc(due), session),
    )


def tick_key(schedule: int, due: datetime) -> str:
    return f"schedule:{schedule}:{format_utc(due)}"


def due_of(key: str) -> datetime:
    """The due time of the tick with this key."""
    return parse_utc(key.split(":", 2)[2])


def move_on(schedule: Schedule, next_due: datetime | None) -> Write:
    """Advance a schedule; touches no row if another write moved, paused or removed it."""
    return Write(
        "UPDATE schedules SET next_due = ? WHERE id = ? AND next_due = ? AND paused = 0",
        (_moment(next_due), schedule.id, _moment(schedule.next_due)),
        rows=1,
    )


def accept_tick(schedule: Schedule, key: str, now: datetime) -> Write:
    """Accept the tick's work; no row and no error while an earlier tick of a cron still runs."""
    once = schedule.cron is None
    return Write(
        "INSERT INTO inbox (session, key, body, state, accepted_at) SELECT ?, ?, ?, 'new', ?"
        " WHERE ? = 1 OR NOT EXISTS (SELECT 1 FROM inbox WHERE session = ? AND settled_at IS NULL)"
        " ON CONFLICT (key) DO NOTHING RETURNING id",
        (
            schedule.session,
            key,
            to_json(schedule.body, key),
            format_utc(now),
            int(once),
            schedule.session,
        ),
    )


def claim_tick(schedule: Schedule, due: datetime, key: str, now: datetime) -> Write:
    """The row of a tick; no row if it already ticked at this moment.

    Reads the row that `accept_tick` accepted.
    """
    return Write(
        "INSERT INTO schedule_ticks (schedule, due, turn, state, detail, claimed_at)"
        " SELECT ?, ?, work.id, CASE WHEN work.id IS NULL THEN 'folded' ELSE 'claimed' END,"
        " CASE WHEN work.id IS NULL THEN 'the run before was still at work' ELSE '' END, ?"
        " FROM (SELECT 1) AS one LEFT JOIN inbox AS work ON work.key = ?"
        " WHERE true ON CONFLICT (schedule, due) DO NOTHING",
        (schedule.id, format_utc(due), format_utc(now), key),
        rows=1,
    )


def began(turn: int, now: datetime) -> Write:
    return Write(
        "UPDATE schedule_ticks SET state = 'running', ran_at = coalesce(ran_at, ?) WHERE turn = ?",
        (format_utc(now), turn),
    )


def ended(turn: int, state: str, detail: str, now: datetime, *, posted: bool) -> Write:
    """The outcome of a tick: `done`, `failed`, `stopped` or `skipped`.

    `posted`: its answer is visible.
    """
    at = format_utc(now)
    return Write(
        (
            "UPDATE schedule_ticks SET state = ?, detail = ?, ended_at = ?, posted_at = ? WHERE "
            "turn = ?"
        ),
        (state, detail, at, at if posted else None, turn),
    )


def change(
    schedule: int, cron: str | None, zone: str, next_due: datetime | None, *, paused: bool
) -> Write:
    """Change the due times of a schedule."""
    return Write(
        "UPDATE schedules SET cron = ?, zone = ?, next_due = ?, paused = ? WHERE id = ?",
        (cron, zone, _moment(next_due), int(paused), schedule),
        rows=1,
    )


def pause(schedule: int) -> Write:
    return Write(
        "UPDATE schedules SET paused = 1 WHERE id = ? AND next_due IS NOT NULL RETURNING id",
        (schedule,),
    )


def resume(schedule: int, next_due: datetime) -> Write:
    return Write(
        (
            "UPDATE schedules SET paused = 0, next_due = ? WHERE id = ? AND next_due IS NOT NULL "
            "RETURNING id"
        ),
        (format_utc(next_due), schedule),
    )


def remove(schedule: int) -> Write:
    return Write("DELETE FROM schedules WHERE id = ? RETURNING id", (schedule,))


def remove_session(session: str) -> Write:
    """Remove the schedule of a session; no error when there is none."""
    return Write("DELETE FROM schedules WHERE session = ?", (session,))


purge_ticks = purge_of(
    "schedule_ticks", "schedule, due", "claimed_at", "state NOT IN ('claimed', 'running')"
)
"""Forgets old outcomes of ticks."""


async def read(database: Database, schedule: int) -> Schedule | None:
    row = await database.read_one("SELECT * FROM schedules WHERE id = ?", (schedule,))
    return _schedule(row) if row else None


async def read_of_session(database: Database, session: str) -> Schedule | None:
    row = await database.read_one("SELECT * FROM schedules WHERE session = ?", (session,))
    return _schedule(row) if row else None


async def read_due(database: Database, now: datetime) -> list[Schedule]:
    """Due schedules, the longest overdue first."""
    rows = await database.read(
        "SELECT * FROM schedules WHERE next_due <= ? AND next_due IS NOT NULL AND paused = 0"
        " ORDER BY next_due, id LIMIT ?",
        (format_utc(now), TICKED_AT_ONCE),
    )
    return [_schedule(row) for row in rows]


async def read_repeating(database: Database) -> list[Schedule]:
    rows = await database.read(
        "SELECT * FROM schedules WHERE cron IS NOT NULL AND next_due IS NOT NULL AND paused = 0"
    )
    return [_schedule(row) for row in rows]


async def first_due(database: Database) -> datetime | None:
    row = await database.read_one(
        "SELECT min(next_due) AS due FROM schedules WHERE next_due IS NOT NULL AND paused = 0"
    )
    return parse_utc(row["due"]) if row and row["due"] else None


def _schedule(row: Mapping[str, Any]) -> Schedule:
    return made_of(
        Schedule,
        row,
        body=json.loads(row["body"]),
        next_due=utc_or_none(row["next_due"]),
        paused=bool(row["paused"]),
    )


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else format_utc(moment)
