"""Finds damage in a database file, and tells damage of the cycle log from any other."""

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

_MOST = 5
"""The most findings in a report; one bad page has hundreds."""
LOG_TABLE = "cycle_events"
"""The table whose loss no turn minds."""
_LOG = re.compile(rf"{LOG_TABLE}(?:_damaged_\d+)?")


@dataclass(frozen=True)
class Damage:
    """The damage of a database; none if `text` is empty."""

    text: str = ""
    log_tables: tuple[str, ...] = ()
    """Damaged tables of the cycle log, including those that were set aside."""
    beyond_log: bool = False
    """Whether anything else is damaged."""
    foreign_keys: tuple[str, ...] = ()
    """Tables with rows that refer to rows that are not there."""


def find_damage(connection: sqlite3.Connection) -> Damage:
    """Run SQLite's own checks, which read the whole file.

    Blocking. Raises sqlite3.Error when it can't be opened.
    """
    found = _check(connection, f"PRAGMA quick_check({_MOST})")
    foreign = (
        tuple(sorted({str(row[0]) for row in connection.execute("PRAGMA foreign_key_check")}))
        if not found
        else ()
    )
    if not found:
        return Damage(foreign_keys=foreign)
    tables = [
        row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    ]
    damaged = [
        str(table) for table in tables if _check(connection, f'PRAGMA quick_check("{table}")')
    ]
    log = tuple(table for table in damaged if _LOG.fullmatch(table))
    names = f" in {', '.join(damaged)}" if damaged else ""
    return Damage(f"{found[0]}{names}", log, beyond_log=log != tuple(damaged) or not damaged)


def look_for_damage(path: Path) -> Damage:
    """`find_damage` in a file, which is only read.

    Blocking. Raises sqlite3.Error when it can't be opened.
    """
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return find_damage(connection)


def _check(connection: sqlite3.Connection, pragma: str) -> list[str]:
    try:
        lines = [str(row[0]) for row in connection.execute(pragma)]
    except sqlite3.DatabaseError as error:  # the check itself met a page that it can't read
        return [str(error)]
    if lines == ["ok"]:
        return []
    told = [line for text in lines for line in text.splitlines() if not line.startswith("***")]
    return told[:_MOST] or lines[:_MOST]


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite met a page that it can't read."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT


def set_aside(connection: sqlite3.Connection, table: str) -> str:
    """Give a damaged table another name and begin an empty one in its place; returns that name.

    Raises sqlite3.Error.

    The table is neither read nor deleted, because either would meet the damage. Its indexes keep
    their names.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        made = connection.execute(
            (
                "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL "
                "ORDER BY type DESC"
            ),
            (table,),
        ).fetchall()
        number = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        aside = f"{table}_damaged_{number}"
        connection.execute(f'ALTER TABLE "{table}" RENAME TO "{aside}"')
        for kind, name, sql in made:
            connection.execute(sql if kind == "table" else sql.replace(name, f"{name}_{number}", 1))
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return aside
