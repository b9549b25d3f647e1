"""A real PostgreSQL server for tests, on a socket in a folder of its own.

It keeps nothing that a power cut could test (`fsync` is off), so it starts in about a second.
"""

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path

from bot.storage.postgresql.connecting import Server
from bot.storage.postgresql.database import PostgresDatabase
from bot.storage.postgresql.preparing import prepare

_USER = "bellhop"
_TEMPLATE = "prepared"
_GUARDED = "guarded"
"""Members of this role need their password; everybody else is let in."""
_TIMEOUT_S = 60
_EMPTIED = """
CREATE TABLE bellhop.at_first AS
    SELECT relname FROM pg_class WHERE relnamespace = 'bellhop'::regnamespace AND relkind = 'r';
CREATE FUNCTION bellhop.emptied() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one RECORD;
    filled BOOLEAN;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR one IN SELECT c.oid::regclass AS name, f.relname IS NOT NULL AS stays
        FROM pg_class AS c LEFT JOIN bellhop.at_first AS f USING (relname)
        WHERE c.relnamespace = 'bellhop'::regnamespace AND c.relkind = 'r'
        AND c.relname NOT IN ('at_first', 'migrations', 'message_words_reached')
    LOOP
        IF one.stays THEN
            EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s)', one.name) INTO filled;
            IF filled THEN EXECUTE format('DELETE FROM %s', one.name); END IF;
        ELSE
            EXECUTE format('DROP TABLE %s', one.name);
        END IF;
    END LOOP;
    DELETE FROM bellhop_jobs.procrastinate_jobs;
    DELETE FROM bellhop_jobs.procrastinate_events;
    DELETE FROM bellhop_jobs.procrastinate_workers;
    UPDATE bellhop.message_words_reached SET message = 0;
    PERFORM setval(format('bellhop.%I', sequencename), 1, false) FROM pg_sequences
        WHERE last_value IS NOT NULL AND schemaname = 'bellhop';
END
$$
"""


def postgres_programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`, the newest version where there are several."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    packaged = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    return packaged[-1].parent if packaged else None


class PostgresServer:
    """One server in `folder`; `stop` and `start` are what an operator does."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.folder = folder
        self._programs = programs
        self._numbers = count(1)
        self._free: list[str] = []
        self._data = folder / "data"

    def make(self) -> None:
        """Make its files, start it, and migrate a database that others are copies of."""
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            user = pwd.getpwnam("nobody")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self._run(
            "initdb",
            "-D",
            str(self._data),
            "-U",
            _USER,
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        )
        settings = [
            "fsync=off",
            "full_page_writes=off",
            "synchronous_commit=off",
            "listen_addresses=''",
            f"unix_socket_directories='{self.folder}'",
            "max_connections=60",
            "shared_buffers=32MB",
            "jit=off",
            "wal_level=minimal",
            "max_wal_senders=0",
            "autovacuum=off",
        ]
        with (self._data / "postgresql.conf").open("a") as file:
            file.write("\n".join(settings))
        access = self._data / "pg_hba.conf"
        access.write_text(f"local all +{_GUARDED} scram-sha-256\n{access.read_text()}")
        self.start()
        self.run_sql("postgres", f"CREATE ROLE {_GUARDED}")
        self.run_sql("postgres", f"CREATE DATABASE {_TEMPLATE}")
        prepare(Server.at(self.url(_TEMPLATE)))
        self.run_sql(_TEMPLATE, _EMPTIED)

    def start(self) -> None:
        log = self.folder / "server.log"
        self._run("pg_ctl", "-D", str(self._data), "-l", str(log), "-s", "-w", "start")

    def stop(self) -> None:
        """End it at once: connections are cut, transactions that aren't stored are lost."""
        self._run("pg_ctl", "-D", str(self._data), "-s", "-m", "fast", "-w", "stop")

    def database(self, *, prepared: bool = True, encoding: str = "UTF8") -> str:
        """The name of a new database, with all tables unless `prepared` is false."""
        name = f"d{next(self._numbers)}"
        template = _TEMPLATE if prepared else f"template0 ENCODING '{encoding}'"
        self.run_sql("postgres", f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[PostgresDatabase]:
        """A database as it was just made; the next one to ask gets it emptied, which is faster."""
        name = await asyncio.to_thread(self.take)
        database = PostgresDatabase(Server.at(self.url(name)))
        await database.open()
        try:
            yield database
        finally:
            await database.close()
            self.give_back(name)

    def add_user(self, name: str, password: str) -> None:
        """A user without any right, who must give the password."""
        self.run_sql("postgres", f"CREATE ROLE {name} LOGIN PASSWORD '{password}'")
        self.run_sql("postgres", f"GRANT {_GUARDED} TO {name}")

    def take(self) -> str:
        """The name of an empty database with all tables: one that was given back, or a new one."""
        if not self._free:
            return self.database()
        name = self._free.pop()
        self.empty(name)
        return name

    def give_back(self, name: str) -> None:
        """Let the next test have it. Nothing may be connected to it any more."""
        self._free.append(name)

    def empty(self, name: str) -> None:
        """Make a database as it was at first; tables of the tests are dropped."""
        self.run_sql(name, "SELECT bellhop.emptied()")

    def url(self, database: str) -> str:
        return f"postgresql://{_USER}@/{database}?host={self.folder}"

    def run_sql(self, database: str, sql: str) -> str:
        """What a statement gives, columns apart by `|`."""
        return self._run(
            "psql",
            "-XqAt",
            "-h",
            str(self.folder),
            "-U",
            _USER,
            "-v",
            "ON_ERROR_STOP=1",
            "-c",
            sql,
            database,
        )

    def _run(self, program: str, *arguments: str) -> str:
        unprivileged = ["setpriv", "--reuid=nobody", "--clear-groups"] if os.geteuid() == 0 else []
        done = subprocess.run(  # noqa: S603 - our own words
            [*unprivileged, str(self._programs / program), *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr.strip() or done.stdout.strip()}")
        return done.stdout.strip()


@contextmanager
def postgres_server() -> Generator[PostgresServer | None]:
    """A running server, or None where PostgreSQL is not installed."""
    programs = postgres_programs()
    if programs is None:
        yield None
        return
    # A path of a socket may have about 100 characters, and its user must be able to reach it.
    folder = Path(tempfile.mkdtemp(prefix="bellhop-pg-", dir="/tmp"))
    server = PostgresServer(programs, folder)
    try:
        server.make()
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
