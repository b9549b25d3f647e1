"""Purging: deletes old settled turns in small units."""

import json
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write
from bot.domain.turns import KeepKeys

PURGED_AT_ONCE = 20
"""Turns that one unit of a purge deletes, so that running turns never wait behind it."""


@dataclass(frozen=True)
class _Settled:
    """A settled inbox row, with its place in the order of deletion."""

    id: int
    key: str
    at: str


async def _read_settled(
    database: Database, before: datetime, after: _Settled | None
) -> list[_Settled]:
    """Some turns settled before a moment, oldest first, after one that was already read."""
    at, last = (after.at, after.id) if after is not None else ("", 0)
    rows = await database.read(
        "SELECT id, key, settled_at FROM inbox WHERE settled_at < ? AND (settled_at, id) > (?, ?)"
        " ORDER BY settled_at, id LIMIT ?",
        (format_utc(before), at, last, PURGED_AT_ONCE),
    )
    return [_Settled(row["id"], row["key"], row["settled_at"]) for row in rows]


def _delete(turns: Collection[int]) -> Unit:
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


async def _keep_nothing(_keys: Sequence[str]) -> Collection[str]:
    """For purges that need to keep no keys."""
    return ()


async def _no_pause() -> None:
    """For purges that need no pause."""


async def purge(
    database: Database,
    before: datetime,
    keep: KeepKeys = _keep_nothing,
    pause: Callable[[], Awaitable[None]] = _no_pause,
) -> int:
    """Delete turns that were settled before a moment, with their steps; returns their number.

    It deletes in small units, with a `pause` between them, and keeps turns whose keys `keep`
    returns.
    """
    count, last = 0, None
    while found := await _read_settled(database, before, last):
        last = found[-1]
        kept = await keep([one.key for one in found])
        turns = [one.id for one in found if one.key not in kept]
        if turns:
            await database.write(_delete(turns))
            count += len(turns)
        if len(found) == PURGED_AT_ONCE:
            await pause()
    return count
