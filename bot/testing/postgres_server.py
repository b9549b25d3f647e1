"""A real PostgreSQL server for tests, on a socket in its own folder.

`fsync` is off, because no test cuts the power; so it starts in about a second.
"""

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, closing, contextmanager
from itertools import count
from pathlib import Path

from bot.plugins.postgresql.connecting import Server, set_up
from bot.plugins.postgresql.database import PostgresDatabase
from bot.plugins.postgresql.fitness import connected
from bot.plugins.postgresql.preparing import prepare
from bot.plugins.postgresql.schema import of_plugin
from bot.testing.bare_machine import is_bare
from bot.testing.own_tables import own_tables

_USER = "bellhop"
_TEMPLATE = "prepared"
_GUARDED = "guarded"
"""The role whose members need their password; everybody else connects without one."""
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
        AND c.relname NOT IN ('at_first', 'migrations', 'plugin_migrations')
    LOOP
        IF one.stays THEN
            EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s)', one.name) INTO filled;
            IF filled THEN EXECUTE format('DELETE FROM %s', one.name); END IF;
        ELSE
            EXECUTE format('DROP TABLE %s', one.name);
        END IF;
    END LOOP;
    DELETE FROM bellhop.plugin_migrations WHERE applied_at <> '';
    DELETE FROM bellhop_jobs.procrastinate_jobs;
    DELETE FROM bellhop_jobs.procrastinate_events;
    DELETE FROM bellhop_jobs.procrastinate_workers;
    PERFORM setval(format('bellhop.%I', sequencename), 1, false) FROM pg_sequences
        WHERE last_value IS NOT NULL AND schemaname = 'bellhop';
END
$$
"""


def postgres_programs() -> Path | None:
    """Return the folder of `initdb` and `pg_ctl`, of the newest version installed."""
    if is_bare():
        return None
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    packaged = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    return packaged[-1].parent if packaged else None


class PostgresServer:
    """One server in `folder`; `stop` and `start` act as an operator does."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.folder = folder
        self._programs = programs
        self._numbers = count(1)
        self._free: list[str] = []
        self._data = folder / "data"

    def make(self) -> None:
        """Create its files, start it, and migrate the database that others are copied from."""
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
        with closing(connected(Server.at(self.url(_TEMPLATE)))) as connection:
            set_up(connection)
            for write in own_tables():
                sql = write.sql.replace("?", "%s") if write.params else of_plugin(write.sql)
                connection.execute(sql.encode(), write.params or None)
        self.run_sql(_TEMPLATE, _EMPTIED)

    def start(self) -> None:
        log = self.folder / "server.log"
        self._run("pg_ctl", "-D", str(self._data), "-l", str(log), "-s", "-w", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it at once: this cuts connections and loses uncommitted transactions."""
        self._run("pg_ctl", "-D", str(self._data), "-s", "-m", mode, "-w", "stop")

    def database(self, *, prepared: bool = True, encoding: str = "UTF8") -> str:
        """Create a database, with all tables unless `prepared` is false; return its name."""
        name = f"d{next(self._numbers)}"
        template = _TEMPLATE if prepared else f"template0 ENCODING '{encoding}'"
        self.run_sql("postgres", f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[PostgresDatabase]:
        """Open a fresh database; it is emptied and reused for the next caller, which is faster."""
        name = await asyncio.to_thread(self.take)
        database = PostgresDatabase(Server.at(self.url(name)))
        await database.open()
        try:
            yield database
        finally:
            await database.close()
            self.give_back(name)

    def add_user(self, name: str, password: str) -> None:
        """Add a user without any rights, who must give the password."""
        self.run_sql("postgres", f"CREATE ROLE {name} LOGIN PASSWORD '{password}'")
        self.run_sql("postgres", f"GRANT {_GUARDED} TO {name}")

    def take(self) -> str:
        """Return the name of an empty database with all tables: one given back, or a new one."""
        if not self._free:
            return self.database()
        name = self._free.pop()
        self.empty(name)
        return name

    def give_back(self, name: str) -> None:
        """Give a database back for the next test. Nothing may be connected to it any more."""
        self._free.append(name)

    def empty(self, name: str) -> None:
        """Reset a database to its first state; tables that tests made are dropped."""
        # Hundreds of tests need it, so no program is started for it.
        with closing(connected(Server.at(self.url(name)))) as connection:
            connection.execute("SELECT bellhop.emptied()")

    def url(self, database: str) -> str:
        return f"postgresql://{_USER}@/{database}?host={self.folder}"

    def run_sql(self, database: str, sql: str) -> str:
        """Run a statement; return its rows, with columns separated by `|`."""
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
        done = subprocess.run(  # noqa: S603 - our own arguments
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
    """Run a server; None where PostgreSQL is not installed."""
    programs = postgres_programs()
    if programs is None:
        yield None
        return
    # A socket's path may have about 100 characters, and the server's user must be able to reach it.
    folder = Path(tempfile.mkdtemp(prefix="bellhop-pg-", dir="/tmp"))
    server = PostgresServer(programs, folder)
    try:
        server.make()
        yield server
        server.stop("immediate")  # nobody reads its files again
    finally:
        shutil.rmtree(folder, ignore_errors=True)
