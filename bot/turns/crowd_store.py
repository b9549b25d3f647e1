"""The SQL of accepted work that has not begun, for notices to people who wait."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.turns.store import body_of


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
