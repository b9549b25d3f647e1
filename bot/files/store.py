"""The tables virtual_files and file_versions, and which version each session saw last."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.clock import format_utc
from bot.domain.database import Database, Read, Row, Unit, Write
from bot.domain.privacy import Learned
from bot.files.paths import ancestors

OwnerKind = Literal["person", "workspace"]

_PUT_NEW = (
    "INSERT INTO virtual_files (owner_kind, owner, path, text, version, updated_at, updated_by, "
    "reach, channel, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
_REPLACE = (
    "UPDATE virtual_files SET text = ?, version = ?, updated_at = ?, updated_by = ?, reach = ?, "
    "channel = ?, origin = ? WHERE owner_kind = ? AND owner = ? AND path = ? AND version = ?"
)
_DELETE = (
    "DELETE FROM virtual_files WHERE owner_kind = ? AND owner = ? AND path = ? AND version = ?"
)
_READ = "SELECT * FROM virtual_files WHERE owner_kind = ? AND owner = ? AND path = ?"
_SEVERAL = (
    "SELECT * FROM virtual_files WHERE owner_kind = ? AND owner = ?"
    " AND path IN (SELECT value FROM json_each(?))"
)
_BELOW = (
    "SELECT path, length(CAST(text AS BLOB)) AS size, updated_at, updated_by, reach, channel, "
    "origin FROM virtual_files"
    " WHERE owner_kind = ? AND owner = ? AND path >= ? AND path < ? ORDER BY path"
)
_PAGE = (
    "SELECT path, length(CAST(text AS BLOB)) AS size, updated_at, reach, channel FROM virtual_files"
    " WHERE owner_kind = ? AND owner = ? AND path > ? AND path < ? ORDER BY path LIMIT ?"
)
_HEADS = (
    "SELECT * FROM virtual_files WHERE owner_kind = ? AND owner = ? AND path >= ? AND path < ?"
    " AND (path NOT LIKE ? OR path LIKE ?) ORDER BY path LIMIT ?"
)
_SPOTTED = (
    "SELECT path, instr(lower(text), lower(?)) AS spot, updated_at, updated_by, reach, channel, "
    "origin FROM virtual_files WHERE owner_kind = ? AND owner = ? AND "
)
_NEWEST = f"{_SPOTTED}path >= ? AND path < ? ORDER BY updated_at DESC LIMIT ?"
_AMONG = f"{_SPOTTED}path IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants
_PART = (
    "SELECT substr(text, ?, ?) AS part FROM virtual_files WHERE owner_kind = ? AND owner = ? AND "
    "path = ?"
)
_KEEP = (
    "INSERT INTO file_versions (owner_kind, owner, path, number, text, version, updated_at, "
    "updated_by, reach, channel, origin, kept_at) SELECT owner_kind, owner, path, 1 + "
    "coalesce((SELECT max(number) FROM file_versions AS kept WHERE kept.owner_kind = ?1 AND "
    "kept.owner = ?2 AND kept.path = ?3), 0), text, version, updated_at, updated_by, reach, "
    "channel, origin, ?5 FROM virtual_files WHERE owner_kind = ?1 AND owner = ?2 AND path = ?3 AND "
    "version = ?4"
)
_PRUNE = (
    "DELETE FROM file_versions WHERE owner_kind = ?1 AND owner = ?2 AND path = ?3 AND number <="
    " (SELECT max(number) FROM file_versions WHERE owner_kind = ?1 AND owner = ?2 AND path = ?3) - "
    "?4"
)
_VERSIONS = (
    "SELECT number, length(CAST(text AS BLOB)) AS size, updated_at, reach, channel FROM "
    "file_versions WHERE owner_kind = ? AND owner = ? AND path = ? ORDER BY number DESC"
)
_FILE_AMONG = (
    "SELECT path FROM virtual_files WHERE owner_kind = ? AND owner = ? AND path IN ({marks}) LIMIT "
    "1"
)


@dataclass(frozen=True)
class Owner:
    """The namespace of a row; every statement of this table is bound to one."""

    kind: OwnerKind
    id: str


@dataclass(frozen=True)
class StoredText:
    """The columns of a row that a write sets."""

    text: str
    version: str
    updated_at: str
    updated_by: str
    learned: Learned
    origin: str
    """Origin as JSON."""

    @property
    def columns(self) -> tuple[str | int, ...]:
        learned = (self.learned.reach, self.learned.channel)
        return (self.text, self.version, self.updated_at, self.updated_by, *learned, self.origin)


def several_read(owner: Owner, paths: Sequence[str]) -> Read:
    return Read(_SEVERAL, (owner.kind, owner.id, json.dumps(paths)))


class FileRows:
    """Reads rows of one owner at a time and builds the writes that change them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, owner: Owner, path: str) -> Row | None:
        return await self._database.read_one(_READ, (owner.kind, owner.id, path))

    async def several(self, owner: Owner, paths: Sequence[str]) -> list[Row]:
        """Those of the paths that are there, in the order of `paths`."""
        read = several_read(owner, paths)
        found = {row["path"]: row for row in await self._database.read(read.sql, read.params)}
        return [found[path] for path in paths if path in found]

    async def below(self, owner: Owner, folder: str) -> list[Row]:
        """Paths, sizes and origins of all files below a folder, by path."""
        # "0" is the character after "/": the range holds exactly what begins with "<folder>/".
        return await self._database.read(_BELOW, (owner.kind, owner.id, f"{folder}/", f"{folder}0"))

    async def page(self, owner: Owner, folder: str, behind: str, limit: int) -> list[Row]:
        """Some files below a folder by path, behind a path."""
        first = max(f"{folder}/", behind)
        return await self._database.read(_PAGE, (owner.kind, owner.id, first, f"{folder}0", limit))

    async def heads(self, owner: Owner, folder: str, name: str, limit: int) -> list[Row]:
        """Whole rows of files directly in a folder, and of those called `name` below it."""
        # Paths never hold the wildcards of LIKE in `folder` and `name`: both are ours.
        return await self._database.read(
            _HEADS,
            (
                owner.kind,
                owner.id,
                f"{folder}/",
                f"{folder}0",
                f"{folder}/%/%",
                f"{folder}/%/{name}",
                limit,
            ),
        )

    async def newest(self, owner: Owner, folder: str, phrase: str, limit: int) -> list[Row]:
        """The newest files below a folder, with where (from 1) a phrase stands in each."""
        bounds = (f"{folder}/", f"{folder}0")
        return await self._database.read(_NEWEST, (phrase, owner.kind, owner.id, *bounds, limit))

    async def among(self, owner: Owner, paths: Sequence[str], phrase: str) -> list[Row]:
        """The files of these paths, with where (from 1) a phrase stands in each."""
        return await self._database.read(_AMONG, (phrase, owner.kind, owner.id, json.dumps(paths)))

    async def part(self, owner: Owner, path: str, begin: int, chars: int) -> str:
        """A part of a file's text, from a character (from 1) on; empty when it is gone."""
        row = await self._database.read_one(_PART, (begin, chars, owner.kind, owner.id, path))
        return str(row["part"]) if row else ""

    async def owners(self, folder: str) -> list[Owner]:
        """Everybody who has files below a folder."""
        sql = (
            "SELECT DISTINCT owner_kind, owner FROM virtual_files WHERE path >= ? AND path < ? "
            "ORDER BY 1, 2"
        )
        rows = await self._database.read(sql, (f"{folder}/", f"{folder}0"))
        return [Owner(row["owner_kind"], row["owner"]) for row in rows]

    async def versions(self, owner: Owner, path: str) -> list[Row]:
        """Numbers, sizes and places of the earlier texts of a path, the latest first."""
        return await self._database.read(_VERSIONS, (owner.kind, owner.id, path))

    async def version(self, owner: Owner, path: str, number: int) -> Row | None:
        sql = (
            "SELECT * FROM file_versions WHERE owner_kind = ? AND owner = ? AND path = ? AND "
            "number = ?"
        )
        return await self._database.read_one(sql, (owner.kind, owner.id, path, number))

    async def earlier(self, owner: Owner, path: str) -> list[Row]:
        """The earlier texts of a path, whole, the latest first."""
        sql = (
            "SELECT * FROM file_versions WHERE owner_kind = ? AND owner = ? AND path = ?"
            " ORDER BY number DESC"
        )
        return await self._database.read(sql, (owner.kind, owner.id, path))

    async def text_of(self, owner: Owner, path: str, version: str) -> Row | None:
        """The latest earlier text of a path that had this version."""
        sql = (
            "SELECT * FROM file_versions WHERE owner_kind = ? AND owner = ? AND path = ? AND "
            "version = ? ORDER BY number DESC LIMIT 1"
        )
        return await self._database.read_one(sql, (owner.kind, owner.id, path, version))

    async def file_above(self, owner: Owner, path: str) -> str | None:
        """The path of a file that stands where a folder of `path` would have to be."""
        above = ancestors(path)
        if not above:
            return None
        sql = _FILE_AMONG.format(marks=", ".join("?" * len(above)))
        row = await self._database.read_one(sql, (owner.kind, owner.id, *above))
        return str(row["path"]) if row else None


