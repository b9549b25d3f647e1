"""The SQL that finds and deletes old settled turns."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write

PURGED_AT_ONCE = 20
"""Turns that one unit of a purge deletes, so that running turns never wait behind it."""


@dataclass(frozen=True)
class Settled:
    """A settled inbox row, with its place in the order of deletion."""

    id: int
    key: str
    at: str


async def read_settled(
    database: Database, before: datetime, after: Settled | None
) -> list[Settled]:
    """Some turns settled before a moment, oldest first, after one that was already read."""
    at, last = (after.at, after.id) if after is not None else ("", 0)
    rows = await database.read(
        "SELECT id, key, settled_at FROM inbox WHERE settled_at < ? AND (settled_at, id) > (?, ?)"
        " ORDER BY settled_at, id LIMIT ?",
        (format_utc(before), at, last, PURGED_AT_ONCE),
    )
    return [Settled(row["id"], row["key"], row["settled_at"]) for row in rows]


def purge(turns: Collection[int]) -> Unit:
    """Delete settled turns with their steps and questions."""
    ids = json.dumps(list(turns))
    return Unit.of(
        Write(
            "DELETE FROM steps WHERE turn IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
            (ids,),
        ),
        Write(
            "DELETE FROM questions WHERE turn IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
            (ids,),
        ),
        Write(
            (
                "DELETE FROM inbox WHERE settled_at IS NOT NULL AND id IN"
                " (SELECT CAST(value AS BIGINT) FROM json_each(?))"
            ),
            (ids,),
        ),
    )
