"""A database on a server, which several processes of a home can share."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from bot.domain.database import Database, OpenDatabase, Read, Unit, Write
from bot.domain.health import Check
from bot.domain.processes import Locks, Notices

TAKEN_FOR_DEAD = "other processes took this one for dead, because it was silent"
"""Why a process gives up its jobs."""
Told: TypeAlias = Callable[[str], None]
"""Called with a sentence about progress."""


class SharedDatabase(OpenDatabase, Protocol):
    """The database of one home, which other processes may have open, too."""

    @property
    def locks(self) -> Locks:
        """The locks of this process."""
        ...


class ServerLocks(Locks, Protocol):
    """Locks over a connection of their own."""

    @property
    def again_at(self) -> float:
        """The event loop's time at which the last connection replaced a broken one.

        Others may need some seconds to take their locks again, too.
        """
        ...

    async def close(self) -> None:
        """Free all of them."""
        ...


@dataclass(frozen=True)
class WorkerCallbacks:
    """What the worker of a process calls."""

    work: Callable[[str], Awaitable[None]]
    """The job of a session. It ends when nothing is left to do now."""
    registered: Callable[[int], Awaitable[None]]
    """Awaited with the worker's number before the first job is fetched."""
    channels: Mapping[str, Callable[[str], None]]
    """For `session`, `due` and `schedules`: called with the text of each notice of the database,
    and all of them with "" when some may have been missed."""


class JobWorker(Protocol):
    """Runs the jobs of one process. No two processes have a job of the same session at a time."""

    async def run(self) -> None:
        """Work until `stop` is called and the last job has ended. Raises what ends the worker."""
        ...

    def stop(self) -> None:
        """Fetch no more jobs."""
        ...

    def hurry(self) -> None:
        """Stop waiting for a server that is unreachable."""
        ...


class SessionJobs(Protocol):
    """Jobs that say to work on one session. The journal says what there is to do.

    The database makes a job itself, in the transaction that stores work for a session.
    """

    def worker(self, callbacks: WorkerCallbacks, *, most: int) -> JobWorker:
        """The worker of this process, with up to `most` jobs at a time."""
        ...

    def wake(self, session: str) -> Write:
        """Make the job of a session, unless one waits already."""
        ...

    def wake_each(self, sessions: Read, *, idle: bool = False) -> Write:
        """Wake each `session` that is found; with `idle` only those without a job."""
        ...

    async def workers(self, database: Database) -> dict[int, float]:
        """The registered workers, and the seconds since each was last heard of."""
        ...

    async def sessions_of(self, database: Database, worker: int) -> set[str]:
        """The sessions whose job a worker has."""
        ...

    def bury(self, worker: int) -> Unit:
        """End a dead worker and its jobs, and wake their sessions."""
        ...

    def drop(self, worker: int, session: str) -> Unit:
        """End the job of a session that nobody works on, and wake the session."""
        ...


@dataclass(frozen=True)
class AppliedMigrations:
    """The migrations of a database and of this program: number and digest of each."""

    applied: Mapping[int, str]
    shipped: Mapping[int, str]
    version: str
    """The version of the server."""


@dataclass(frozen=True)
class WorkingProcess:
    """A process that works on a database."""

    name: str
    """Process id and host, such as `812@turns-1`."""
    version: str
    connections: int

    def __str__(self) -> str:
        return f"{self.name} ({self.version})"


@dataclass(frozen=True)
class ServerCondition:
    """The state of a server that an operator may want to change."""

    checks: tuple[Check, ...]
    """What the engine itself finds, such as too few connections."""
    home_id: str
    """The id of the home that the database belongs to, or ""."""
    processes: tuple[WorkingProcess, ...]
    runners: int
    """Processes that run turns, and were heard of in the last 20 seconds."""
    waiting_sessions: int
    """Sessions with work that no process has begun."""
    stalled_sessions: int
    """Sessions of a process that sends no heartbeat."""


@dataclass(frozen=True)
class Contents:
    """The number of rows of a table, and the sum of their hashes, whatever their order."""

    rows: int
    digest: str


@dataclass(frozen=True)
class Moved:
    """The copied and compared contents."""

    tables: Mapping[str, Contents]
    left: tuple[str, ...]
    """Tables that were not copied: damaged logs that were set aside."""


class DatabaseServer(Protocol):
    """Where a database is. What reaches the server raises StorageError; coroutines don't block."""

    @property
    def name(self) -> str:
        """What people read: the address without the password."""
        ...

    async def open(self, *, read_only: bool = False) -> SharedDatabase:
        """Connect to it. Its tables are made or brought up to date, unless `read_only`.

        Raises HomeInUse while a home is copied there or set aside.
        """
        ...

    # --- for processes that share it ---

    def notices(self) -> Notices:
        """What carries texts between the processes; nothing is connected yet."""
        ...

    def locks(self) -> ServerLocks:
        """Locks that do not end with the database; nothing is connected yet."""
        ...

    @property
    def jobs(self) -> SessionJobs:
        """The jobs of the turn engine."""
        ...

    # --- for operators; these block ---

    def look(self) -> AppliedMigrations:
        """Read the applied migrations."""
        ...

    def condition(self) -> ServerCondition:
        """Ask a server whose tables are complete."""
        ...

    def copy_out(self, path: Path) -> None:
        """Copy one state of the database into a SQLite file that has all tables, and no rows.

        Others may write meanwhile. Raises StorageError also when the database is of another
        version, or when the copy differs; and sqlite3.Error when the file can't be written.
        """
        ...

    def move(
        self, source: Path, told: Told = lambda _: None, last: Callable[[], None] = lambda: None
    ) -> Moved:
        """Copy a SQLite file into an empty database, or continue an interrupted copy.

        The file is only read, in one transaction. `last` is called when everything is copied,
        before the database can be used. Raises HomeInUse when somebody works on the database, and
        StorageError also when it holds another home, or when a copy differs.
        """
        ...

    def set_aside(self, name: str) -> bool:
        """Keep what the database holds under another name; returns whether it held a home.

        An interrupted copy is kept, because it can continue. Raises HomeInUse when somebody works
        on the database.
        """
        ...
