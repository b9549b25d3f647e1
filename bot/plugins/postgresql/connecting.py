"""Connections to PostgreSQL: their set-up, and their errors in plain words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.abc import AdaptContext
from psycopg.adapt import Loader
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumper

from bot.plugin.databases import SettingsError, StorageError, redact, register_secret
from bot.plugins.postgresql.processes import application_name

SCHEMA = "bellhop"
"""Bellhop has its own schema, so that others can use the same database."""
JOBS_SCHEMA = "bellhop_jobs"
"""Procrastinate has its own schema, because its versions change independently of ours."""
CHANNEL = "bellhop_"
"""The beginning of the names of our channels."""
SEARCHED = f"{SCHEMA}, {JOBS_SCHEMA}, pg_catalog"
"""Our functions come before those of PostgreSQL that have the same name and types."""
_DEFAULTS: Mapping[str, str | int] = {
    "connect_timeout": 5,
    # Notice a dead peer within half a minute.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
_OPTIONS = " ".join(
    f"-c {name}={value}"
    for name, value in {
        "search_path": SEARCHED.replace(" ", ""),
        "synchronous_commit": "on",
        "standard_conforming_strings": "on",
        "client_min_messages": "warning",
        # The transaction of a stalled process must not hold the writers' lock for long.
        "idle_in_transaction_session_timeout": "5s",
    }.items()
)
_LOST = ("08", "57P", "53300", "25006", "25P03", "40001", "40P01", "55P03")
"""SQLSTATEs after which the same work can succeed: the connection or the server was lost, the
server takes no more connections, is a standby, ended the transaction of a frozen process, ended one
of two transactions that collided, or let one wait too long for a lock."""


@dataclass(frozen=True)
class Server:
    """Where a database is. `name` is the address without the password."""

    name: str
    conninfo: str = field(repr=False)

    @classmethod
    def at(cls, url: str) -> "Server":
        """Read a `postgresql://` URL. Raises SettingsError for others, without quoting them."""
        try:
            given = conninfo_to_dict(url)
        except psycopg.ProgrammingError:
            raise SettingsError(
                "database.url is no PostgreSQL URL; write postgresql://USER:PASSWORD@HOST/DATABASE"
                " into .env as DATABASE_URL, and database.url: ${DATABASE_URL}"
            ) from None
        if password := given.get("password"):
            register_secret(str(password))
        options = f"{_OPTIONS} {given.pop('options', '') or ''}".strip()
        place = f"{given.get('host') or 'the local socket'}:{given.get('port') or 5432}"
        return cls(
            f"PostgreSQL database {given.get('dbname') or given.get('user') or ''} at {place}",
            make_conninfo(
                "",
                **{
                    **_DEFAULTS,
                    **given,
                    "options": options,
                    "application_name": application_name(),
                },
            ),
        )


def is_lost(error: BaseException) -> bool:
    """Whether a connection or the server was lost, so that the same work may be done again."""
    if not isinstance(error, psycopg.Error):
        return isinstance(error, OSError)
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return error.sqlstate.startswith(_LOST)


def reason(error: BaseException) -> str:
    """An error in one line, without secrets."""
    said = " ".join(str(error).split()).partition(" Is the server running")[0]
    return redact(said or type(error).__name__)


def refusal(server: Server, error: psycopg.Error) -> StorageError:
    """The error that says why a database can't be opened, with the remedy."""
    text = reason(error)
    match error.sqlstate or _guessed(text):
        case "28P01" | "28000":
            return StorageError(
                f"{server.name} refuses the user or the password of database.url; check both"
            )
        case "3D000":
            return StorageError(f"{server.name} does not exist; make it (createdb)")
        case "42501" if "for database" in text:
            return no_schema(server)
        case "42501":
            return StorageError(
                f"{server.name}: the user of database.url lacks a right ({text}); use the user who"
                f" owns the schema {SCHEMA}"
            )
        case "53300":
            return StorageError(
                f"{server.name} takes no more connections; raise max_connections, or stop other"
                " programs"
            )
        case "08P01":
            return StorageError(
                f"{server.name} is behind a pooler that refuses the connection's options ({text});"
                " connect to PostgreSQL itself, or see docs/scaling.md"
            )
        case "":
            return StorageError(
                f"{server.name} can't be reached: {text}; is the server running, and is"
                " database.url right?"
            )
        case _:
            return StorageError(f"cannot use the {server.name}: {text}")


def no_schema(server: Server) -> StorageError:
    """The error for a user who may not create a schema in an empty database."""
    return StorageError(
        f"{server.name}: the user of database.url may not make a schema; allow it with"
        " GRANT CREATE ON DATABASE"
    )


def _guessed(text: str) -> str:
    """The SQLSTATE of a connection error, which libpq gives only as text."""
    if "password authentication failed" in text or "no password supplied" in text:
        return "28P01"
    if "no pg_hba.conf entry" in text or ("role" in text and "does not exist" in text):
        return "28000"
    if "too many clients" in text or "too many connections" in text or "reserved for" in text:
        return "53300"
    if "unsupported startup parameter" in text:
        return "08P01"
    return "3D000" if "database" in text and "does not exist" in text else ""


class _WholeNumber(Loader):
    """Loads `numeric`, the type of sums: as an int if it is whole, else as a float."""

    def load(self, data: Any) -> int | float:
        text = bytes(data).decode()
        return int(text) if text.lstrip("-").isdigit() else float(text)


class _Truth(Loader):
    """Loads booleans as 0 or 1, as in SQLite."""

    def load(self, data: Any) -> int:
        return int(bytes(data) == b"t")


def set_up(context: AdaptContext) -> None:
    """Make a connection return and accept values like SQLite."""
    adapters = context.adapters
    assert adapters is not None  # noqa: S101 - every connection has them
    adapters.register_dumper(str, StrDumper)
    adapters.register_dumper(int, Int8Dumper)
    adapters.register_loader("numeric", _WholeNumber)
    adapters.register_loader("bool", _Truth)
