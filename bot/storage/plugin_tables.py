"""Tables of plug-ins: numbered files of each, for either engine, applied in order and once."""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.domain.database import Database, Unit, Write
from bot.domain.person_tables import PersonTable
from bot.errors import StorageError
from bot.regular_file import not_utf8, read_text_file
from bot.storage.migrate import split_statements

_FILE = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")
_MAKES = re.compile(
    r"^\s*(?:CREATE(?:\s+(?:UNIQUE|VIRTUAL))?\s+(?:TABLE|INDEX)(?:\s+IF\s+NOT\s+EXISTS)?"
    r"|ALTER\s+TABLE|DROP\s+(?:TABLE|INDEX)(?:\s+IF\s+EXISTS)?)\s+\"?(\w+)",
    re.IGNORECASE,
)


PLUGIN_TEXTS = "SELECT statements FROM plugin_migrations ORDER BY plugin, number"


def plugin_statements(rows: Iterable[Sequence[Any]]) -> list[str]:
    """The statements that made all tables of plug-ins, from the rows of PLUGIN_TEXTS."""
    return [statement for row in rows for statement in json.loads(row[0])]


async def plugins_off(database: Database, on: Collection[str]) -> tuple[str, ...]:
    """The plug-ins that made tables here and are not `on`: nobody says whose their rows are."""
    rows = await database.read("SELECT DISTINCT plugin FROM plugin_migrations ORDER BY plugin")
    return tuple(row["plugin"] for row in rows if row["plugin"] not in on)


@dataclass(frozen=True)
class TableFile:
    """One file `NNNN_<what>.sql`."""

    number: int
    name: str
    statements: tuple[str, ...]

    @property
    def digest(self) -> str:
        return hashlib.sha256("\n".join(self.statements).encode()).hexdigest()


def table_files(plugin: str, folder: Path) -> list[TableFile]:
    """The files in a folder, which may be missing.

    Raises StorageError for a misnamed file, a number that is there twice, and tables of others.
    """
    found: dict[int, TableFile] = {}
    for path in sorted(folder.glob("*.sql")) if folder.is_dir() else ():
        named = _FILE.fullmatch(path.name)
        if named is None:
            raise StorageError(f"{path}: is not named NNNN_<what>.sql")
        number, statements = int(named[1]), split_statements(_text(path))
        if number in found:
            raise StorageError(f"{path}: {found[number].name} has this number, too")
        for statement in map(_bare, statements):
            makes = _MAKES.match(statement)
            if makes is None or not makes[1].startswith(f"{plugin}_"):
                raise StorageError(
                    f"{path}: each statement must make, change or drop a table or index whose name "
                    f"begins with {plugin}_; this one doesn't: {' '.join(statement.split())[:80]}"
                )
        found[number] = TableFile(number, path.name, tuple(statements))
    return [found[number] for number in sorted(found)]


def _text(path: Path) -> str:
    try:
        return read_text_file(path)
    except UnicodeDecodeError as error:
        raise StorageError(not_utf8(path, error)) from error
    except OSError as error:
        raise StorageError(
            f"{path}: cannot be read ({error.strerror}); install its package again"
        ) from error


def _bare(statement: str) -> str:
    """The statement without its lines of comment."""
    lines = statement.splitlines()
    return "\n".join(line for line in lines if not line.strip().startswith("--"))


async def apply_table_files(
    database: Database, plugin: str, files: Sequence[TableFile], now: str, *, read_only: bool
) -> None:
    """Apply what is missing, each file as one unit.

    Raises StorageError as `missing_files`, with `read_only` when one is missing, and for one that
    can't be applied.
    """
    for file in await missing_files(database, plugin, files):
        if read_only:
            raise StorageError(
                f"the tables of the plug-in {plugin!r} are not made yet; start Bellhop once"
            )
        try:
            await database.write(_applying(plugin, file, now))
        except StorageError as error:
            raise StorageError(
                f"{file.name} of the plug-in {plugin!r} can't be applied: {error}"
            ) from error


