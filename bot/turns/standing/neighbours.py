"""Finds dead processes among those that run turns, and gives their work to others.

The server keeps the list of workers and their heartbeats. Each worker also holds a lock with its
name. When a process dies, the server frees its lock at once. A frozen process keeps its lock, so
missing heartbeats reveal it.
"""

import asyncio
import logging
from collections.abc import Collection

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.database_server import TAKEN_FOR_DEAD, DatabaseServer
from bot.errors import ClaimLost, StorageError
from bot.turns.attempt import PROCESS_ENDED
from bot.turns.standing import store

log = logging.getLogger(__name__)

LOOK_S = 0.3
"""Seconds between two looks. A worker without its lock at two looks is dead."""
SILENT_S = 10.0
"""Seconds without a heartbeat after which a worker counts as dead, even if it has its lock."""
GRACE_S = 3.0
"""Seconds after a lost connection in which other workers may still lack their locks, too."""
BREAK_S = 3.0
"""Seconds without a look, after which missing heartbeats prove nothing for a while.

The server was unreachable, or this process was frozen. The others may have lost their connections,
too, and need some seconds until their next heartbeat.
"""
_STRAYS_EVERY = 10
"""Looks between two comparisons of the jobs on record with those that run here."""


class Neighbours:
    """The workers of other processes. `held` are the sessions whose jobs run here."""

    def __init__(
        self, database: Database, clock: Clock, server: DatabaseServer, held: Collection[str]
    ) -> None:
        self._database = database
        self._clock = clock
        self._server = server
        self._jobs = server.jobs
        self._held = held
        self._locks = server.locks()
        self._joined: asyncio.Future[None] | None = None
        self._number = 0
        self._known: set[int] = set()
        self._without_lock: set[int] = set()
        self._strays: set[str] = set()
        self._looks = 0
        self._looked_at: float | None = None
        self._break_ended_at = float("-inf")

    @property
    def name(self) -> str:
        """The name of this process's worker in claims."""
        return store.owner_name(self._number)

    def joined(self) -> asyncio.Future[None]:
        """Done when this process is registered as a worker."""
        if self._joined is None:
            self._joined = asyncio.get_running_loop().create_future()
        return self._joined

    async def join(self, number: int) -> None:
        """Register this process as worker `number`; it may fetch jobs afterwards."""
        self._number = number
        await self._locks.take(self.name)
        if not self.joined().done():
            self.joined().set_result(None)

    async def leave(self) -> None:
        await self._locks.close()
        self._locks = self._server.locks()
        self._joined = None
        self._looked_at = None
        self._known.clear()
        self._without_lock.clear()

    async def watch(self) -> None:
        """Look again and again. Raises ClaimLost when others took this process for dead."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.look()
            except StorageError as error:
                log.warning("error=<%s> | cannot look at the other workers", error)

    async def look(self) -> None:
        """Give the work of dead workers to others. Raises ClaimLost like `watch`."""
        await self._locks.take(self.name)  # again, if this process was frozen
        workers = await self._jobs.workers(self._database)
        now = asyncio.get_running_loop().time()
        if self._looked_at is not None and now - self._looked_at > BREAK_S:
            self._break_ended_at = now
        self._looked_at = now
        if self._number not in workers:
            raise ClaimLost(TAKEN_FOR_DEAD)
        missing = {
            number
            for number in workers.keys() - {self._number}
            if not await self._locks.held(store.owner_name(number))
        }
        if asyncio.get_running_loop().time() - self._locks.again_at < GRACE_S:
            missing.clear()
        dead = missing & self._without_lock
        silent = {number for number, since in workers.items() if since > SILENT_S}
        if now - self._break_ended_at < SILENT_S:
            silent.clear()
        self._without_lock = missing
        for number in (dead | silent) - {self._number}:
            log.warning(
                "worker=<%d>, how=<%s> | its sessions go on in other processes",
                number,
                "dead" if number in dead else "silent",
            )
            await self._database.write(
                store.bury_owner(store.owner_name(number), PROCESS_ENDED) + self._jobs.bury(number)
            )
            del workers[number]
        if workers.keys() != self._known:
            self._known = set(workers)
            await self._clear_up(workers)
        self._looks += 1
        if self._looks % _STRAYS_EVERY == 0:
            await self._drop_strays()

    async def _clear_up(self, workers: Collection[int]) -> None:
        """Bury owners that left turns running, and wake sessions that have no job."""
        living = {store.owner_name(number) for number in workers}
        for owner in await store.read_owners(self._database) - living:
            await self._database.write(store.bury_owner(owner, PROCESS_ENDED))
        await self._database.write(
            Unit.of(self._jobs.wake_each(store.idle(self._clock.now()), idle=True))
        )

    async def _drop_strays(self) -> None:
        """End jobs that are on record for this worker but don't run, because an answer was lost."""
        strays = await self._jobs.sessions_of(self._database, self._number) - set(self._held)
        for session in strays & self._strays:
            log.warning("session=<%s> | its job was lost; it gets another", session)
            await self._database.write(self._jobs.drop(self._number, session))
        self._strays = strays
