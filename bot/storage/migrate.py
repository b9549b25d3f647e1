"""Numbered SQL migrations, linear and forward only.

Those of SQLite are `migrations/NNNN_<room>_<what>.sqlite.sql`. Those of PostgreSQL lie in
`migrations/postgresql`: the first one makes what all of SQLite's up to its number give, and each
later number is there for both.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal, TypeAlias

from bot.errors import StorageError
from bot.storage.remedies import file_of, remedy_for

Dialect: TypeAlias = Literal["sqlite", "postgresql"]
_NAME = re.compile(r"(\d{4})_[a-z]+_[a-z0-9_]+\.(sqlite|postgresql)\.sql")


@dataclass(frozen=True)
class Migration:
    number: int
    name: str
    sql: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def shipped_migrations(dialect: Dialect = "sqlite") -> tuple[Migration, ...]:
    """All migrations for a database in order.

    Raises StorageError when a file is misnamed or two share a number.
    """
    found: dict[int, Migration] = {}
    folder = resources.files("bot.storage.migrations")
    for entry in (folder if dialect == "sqlite" else folder / dialect).iterdir():
        if not entry.name.endswith(".sql"):
            continue
        match = _NAME.fullmatch(entry.name)
        if match is None or match[2] != dialect:
            raise StorageError(
                f"migration {entry.name} is not named NNNN_<room>_<what>.{dialect}.sql"
            )
        number = int(match[1])
        if number in found:
            raise StorageError(
                f"migrations {found[number].name} and {entry.name} share the number {number:04}"
            )
        found[number] = Migration(number, entry.name, entry.read_text(encoding="utf-8"))
    return tuple(found[number] for number in sorted(found))


def applied_migrations(path: Path) -> dict[int, str]:
    """Number and digest of what was applied to a database file, which is only read.

    Raises sqlite3.Error.
    """
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return dict(connection.execute("SELECT number, digest FROM migrations").fetchall())


def migrate(connection: sqlite3.Connection, migrations: Iterable[Migration]) -> list[str]:
    """Apply what is missing, all or nothing; returns the names applied.

    One transaction, so a migration that fails leaves a database that the version before can go on
    with. Blocking; `open_database` runs it in a thread. Raises StorageError when the database is
    newer than this program or a migration that was applied has changed since.
    """
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migrations"
        " (number INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, applied_at TEXT "
        "NOT NULL)"
    )
    applied = {
        row[0]: (row[1], row[2])
        for row in connection.execute("SELECT number, name, digest FROM migrations")
    }
    missing = missing_migrations(applied, migrations)
    if missing:
        _apply(connection, missing)
    return [migration.name for migration in missing]


def missing_migrations(
    applied: Mapping[int, tuple[str, str]], migrations: Iterable[Migration]
) -> list[Migration]:
    """The migrations to apply to a database with these: name and digest by number.

    Raises StorageError when the database is newer than this program or a migration that was applied
    has changed since.
    """
    known = {migration.number: migration for migration in migrations}
    if newer := sorted(set(applied) - set(known)):
        raise StorageError(
            f"the database has migration {applied[newer[-1]][0]}, which this version of Bellhop "
            "does not know; run the newer version, or restore a backup made with this one"
        )
    missing: list[Migration] = []
    for number in sorted(known):
        migration = known[number]
        if number not in applied:
            missing.append(migration)
        elif applied[number][1] != migration.digest:
            raise StorageError(
                f"migration {migration.name} was changed after it had been applied; restore the "
                "file"
            )
    return missing


def _apply(connection: sqlite3.Connection, migrations: Iterable[Migration]) -> None:
    name = ""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for migration in migrations:
            name = migration.name
            for statement in split_statements(migration.sql):
                connection.execute(statement)
            connection.execute(
                "INSERT INTO migrations VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
                (migration.number, migration.name, migration.digest),
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
