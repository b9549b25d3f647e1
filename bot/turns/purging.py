"""Purging: deletes settled turns in small units."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime

from bot.domain.database import Database
from bot.domain.turns import KeepKeys
from bot.turns import purge_store


async def keep_nothing(_keys: Sequence[str]) -> Collection[str]:
    """For purges that need to keep no keys."""
    return ()


async def no_pause() -> None:
    """For purges that need no pause."""


async def purge(
    database: Database,
    before: datetime,
    keep: KeepKeys = keep_nothing,
    pause: Callable[[], Awaitable[None]] = no_pause,
) -> int:
    """See `domain.turns.TurnEngine.purge`."""
    count, last = 0, None
    while found := await purge_store.read_settled(database, before, last):
        last = found[-1]
        kept = await keep([one.key for one in found])
        turns = [one.id for one in found if one.key not in kept]
        if turns:
            await database.write(purge_store.purge(turns))
            count += len(turns)
        if len(found) == purge_store.PURGED_AT_ONCE:
            await pause()
    return count
