"""The turn engine of one process among several: it runs the sessions whose jobs run here.

The journal says what there is to do. A job says only "work on this session", and one process has
it at a time. Within its process, this engine works like `TurnEngine`.

Dead processes are found by their neighbours. The server keeps the list of workers and their
heartbeats. Each worker also holds a lock with its name. When a process dies, the server frees its
lock at once. A frozen process keeps its lock, so missing heartbeats reveal it.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Unpack

from bot.clock import parse_utc
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.database_server import TAKEN_FOR_DEAD, DatabaseServer, JobWorker, WorkerCallbacks
from bot.errors import ClaimLost, StorageError
from bot.turns.agenda import DueTurn
from bot.turns.attempt import PROCESS_ENDED, Attempt
from bot.turns.engine import EngineOptions, TurnEngine
from bot.turns.standing import store
from bot.turns.standing.store import OpenRows
from bot.turns.store import Begun
from bot.turns.tasks import LEAVE_S
from bot.turns.unsettled_store import UnsettledTurn

log = logging.getLogger(__name__)


@dataclass
class _Held:
    """A session whose job runs in this process."""

    let_go: asyncio.Future[None]
    """Done when another process may take the session."""
    loaded: bool = False
    """Whether the agenda knows the open rows of the session."""
    reading: bool = False
    changes: int = 0
    """Counts changes by this process; rows that were read before a change are out of date."""
    more: bool = False
    unfinished: bool = False
    """Whether the session was let go with work left."""


class StandingEngine(TurnEngine):
    """The engine of processes that share a database on a server.

    `server` is where the database is. `options` are those of `TurnEngine`.
    """

    _begins_on_acceptance = False

    def __init__(
        self,
        database: Database,
        clock: Clock,
        server: DatabaseServer,
        **options: Unpack[EngineOptions],
    ) -> None:
        super().__init__(database, clock, owner="", **options)
        self._jobs = server.jobs
        self._held: dict[str, _Held] = {}
        self._neighbours = Neighbours(database, clock, server, self._held)
        self._ready = asyncio.Event()
        """Set when turns may run."""
        self._worker: JobWorker | None = None
        self._background: list[asyncio.Task[None]] = []
        self._due: datetime | None = None
        """When the next work is due, in any session."""

    # --- questions about sessions of other processes ---

    async def under_way(self, session: str) -> bool:
        return session in self._attempts or await store.is_running(self._database, session)

    @property
    def busy(self) -> bool:
        return bool(self._attempts or self._held)

    def _may_be_asked(self, conversation: str, person: str) -> bool:
        return True

    def _works_on(self, session: str) -> bool:
        held = self._held.get(session)
        return held is not None and held.loaded

    # --- starting ---

    async def _take_over(self) -> Sequence[UnsettledTurn]:
        self._ready.clear()
        callbacks = WorkerCallbacks(
            work=self._work_session,
            registered=self._neighbours.join,
            channels={
                "session": self._session_changed,
                "due": self._due_changed,
                "schedules": lambda _: self.rescheduled(),
            },
        )
        self._worker = self._jobs.worker(callbacks, most=self._limits.begun)
        working = asyncio.create_task(self._watched(self._worker.run), name="jobs")
        self._background = [working]
        await asyncio.wait(
            {working, self._neighbours.joined()}, return_when=asyncio.FIRST_COMPLETED
        )
        if working.done():
            working.result()
            raise ClaimLost("the worker of jobs ended")
        self._owner = self._neighbours.name
        await self._neighbours.look()
        return ()

    def _opened(self, found: Sequence[UnsettledTurn]) -> None:
        super()._opened(found)
        self._ready.set()
        self._background.append(
            asyncio.create_task(self._watched(self._neighbours.watch), name="neighbours")
        )
        self._due_changed("")

    async def _watched(self, work: Callable[[], Any]) -> None:
        try:
            await work()
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self._died(error)
            if not self._ready.is_set():
                raise

    # --- one session ---

    async def _work_session(self, session: str) -> None:
        """Run the job of a session, until it rests or another process has to continue it."""
        while (before := self._held.get(session)) is not None:
            await asyncio.wait([before.let_go])  # its job was taken away, and is still ending
        held = self._held[session] = _Held(asyncio.get_running_loop().create_future())
        try:
            await self._ready.wait()
            await self._read(session, held)
            await held.let_go
            if held.unfinished:
                await self._database.write(Unit.of(self._jobs.wake(session)))
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001 - the engine's `run` raises it
            self._died(error)
        finally:
            if self._held.get(session) is held:
                self._release(session)

    async def _read(self, session: str, held: _Held) -> None:
        """Update the agenda with the stored rows of the session."""
        if held.reading:
            held.changes += 1  # a read in progress is repeated
            return
        held.reading = True
        try:
            while self._held.get(session) is held and self._works is not None:
                changes = held.changes
                rows = await self._rows_of(session, held)
                if self._held.get(session) is not held:
                    return
                self._heed_stops(session, rows)
                if held.changes == changes:
                    self._line_up(session, held, rows)
                    break
        finally:
            held.reading = False
        self._try_suspects()
        self._dispatch()
        self._let_rest(session)

    async def _rows_of(self, session: str, held: _Held) -> OpenRows:
        """Return the open rows of the session; claim it first if it has work and is not loaded."""
        rows = await store.read_session(self._database, session)
        if held.loaded or not rows.turns:
            if rows.owner not in {None, self._owner} and (attempt := self._attempts.get(session)):
                attempt.leave()  # others took this process for dead, and continue the turn
            return rows
        if rows.owner not in {None, self._owner} or any(
            turn.state == "running" for turn in rows.turns
        ):
            written = await self._database.write(
                store.take_session(session, self._owner, PROCESS_ENDED)
            )
            return store.read_taken(written.returned)
        return rows

    def _line_up(self, session: str, held: _Held, rows: OpenRows) -> None:
        busy = self._agenda.is_busy(session)
        self._trials.line_up(
            [
                turn
                for turn in rows.turns
                if turn.state == "new" or (not busy and turn.state in {"ready", "waiting"})
            ]
        )
        held.loaded, held.more = True, rows.more
        self._look_for_answer(session)

    def _heed_stops(self, session: str, rows: OpenRows) -> None:
        attempt = self._attempts.get(session)
        if attempt is not None and attempt.id in rows.stopped:
            attempt.mark_stop()
            attempt.cancel_for_stop()

    def _let_rest(self, session: str) -> None:
        """End the job of a session that has nothing to do now."""
        held = self._held.get(session)
        if held is None or held.reading:
            return
        if self._works is None:
            if session not in self._attempts:
                rests = held.loaded and self._agenda.at_rest(session)
                self._release(session, unfinished=not rests)
        elif not held.loaded or self._trials.has(session):
            return
        elif self._agenda.at_rest(session):
            if held.more:
                held.more = False
                self._tasks.start(partial(self._read, session, held), "session-read")
            else:
                self._release(session)

    def _release(self, session: str, *, unfinished: bool = False) -> None:
        held = self._held.pop(session)
        held.unfinished = unfinished
        self._agenda.forget(session)
        if not held.let_go.done():
            held.let_go.set_result(None)

    # --- changes of a session ---

    def _tell(self, session: str, change: Callable[[], None]) -> None:
        held = self._held.get(session)
        if held is None or self._works is None:
            return
        held.changes += 1
        if held.loaded:
            change()
            self._dispatch()
            self._let_rest(session)

    def _attempt(self, due: DueTurn, *, alone: bool = False) -> Attempt:
        self._held[due.session].changes += 1
        return super()._attempt(due, alone=alone)

    async def _work(self, attempt: Attempt, begun: Begun | None = None) -> None:
        await super()._work(attempt, begun)
        self._let_rest(attempt.session)

    def _ended(self, attempt: Attempt) -> None:
        if (held := self._held.get(attempt.session)) is not None:
            held.changes += 1
        super()._ended(attempt)

    def _session_changed(self, session: str) -> None:
        """Handle work, an answer or a stop that this or another process stored."""
        if self._works is None:
            return
        for name in [session] if session else list(self._held):
            if (held := self._held.get(name)) is not None and held.loaded:
                self._tasks.start(partial(self._read, name, held), "session-read")

    # --- time ---

    def _due_changed(self, moment: str) -> None:
        if self._works is None:
            return
        if not moment:
            self._tasks.start(self._read_due, "next-due")
            return
        self._look_at(parse_utc(moment))

    def _look_at(self, due: datetime | None) -> None:
        """Set the alarm for a look at due work; the look may find that nothing is due any more."""
        if due is not None:
            self._due = due if self._due is None else min(due, self._due)
        self._rearm()

    async def _read_due(self) -> None:
        self._look_at(await store.read_next_due(self._database))

    def _moments(self) -> tuple[datetime | None, ...]:
        return (*super()._moments(), self._due)

    async def _fire(self) -> None:
        await super()._fire()
        if self._due is not None and self._due <= self._clock.now():
            now, self._due = self._clock.now(), None
            await self._database.write(Unit.of(self._jobs.wake_each(store.due(now))))
            self._look_at(await store.read_next_due(self._database, now))

    # --- the end ---

    async def _close(self, patience: float) -> None:
        self._works = None
        if self._worker is not None:
            self._worker.stop()
        self._ready.set()
        for session in set(self._held) - set(self._attempts):
            self._release(session, unfinished=True)
        try:
            await super()._close(patience)
        finally:
            for session in list(self._held):
                self._release(session, unfinished=True)
            leaving = asyncio.create_task(self._leave())
            try:
                await asyncio.shield(leaving)
            except asyncio.CancelledError:
                await leaving  # connections that stay open would look like a living process
                raise

    async def _leave(self) -> None:
        """End the jobs, so that other processes continue the sessions at once."""
        for task in self._background[1:]:
            task.cancel()
        for working in self._background[:1]:
            await asyncio.wait([working], timeout=LEAVE_S)
            if not working.done() and self._worker is not None:
                self._worker.hurry()
                working.cancel()
                await asyncio.wait([working], timeout=LEAVE_S)
        await self._neighbours.leave()
        self._background, self._due = [], None


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
