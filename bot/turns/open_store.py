"""The SQL of accepted work that is not settled, for a list of it."""

from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.turns.refs import make_ref
from bot.turns.store import body_of


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
