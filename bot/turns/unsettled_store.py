"""The SQL of unsettled turns: to recover, stop and list them, and for notices to who waits.

See also `bot.turns.store`.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from bot.clock import format_utc, parse_utc, utc_or_none
from bot.domain.database import Database, Row, Unit, Write, made_of, read_number
from bot.domain.json_types import JsonObject
from bot.domain.turns import OpenTurn
from bot.turns.refs import make_ref
from bot.turns.store import body_of

PROVED_NOTHING = -1
"""The trial of a turn that ran beside a command when the process ended: one of the two did it."""


@dataclass(frozen=True)
class UnsettledTurn:
    """An unsettled inbox row, as a starting engine finds it."""

    id: int
    session: str
    state: str
    due: datetime | None
    deaths: int = 0
    trial: int = 0

    @classmethod
    def of(cls, row: Row) -> Self:
        """The turn of a row that has these columns."""
        due = utc_or_none(row["due"])
        return made_of(cls, row, due=due)


@dataclass(frozen=True)
class UnsettledWork:
    """An inbox row that waits (`new`) or was begun."""

    turn: int
    session: str
    body: JsonObject
    state: str


def take_over(owner: str, error: str) -> Unit:
    """Give all claims to `owner`; turns that ran when the last process ended may resume."""
    return Unit.of(
        Write("UPDATE claims SET owner = ?, epoch = epoch + 1", (owner,)),
        Write(
            "UPDATE inbox SET trial = ? WHERE settled_at IS NULL AND state = 'running' AND trial = "
            "1 AND EXISTS"
            " (SELECT 1 FROM inbox AS beside WHERE beside.settled_at IS NULL AND beside.state = "
            "'running'"
            " AND beside.id <> inbox.id)",
            (PROVED_NOTHING,),
        ),
        Write(
            "UPDATE inbox SET state = 'ready', due = NULL, error = ?, deaths = deaths + 1,"
            " trial = CASE trial WHEN 1 THEN 2 ELSE trial END"
            " WHERE settled_at IS NULL AND state = 'running'",
            (error,),
        ),
    )


async def read_open(database: Database) -> list[UnsettledTurn]:
    rows = await database.read(
        "SELECT id, session, state, due, deaths, trial FROM inbox WHERE settled_at IS NULL "
        "ORDER BY id"
    )
    return [UnsettledTurn.of(row) for row in rows]


async def read_begun_turns(database: Database) -> list[OpenTurn]:
    rows = await database.read(
        "SELECT id, session, body FROM inbox WHERE settled_at IS NULL AND state IN ('running', "
        "'ready', 'waiting')"
        " ORDER BY id"
    )
    return [OpenTurn(row["id"], row["session"], body_of(row)) for row in rows]


async def count_runnable(database: Database, now: datetime) -> int:
    """The turns and schedules that a starting process runs at once: what waits for nobody."""
    return await read_number(
        database,
        "SELECT (SELECT count(*) FROM inbox WHERE settled_at IS NULL AND (state IN ('running', "
        "'ready') OR (state = 'new' AND (due IS NULL OR due <= ?1))))"
        " + (SELECT count(*) FROM schedules WHERE paused = 0 AND next_due <= ?1) AS n",
        (format_utc(now),),
    )


def request_stop(session: str, now: datetime, only: Collection[int] | None = None) -> Unit:
    """Stop turns and drop open questions; the second write returns the ids of stopped turns."""
    within = None if only is None else json.dumps(list(only))
    return Unit.of(
        Write(
            "UPDATE questions SET state = 'dropped', closed_at = ?1"
            " WHERE state = 'open' AND turn IN"
            " (SELECT id FROM inbox WHERE session = ?2 AND settled_at IS NULL"
            " AND (?3 IS NULL OR id IN (SELECT CAST(value AS BIGINT) FROM json_each(?3))))",
            (format_utc(now), session, within),
        ),
        Write(
            "UPDATE inbox SET stop = 1, due = NULL, state = CASE state WHEN 'waiting' THEN 'ready' "
            "ELSE state END"
            " WHERE session = ?1 AND settled_at IS NULL"
            " AND state IN ('running', 'ready', 'waiting')"
            " AND (?2 IS NULL OR id IN (SELECT CAST(value AS BIGINT) FROM json_each(?2)))"
            " RETURNING id",
            (session, within),
        ),
    )


async def count_waiting(database: Database, session: str, now: datetime) -> int:
    return await read_number(
        database,
        "SELECT count(*) AS n FROM inbox"
        " WHERE session = ? AND settled_at IS NULL AND state = 'new' AND (due IS NULL OR due <= ?)",
        (session, format_utc(now)),
    )


async def unsettled(database: Database, prefix: str) -> list[UnsettledWork]:
    """In order of acceptance. `prefix` ends in a colon."""
    after = f"{prefix[:-1]};"  # the character after the colon
    rows = await database.read(
        "SELECT * FROM inbox WHERE settled_at IS NULL AND key >= ? AND key < ? ORDER BY id",
        (prefix, after),
    )
    found = (UnsettledWork(row["id"], row["session"], body_of(row), row["state"]) for row in rows)
    return [work for work in found if work.body]


@dataclass(frozen=True)
class ListedTurn:
    """Accepted work; `state` as in `TurnRecord`."""

    ref: str
    session: str
    body: JsonObject
    state: str
    since: datetime
    """When it was accepted."""


async def read_unsettled(database: Database, now: datetime, limit: int) -> list[ListedTurn]:
    """What runs, waits for a person, or is due and in the queue; oldest first."""
    rows = await database.read(
        "SELECT id, session, body, state, accepted_at FROM inbox WHERE settled_at IS NULL"
        " AND (state <> 'new' OR due IS NULL OR due <= ?) ORDER BY id LIMIT ?",
        (format_utc(now), limit),
    )
    return [
        ListedTurn(
            make_ref("t", int(row["id"])),
            row["session"],
            body_of(row),
            row["state"],
            parse_utc(row["accepted_at"]),
        )
        for row in rows
    ]


@dataclass(frozen=True)
class DelayedTurn:
    """A turn that makes no progress, and since when."""

    id: int
    session: str
    body: JsonObject
    since: datetime


async def read_unbegun(
    database: Database, before: datetime, now: datetime
) -> list[tuple[int, str]]:
    """Ids and sessions of due work accepted before a moment and not begun; oldest first."""
    rows = await database.read(
        "SELECT id, session FROM inbox WHERE settled_at IS NULL AND state = 'new' AND accepted_at "
        "<= ?"
        " AND (due IS NULL OR due <= ?) ORDER BY id LIMIT 10000",
        (format_utc(before), format_utc(now)),
    )
    return [(int(row["id"]), str(row["session"])) for row in rows]


async def read_waiting_turns(database: Database, turns: Sequence[int]) -> list[DelayedTurn]:
    rows = await database.read(
        "SELECT id, session, body, accepted_at FROM inbox WHERE state = 'new'"
        " AND id IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) ORDER BY id",
        (json.dumps(list(turns)),),
    )
    return [
        DelayedTurn(int(row["id"]), row["session"], body_of(row), parse_utc(row["accepted_at"]))
        for row in rows
    ]
