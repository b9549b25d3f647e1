"""The tables of a home: a schema file for new ones, and numbered migrations for all others.

`schema.sql` makes all tables at once. A change of it is also a migration, linear and forward only:
`migrations/NNNN_<room>_<what>.sql`. Both say it in SQLite's words, and other databases make their
own of them. `NNNN_<room>_<what>.<dialect>.sql` is what only one database does. The first migration
carries over homes of the version before.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from bot.errors import StorageError
from bot.storage.damage import file_of, remedy_for

_NAME = re.compile(r"((\d{4})_[a-z]+_[a-z0-9_]+)(?:\.([a-z]+))?\.sql")
CARRIED_FROM = 89
"""The newest migration of a home that the first migration here can carry over."""
CARRIED_DIGESTS = frozenset(
    {
        "34418adee8ce3770424164d52db637969dc0b9ffbe31ab047acf2af15a2416cf",
        "d911dc12e91919e7f79a6f628afa5c527c6902fc041454927c6d38150c081a0b",
    }
)
"""The digests of that migration for SQLite and for PostgreSQL. The files are gone."""
CARRY_FIRST = (
    "start it once with the Bellhop of 29 November 2026 (commit b3821a70), then with this one"
    " (docs/running.md#upgrading)"
)
"""What an operator does with a home that is older."""


@dataclass(frozen=True)
class Migration:
    number: int
    name: str
    sql: str
    """What every database does, in SQLite's words."""
    own: str = ""
    """What only this database does, in its own words; it comes second."""

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.sql}{self.own}".encode()).hexdigest()


def schema() -> str:
    """The script that makes all tables in an empty database, in SQLite's words."""
    return (resources.files("bot.storage") / "schema.sql").read_text(encoding="utf-8")


def shipped_migrations(
    dialect: str = "sqlite", own: Traversable | None = None
) -> tuple[Migration, ...]:
    """All migrations for a database in order.

    `own` is the folder with what only another database than SQLite does. Raises StorageError when a
    file is misnamed or two share a number.
    """
    stems: dict[int, str] = {}
    texts: dict[tuple[int, str], str] = {}
    shared = resources.files("bot.storage.migrations")
    for entry in (*shared.iterdir(), *(own.iterdir() if own else ())):
        if not entry.name.endswith(".sql"):
            continue
        match = _NAME.fullmatch(entry.name)
        if match is None:
            raise StorageError(f"migration {entry.name} is not named NNNN_<room>_<what>.sql")
        number, stem, only = int(match[2]), match[1], match[3] or ""
        if stems.setdefault(number, stem) != stem:
            raise StorageError(
                f"migrations {stems[number]} and {stem} share the number {number:04}"
            )
        if only in {"", dialect}:
            texts[number, only] = entry.read_text(encoding="utf-8")
    return tuple(
        Migration(
            number,
            f"{stems[number]}.sql" if (number, "") in texts else f"{stems[number]}.{dialect}.sql",
            texts.get((number, ""), ""),
            texts.get((number, dialect), ""),
        )
        for number in sorted({number for number, _ in texts})
    )


def applied_migrations(path: Path) -> dict[int, str]:
    """Number and digest of what was applied to a database file, which is only read.

    Raises sqlite3.Error.
    """
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return dict(connection.execute("SELECT number, digest FROM migrations").fetchall())


def make_tables(connection: sqlite3.Connection) -> None:
    """Make all tables in a database that has none, all or nothing. Blocking.

    Raises StorageError.
    """
    _apply(connection, [Migration(0, "of the schema", schema())], noted=shipped_migrations())


def migrate(connection: sqlite3.Connection, migrations: Iterable[Migration]) -> list[str]:
    """Apply what is missing, all or nothing; returns the names applied.

    One transaction, so a migration that fails leaves a database that the version before can go on
    with. Blocking; `open_database` runs it in a thread. Raises StorageError when the database is
    newer than this program, too old for it, or a migration that was applied has changed since.
    """
    applied = {
        row[0]: (row[1], row[2])
        for row in connection.execute("SELECT number, name, digest FROM migrations")
    }
    missing = missing_migrations(applied, migrations)
    if missing:
        _apply(connection, missing, noted=missing)
    return [migration.name for migration in missing]


def missing_migrations(
    applied: Mapping[int, tuple[str, str]], migrations: Iterable[Migration]
) -> list[Migration]:
    """The migrations to apply to a database with these: name and digest by number.

    Raises StorageError when the database is newer than this program, too old for it, or a migration
    that was applied has changed since.
    """
    known = {migration.number: migration for migration in migrations}
    if newer := newer_than(known, applied):
        raise StorageError(
            f"the database has migration {applied[newer[-1]][0]}, which this version of Bellhop "
            "does not know; run the newer version, or restore a backup made with this one"
        )
    if not is_carriable({number: digest for number, (_, digest) in applied.items()}):
        oldest = applied[max(applied)][0] if applied else "none"
        raise StorageError(
            f"the database is of a Bellhop that is too old for this one (its last migration is"
            f" {oldest}) and is as it was; {CARRY_FIRST}"
        )
    missing: list[Migration] = []
    for number in sorted(known):
        migration = known[number]
        if number not in applied:
            missing.append(migration)
        elif applied[number][1] != migration.digest:
            raise StorageError(
                f"migration {migration.name} was changed after it had been applied; run the "
                "Bellhop that applied it, or restore the file"
            )
    return missing


def newer_than(known: Iterable[int], applied: Iterable[int]) -> list[int]:
    """The numbers of migrations that a later version applied, in order."""
    return sorted(number for number in {*applied} - {*known} if number > CARRIED_FROM)


def is_carriable(applied: Mapping[int, str]) -> bool:
    """Whether a database with these migrations (digest by number) can be brought up to date."""
    if any(number > CARRIED_FROM for number in applied):
        return True
    return applied.get(CARRIED_FROM) in CARRIED_DIGESTS


def _apply(
    connection: sqlite3.Connection, scripts: Iterable[Migration], noted: Iterable[Migration]
) -> None:
    name = ""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for script in scripts:
            name = script.name
            for statement in (*split_statements(script.sql), *split_statements(script.own)):
                connection.execute(statement)
        connection.executemany(
            "INSERT INTO migrations VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
            [(migration.number, migration.name, migration.digest) for migration in noted],
        )
        connection.execute("COMMIT")
    except (sqlite3.Error, StorageError) as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        path = file_of(connection)
        remedy = remedy_for(error, path) if isinstance(error, sqlite3.Error) else ""
        raise StorageError(
            f"migration {name} failed: {error}; the database {path} is as it was"
            f"{f'; {remedy}' if remedy else ''}"
        ) from error


def split_statements(sql: str) -> list[str]:
    """Cut a script into statements (sqlite3's `executescript` would commit behind our back)."""
    statements: list[str] = []
    current = ""
    for line in sql.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current.strip())
            current = ""
    if current.strip() and not all(
        line.strip().startswith("--") for line in current.splitlines() if line.strip()
    ):
        raise StorageError(f"a migration ends in an unfinished statement: {current.strip()[:80]!r}")
    return statements