async def missing_files(
    database: Database, plugin: str, files: Sequence[TableFile]
) -> list[TableFile]:
    """The files that are not applied yet.

    Raises StorageError when one was changed after it had been applied, or when the database knows a
    newer one.
    """
    rows = await database.read(
        "SELECT number, name, digest FROM plugin_migrations WHERE plugin = ?", (plugin,)
    )
    applied = {int(row["number"]): row for row in rows}
    if newer := sorted(set(applied) - {file.number for file in files}):
        raise StorageError(
            f"the tables of the plug-in {plugin!r} are newer than its package: it lacks "
            f"{applied[newer[-1]]['name']}; install the newer version"
        )
    for file in files:
        before = applied.get(file.number)
        if before is not None and before["digest"] != file.digest:
            raise StorageError(
                f"{file.name} of the plug-in {plugin!r} was changed after it had been applied; "
                "its author has to add a new file instead"
            )
    return [file for file in files if file.number not in applied]


def deleting(table: PersonTable, where: str) -> tuple[str, ...]:
    """Statements that delete rows with all that belongs to them. Each has the condition."""
    statements: list[str] = []
    for part in table.parts:
        whole = f"SELECT {table.key[0]} FROM {table.name} WHERE {where}"  # noqa: S608 - its names
        statements += _deleting(part.name, part.index, f"{part.whole} IN ({whole})")
    return (*statements, *_deleting(table.name, table.index, where))


def _deleting(table: str, index: str, where: str) -> list[str]:
    rows = f"DELETE FROM {table} WHERE {where}"  # noqa: S608 - its names
    words = f"DELETE FROM {index} WHERE rowid IN (SELECT seq FROM {table} WHERE {where})"  # noqa: S608
    return [words, rows] if index else [rows]


async def require_person_table(database: Database, plugin: str, table: PersonTable) -> None:
    """Raises StorageError for a table that is another's, or is not there as it is declared."""
    declared: list[tuple[str, Iterable[str]]] = [
        (table.name, (table.owner, *table.key, *table.words, *table.once, *table.sealed))
    ]
    declared += [
        (part.name, (part.whole, *part.key, *part.words, *part.persons)) for part in table.parts
    ]
    for one in (table, *table.parts):
        if one.index:
            declared += [(one.name, ("seq",)), (one.index, ("rowid",))]
    for name, columns in declared:
        await _require_columns(database, plugin, name, tuple(dict.fromkeys(columns)))


async def _require_columns(
    database: Database, plugin: str, table: str, columns: Sequence[str]
) -> None:
    listed = ", ".join(columns)
    told = (
        f"the plug-in {plugin!r} declares rows of people in {table} ({listed}), and its "
        "migrations make no such table; its author has to correct `tables`"
    )
    if not table.startswith(f"{plugin}_") or not all(map(str.isidentifier, (table, *columns))):
        raise StorageError(told)
    try:
        await database.read(f"SELECT {listed} FROM {table} LIMIT 1")  # noqa: S608 - its names
    except StorageError as error:
        raise StorageError(f"{told} ({error})") from error


async def reseal_rows(
    database: Database, table: PersonTable, resealed: Callable[[str], str | None]
) -> int:
    """Seal the values of a table's sealed columns anew; returns their number.

    One that can't be opened stays as it is. Raises StorageError.
    """
    count = 0
    for column in table.sealed:
        known = (*table.key, column)
        where = " AND ".join(f"{name} = ?" for name in known)
        change = f"UPDATE {table.name} SET {column} = ? WHERE {where}"  # noqa: S608 - its names
        read = f"SELECT {', '.join(known)} FROM {table.name}"  # noqa: S608 - its names
        for row in await database.read(read):
            if (fresh := resealed(row[column])) is not None:
                values = (fresh, *(row[name] for name in known))
                await database.write(Unit.of(Write(change, values, rows=1)))
                count += 1
    return count


def _applying(plugin: str, file: TableFile, now: str) -> Unit:
    kept = Write(
        "INSERT INTO plugin_migrations (plugin, number, name, digest, statements, applied_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (plugin, file.number, file.name, file.digest, json.dumps(file.statements), now),
    )
    return Unit((*map(Write, file.statements), kept))
