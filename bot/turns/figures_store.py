"""The SQL of figures about turns, for a monitor: no texts, no people."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database

AT_ONCE = 1_000


@dataclass(frozen=True)
class SettledTurn:
    """A turn that is over, answered or given up."""

    id: int
    failed: bool
    settled_at: datetime
    seconds: float | None
    """From when it could begin until it was over; None: it waited for a person's answer."""


async def settled_since(database: Database, since: datetime) -> Sequence[SettledTurn]:
    """Those that were settled at or after a moment, oldest first; at most `AT_ONCE`."""
    rows = await database.read(
        "SELECT id, state, accepted_at, due, settled_at,"
        " EXISTS (SELECT 1 FROM questions WHERE questions.turn = inbox.id) AS asked"
        " FROM inbox WHERE settled_at >= ? AND state IN ('done', 'failed')"
        " ORDER BY settled_at, id LIMIT ?",
        (format_utc(since), AT_ONCE),
    )
    turns: list[SettledTurn] = []
    for row in rows:
        settled = parse_utc(row["settled_at"])
        begins = max(parse_utc(row["accepted_at"]), parse_utc(row["due"] or row["accepted_at"]))
        seconds = None if row["asked"] else max((settled - begins).total_seconds(), 0.0)
        turns.append(SettledTurn(int(row["id"]), row["state"] == "failed", settled, seconds))
    return turns


async def oldest_waiting(database: Database, now: datetime) -> datetime | None:
    """Since when the oldest queued turn could have begun."""
    at = format_utc(now)
    row = await database.read_one(
        "SELECT MIN(CASE WHEN due > accepted_at THEN due ELSE accepted_at END) AS since FROM inbox"
        " WHERE settled_at IS NULL AND state = 'new' AND (due IS NULL OR due <= ?)",
        (at,),
    )
    return parse_utc(row["since"]) if row and row["since"] else None
