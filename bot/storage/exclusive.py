"""Work that one process at a time may do, by name."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Protocol, runtime_checkable
from weakref import WeakValueDictionary

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.processes import Locks
from bot.errors import StorageError

_AGAIN_S = 0.05


@runtime_checkable
class _Shared(Protocol):
    """A database that several processes share."""

    @property
    def locks(self) -> Locks: ...


class Exclusive:
    """Lets one task at a time do a piece of work, over all processes of the database."""

    def __init__(self, clock: Clock, locks: Locks | None = None) -> None:
        """Without `locks` there is one process."""
        self._clock = clock
        self._locks = locks
        self._here: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def held(self, name: str) -> AsyncGenerator[None]:
        """Wait until nobody else does the work of this name, then do it.

        Raises StorageError when the database can't say.
        """
        here = self._here.setdefault(name, asyncio.Lock())
        async with here:
            if self._locks is None:
                yield
                return
            while not await _taken(self._locks, name):
                await self._clock.sleep(_AGAIN_S)
            try:
                yield
            finally:
                await self._locks.release(name)


async def _taken(locks: Locks, name: str) -> bool:
    try:
        return await locks.take(name)
    except Exception as error:  # of a driver that need not be installed
        raise StorageError(f"the database can't lock {name}: {type(error).__name__}") from error


def locks_of(database: Database) -> Locks | None:
    """The locks of a database that several processes share; None for one of this process alone."""
    return database.locks if isinstance(database, _Shared) else None
