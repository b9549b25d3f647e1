"""Runs jobs of procrastinate: each says to work on one session, and one process has it.

procrastinate fetches jobs, holds their locks, listens for new ones, and sends heartbeats. While the
server is unreachable, all of this waits.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, LiteralString, TypeVar

import psycopg
from procrastinate import App, PsycopgConnector
from procrastinate.connector import Notify
from procrastinate.exceptions import ConnectorException
from procrastinate.manager import JobManager
from procrastinate.sql import queries
from procrastinate.worker import Worker
from psycopg import sql
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from bot.plugin.databases import TAKEN_FOR_DEAD, ClaimLost, WorkerCallbacks
from bot.plugins.postgresql.connecting import CHANNEL, Server, is_lost, reason

log = logging.getLogger(__name__)

TASK = "work_session"
"""The name that `wake_session` (in triggers.sql) gives to its jobs."""
HEARTBEAT_S = 2.0
LOOK_S = 0.5
"""Seconds between two looks for jobs without a notification."""
_AGAIN_S = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Seconds before each new try while the server is unreachable; the last one repeats."""
_CONNECTIONS = 3
_NEVER_S = 1e9
_TO_LOOK_AGAIN = '{"type": "job_inserted", "job_id": 0}'
_NO_SUCH_JOB = "P0001"
_NO_SUCH_WORKER = "23503"

_T = TypeVar("_T")


class ProcrastinateWorker:
    """Implements `domain.database_server.JobWorker`, which is made by a `DatabaseServer`."""

    def __init__(self, server: Server, callbacks: WorkerCallbacks, most: int) -> None:
        logging.getLogger("procrastinate").setLevel(logging.WARNING)
        self._pool: AsyncConnectionPool[psycopg.AsyncConnection[TupleRow]] = AsyncConnectionPool(
            server.conninfo,
            configure=_configure,
            min_size=1,
            max_size=_CONNECTIONS,
            open=False,
            name="jobs",
        )
        connector = _PatientConnector(
            server.conninfo, {f"{CHANNEL}{name}": told for name, told in callbacks.channels.items()}
        )
        app = App(connector=connector)
        app.job_manager = _Registry(connector, callbacks.registered)
        app.task(name=TASK)(_job(callbacks.work))
        self._app = app
        self._connector = connector
        self._worker = Worker(
            app,
            name=None,
            concurrency=most,
            delete_jobs="always",
            install_signal_handlers=False,
            # No notification comes for a job that waited for the lock of one that has ended.
            fetch_job_polling_interval=LOOK_S,
            update_heartbeat_interval=HEARTBEAT_S,
            # The engine judges which workers are dead, and recovers their turns.
            stalled_worker_timeout=_NEVER_S,
            abort_job_polling_interval=_NEVER_S,
        )

    async def run(self) -> None:
        await self._pool.open(wait=True, timeout=30)
        try:
            await self._connector.open_async(self._pool)
            await self._worker.run()
        finally:
            self._connector.closing = True
            await self._pool.close()

    def stop(self) -> None:
        self._worker.stop()

    def hurry(self) -> None:
        self._connector.closing = True


def _job(work: Callable[[str], Awaitable[None]]) -> Callable[[str], Awaitable[None]]:
    async def work_session(session: str) -> None:
        await work(session)

    return work_session


async def _configure(connection: psycopg.AsyncConnection[Any]) -> None:
    """Commit without waiting for the disk, because the journal records what is done.

    If the server loses power, a fetched job may be fetched again, and its turn continues in another
    process. A job that had ended may appear as a stray, and is ended again.
    """
    await connection.set_autocommit(True)
    await connection.execute("SET synchronous_commit = off")


class _Registry(JobManager):
    """Reports the number of the worker before it fetches jobs."""

    def __init__(
        self, connector: PsycopgConnector, registered: Callable[[int], Awaitable[None]]
    ) -> None:
        super().__init__(connector)
        self._registered = registered

    async def register_worker(self) -> int:
        number = await super().register_worker()
        await self._registered(number)
        return number


class _PatientConnector(PsycopgConnector):
    """Retries while the server is unreachable, and also listens on our channels."""

    def __init__(self, conninfo: str, channels: Mapping[str, Callable[[str], None]]) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType]
        self._conninfo = conninfo
        self.closing = False
        self._channels = channels

    async def execute_query_async(self, query: LiteralString, **arguments: Any) -> None:
        ask = super().execute_query_async
        try:
            await self._patiently(lambda: ask(query, **arguments))
        except ConnectorException as error:
            if query != queries["finish_job"] or _state(error.__cause__) != _NO_SUCH_JOB:
                raise
            log.info("job=<%s> | was given to another process meanwhile", arguments.get("job_id"))

    async def execute_query_one_async(
        self, query: LiteralString, **arguments: Any
    ) -> dict[str, Any]:
        ask = super().execute_query_one_async
        return await self._patiently(lambda: ask(query, **arguments))

    async def execute_query_all_async(
        self, query: LiteralString, **arguments: Any
    ) -> list[dict[str, Any]]:
        ask = super().execute_query_all_async
        return await self._patiently(lambda: ask(query, **arguments))

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        """Listen for ever; after a cut connection, report that notifications may be missing."""
        jobs = tuple(channels)

        async def listen() -> None:
            async with await psycopg.AsyncConnection[TupleRow].connect(
                self._conninfo, autocommit=True
            ) as connection:
                for channel in (*jobs, *self._channels):
                    await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
                for told in self._channels.values():
                    told("")
                await on_notification(channel=jobs[0], payload=_TO_LOOK_AGAIN)
                async for notice in connection.notifies():
                    if (ours := self._channels.get(notice.channel)) is not None:
                        ours(notice.payload)
                    else:
                        await on_notification(channel=notice.channel, payload=notice.payload)

        await self._patiently(listen)

    async def _patiently(self, attempt: Callable[[], Awaitable[_T]]) -> _T:
        tries = 0
        while True:
            try:
                return await attempt()
            except (ConnectorException, psycopg.Error, OSError) as error:
                cause = error.__cause__ if isinstance(error, ConnectorException) else error
                if _state(cause) == _NO_SUCH_WORKER:
                    raise ClaimLost(TAKEN_FOR_DEAD) from error
                if self.closing or cause is None or not is_lost(cause):
                    raise
                if not tries:
                    log.warning("error=<%s> | no connection for jobs, trying again", reason(cause))
            await asyncio.sleep(_AGAIN_S[min(tries, len(_AGAIN_S) - 1)])
            tries += 1


def _state(error: BaseException | None) -> str | None:
    return error.sqlstate if isinstance(error, psycopg.Error) else None
