"""The SQL of jobs: each says to work on one session, and one process has it at a time.

`wake_session` is in triggers.sql, which also calls it when the journal stores work. The tables of
procrastinate are those of `preparing.py`.
"""

from bot.plugin.databases import Database, JobWorker, Read, Unit, WorkerCallbacks, Write
from bot.plugins.postgresql.connecting import Server


class ProcrastinateJobs:
    """Implements `domain.database_server.SessionJobs`."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def worker(self, callbacks: WorkerCallbacks, *, most: int) -> JobWorker:
        from bot.plugins.postgresql.job_worker import (  # noqa: PLC0415 - only who runs turns
            ProcrastinateWorker,
        )

        return ProcrastinateWorker(self._server, callbacks, most)

    def wake(self, session: str) -> Write:
        return Write("SELECT wake_session(?)", (session,))

    def wake_each(self, sessions: Read, *, idle: bool = False) -> Write:
        without_job = (
            " WHERE NOT EXISTS (SELECT 1 FROM procrastinate_jobs AS job"
            " WHERE job.lock = found.session AND job.status IN ('todo', 'doing'))"
        )
        return Write(
            f"SELECT wake_session(session) FROM ({sessions.sql}) AS found"  # noqa: S608 - our own
            f"{without_job if idle else ''}",
            sessions.params,
        )

    async def workers(self, database: Database) -> dict[int, float]:
        rows = await database.read(
            "SELECT id, extract(epoch FROM now() - last_heartbeat)::float8 AS silent"
            " FROM procrastinate_workers"
        )
        return {int(row["id"]): float(row["silent"]) for row in rows}

    async def sessions_of(self, database: Database, worker: int) -> set[str]:
        rows = await database.read(
            "SELECT lock FROM procrastinate_jobs WHERE worker_id = ? AND status = 'doing'",
            (worker,),
        )
        return {row["lock"] for row in rows}

    def bury(self, worker: int) -> Unit:
        return Unit.of(
            Write(
                "SELECT wake_session(lock) FROM procrastinate_jobs"
                " WHERE worker_id = ? AND status = 'doing'",
                (worker,),
            ),
            Write(
                "SELECT procrastinate_finish_job_v1(id, 'failed', true) FROM procrastinate_jobs"
                " WHERE worker_id = ? AND status = 'doing'",
                (worker,),
            ),
            Write("SELECT procrastinate_unregister_worker_v1(?)", (worker,)),
        )

    def drop(self, worker: int, session: str) -> Unit:
        return Unit.of(
            self.wake(session),
            Write(
                "SELECT procrastinate_finish_job_v1(id, 'failed', true) FROM procrastinate_jobs"
                " WHERE worker_id = ? AND lock = ? AND status = 'doing'",
                (worker, session),
            ),
        )
