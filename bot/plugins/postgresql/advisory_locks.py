"""Named locks among the processes of a database. The server frees those of a dead process.

The locks belong to a separate connection, which is open while a lock is held and ends with the
process. Nothing is stored, so nothing is left over.

A frozen process keeps its connection. So the holder of a lock sends a query every second, and the
server knows the time of the last one. A process that waits for the lock of a silent holder ends
the holder's connection. By its own clock, the holder gives up its locks a little earlier.
"""

import asyncio
import hashlib
import logging
from contextlib import suppress
from typing import Any

import psycopg
from psycopg.errors import InsufficientPrivilege

from bot.plugin.databases import StorageError
from bot.plugins.postgresql.connecting import Server, is_lost, reason

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""Seconds between checks of the connection."""
GIVE_UP_S = 5.0
"""Seconds without a connection after which every lock counts as lost: others may have them."""
FROZEN_S = 12.0
"""A holder that is silent for this many seconds counts as frozen; others take its locks."""
SURE_S = 10.0
"""A holder without an answer for this many seconds gives up its locks before others take them."""
_HELD = """
SELECT 1 FROM pg_locks
WHERE locktype = 'advisory' AND granted AND objsubid = 1
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND ((classid::bigint << 32) | objid::bigint) = %s
"""
_END_FROZEN = """
SELECT application_name, silent, CASE WHEN silent > %s THEN pg_terminate_backend(pid) END
FROM (
    SELECT pid, application_name,
        extract(epoch FROM clock_timestamp() - state_change)::float8 AS silent
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND datname = current_database()
    AND ((classid::bigint << 32) | objid::bigint) = %s
) AS holder
"""


class AdvisoryLocks:
    """The locks of one process. `close` frees all of them.

    The connection is opened for the first lock. When it breaks, the locks are taken
    again on a new one. A lock is lost if another process took it meanwhile, or if this process was
    frozen for so long that another may have taken it.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._said_blind = False
        self._connection: psycopg.AsyncConnection[tuple[Any, ...]] | None = None
        self._one_at_a_time = asyncio.Lock()
        self._held: dict[str, asyncio.Event] = {}
        """By name, the event that is set when the lock is lost."""
        self._keeper: asyncio.Task[None] | None = None
        self._connections = 0
        self._is_away = False
        self.again_at = float("-inf")
        """The event loop's time at which the last connection replaced a broken one.

        Others may need some seconds to take their locks again, too.
        """

    @property
    def names(self) -> frozenset[str]:
        """The names of the locks that this process has."""
        return frozenset(self._held)

    async def take(self, name: str) -> bool:
        """Whether this process has the lock now; False when another has it.

        Raises StorageError while the server is unreachable.
        """
        async with self._one_at_a_time:
            if name in self._held:
                return True
            if not await self._taken(name):
                await self._end_frozen(name)
                return False
            self._held[name] = asyncio.Event()
            if self._keeper is None or self._keeper.done():
                self._keeper = asyncio.create_task(self._keep(), name="advisory-locks")
            return True

    async def release(self, name: str) -> None:
        """Free a lock; nothing happens when this process doesn't have it."""
        async with self._one_at_a_time:
            if self._held.pop(name, None) is None or self._connection is None:
                return
            try:
                await self._connection.execute("SELECT pg_advisory_unlock(%s)", (_number(name),))
            except (psycopg.Error, OSError):
                await self._disconnect()  # the server frees it with the connection

    async def held(self, name: str) -> bool:
        """Whether any process has the lock. Raises like `take`."""
        async with self._one_at_a_time:
            return bool(await self._ask(_HELD, (_number(name),)))

    async def lost(self, name: str) -> None:
        """Return when this process has lost a lock that it did not release."""
        if (event := self._held.get(name)) is not None:
            await event.wait()

    async def close(self) -> None:
        if self._keeper is not None:
            self._keeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeper
        self._held.clear()
        await self._disconnect()

    # --- the connection ---

    async def _taken(self, name: str) -> bool:
        return (await self._ask("SELECT pg_try_advisory_lock(%s)", (_number(name),))) == (True,)

    async def _end_frozen(self, name: str) -> None:
        """End the connection that has a lock if its process is frozen."""
        try:
            holder = await self._ask(_END_FROZEN, (FROZEN_S, _number(name)))
        except InsufficientPrivilege:
            self._say_blind()
            return
        if holder is None:
            return
        process, silent, ended = holder
        if silent is None:
            self._say_blind()
        elif ended:
            log.warning(
                "lock=<%s>, process=<%s>, silent=<%.0f s> | stands still; its connection was ended",
                name,
                process,
                silent,
            )

    def _say_blind(self) -> None:
        if not self._said_blind:
            self._said_blind = True
            log.warning(
                "this process can't see or end the connection that has a lock, so it can't take"
                " over from a process that stands still; give all processes the same user in"
                " database.url, and leave track_activities on"
            )

    async def _ask(self, sql: Any, params: tuple[Any, ...] = ()) -> tuple[Any, ...] | None:
        """Return the first row. A broken connection is replaced once."""
        for last in (False, True):
            try:
                connection = await self._connected()
                return await (await connection.execute(sql, params)).fetchone()
            except InsufficientPrivilege:
                raise
            except (psycopg.Error, OSError) as error:
                await self._disconnect()
                if last or not is_lost(error):
                    raise StorageError(f"no connection for locks: {reason(error)}") from error
        return None

    async def _connected(self) -> psycopg.AsyncConnection[tuple[Any, ...]]:
        """The connection, after taking every lock of this process on it."""
        if self._connection is not None:
            return self._connection
        self._connection = await psycopg.AsyncConnection.connect(
            self._server.conninfo, autocommit=True
        )
        self._connections += 1
        if self._connections > 1:
            self.again_at = asyncio.get_running_loop().time()
        for name in list(self._held):
            row = await self._connection.execute(
                "SELECT pg_try_advisory_lock(%s)", (_number(name),)
            )
            if await row.fetchone() != (True,):
                log.warning("lock=<%s> | another process has it now", name)
                self._lose(name)
        return self._connection

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(psycopg.Error, OSError):
                await connection.close()

    def _lose(self, name: str) -> None:
        if (event := self._held.pop(name, None)) is not None:
            event.set()

    async def _lose_all(self) -> None:
        """Tell the users of the locks at once, then free what the server may still hold."""
        for name in list(self._held):
            self._lose(name)
        async with self._one_at_a_time:
            for name in list(self._held):  # taken meanwhile, on the connection that ends now
                self._lose(name)
            await self._disconnect()

    async def _keep(self) -> None:
        """Show signs of life, notice a broken connection, and take the locks again."""
        loop = asyncio.get_running_loop()
        seen = loop.time()
        while self._held:
            await asyncio.sleep(LOOK_S)
            if loop.time() - seen <= SURE_S and not await self._is_there():
                if loop.time() - seen > GIVE_UP_S:
                    await self._lose_all()
                continue
            if (silent := loop.time() - seen) > SURE_S:
                log.warning("seconds=<%.0f> | this process stood still; its locks are lost", silent)
                await self._lose_all()
            seen = loop.time()

    async def _is_there(self) -> bool:
        """Whether the server answers."""
        try:
            async with self._one_at_a_time:
                await self._ask("SELECT 1")
        except StorageError as error:
            if not self._is_away:
                log.warning("error=<%s> | locks may be lost", error)
            self._is_away = True
            return False
        self._is_away = False
        return True


def _number(name: str) -> int:
    """The key of a lock: 64 bits of its name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