def put_new(owner: Owner, path: str, stored: StoredText) -> Unit:
    """Create a file; the unit is rejected when it exists by then."""
    return Unit.of(Write(_PUT_NEW, (owner.kind, owner.id, path, *stored.columns), rows=1))


def replace(owner: Owner, path: str, stored: StoredText, version: str) -> Unit:
    """Replace a file; the unit is rejected when it is no longer at that version."""
    return Unit.of(Write(_REPLACE, (*stored.columns, owner.kind, owner.id, path, version), rows=1))


def keep_version(owner: Owner, path: str, version: str, most: int, at: datetime) -> Unit:
    """Copy a file's text to its history of at most `most`; part of replacing or deleting it."""
    where = (owner.kind, owner.id, path)
    return Unit.of(Write(_KEEP, (*where, version, format_utc(at))), Write(_PRUNE, (*where, most)))


def purge_versions(before: datetime, most: int) -> Write:
    """Delete some earlier texts of files that were deleted before then. Returns them."""
    return Write(
        "DELETE FROM file_versions WHERE rowid IN (SELECT old.rowid FROM file_versions AS old "
        "WHERE old.kept_at < ? AND NOT EXISTS (SELECT 1 FROM virtual_files AS there WHERE "
        "there.owner_kind = old.owner_kind AND there.owner = old.owner AND there.path = old.path) "
        "LIMIT ?) RETURNING number",
        (format_utc(before), most),
    )


def delete(owner: Owner, path: str, version: str) -> Unit:
    return Unit.of(Write(_DELETE, (owner.kind, owner.id, path, version), rows=1))


class SeenFiles:
    """The versions of files that sessions saw.

    A session that replaces a file must have seen its current text, or none.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def version(self, session: str, path: str) -> str | None:
        """The version that a session saw last; None when it saw none."""
        return (await self.versions(session, [path])).get(path)

    async def versions(self, session: str, paths: Sequence[str]) -> dict[str, str]:
        """The versions that a session saw last, by path."""
        rows = await self._database.read(
            "SELECT key, value FROM session_values WHERE session = ? AND name = 'seen'"
            " AND key IN (SELECT value FROM json_each(?))",
            (session, json.dumps(paths)),
        )
        return {str(row["key"]): str(row["value"]) for row in rows}


def saw(session: str, path: str, version: str) -> Unit:
    sql = (
        "INSERT INTO session_values (session, name, key, value) VALUES (?, 'seen', ?, ?)"
        " ON CONFLICT (session, name, key) DO UPDATE SET value = excluded.value"
    )
    return Unit.of(Write(sql, (session, path, version)))


def forget(session: str, path: str) -> Unit:
    """Forget the version that a session saw of a file."""
    sql = "DELETE FROM session_values WHERE session = ? AND name = 'seen' AND key = ?"
    return Unit.of(Write(sql, (session, path)))


def forget_session(session: str) -> Write:
    return Write("DELETE FROM session_values WHERE session = ? AND name = 'seen'", (session,))
