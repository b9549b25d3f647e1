"""SQL of this plug-in: the files about people, what was noted in them, and whose they are."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self, cast

from bot.plugin.people import KnownPerson
from bot.plugin.tables import (
    CountedPhrase,
    Database,
    PersonTable,
    Phrase,
    Row,
    Seen,
    Unit,
    Write,
    insert_into,
    made_of,
    read_number,
    row_of,
    seen,
)
from bot.plugin.tools import RecordProvenance, Viewer

ROOT = "/people"
_GONE = "(SELECT about FROM people_accounts WHERE person = ?1)"
_KEPT = "(SELECT about FROM people_accounts WHERE person = ?2)"
_TWO = f"{_KEPT} <> {_GONE}"
"""Not true if either is missing."""
_ONE_FILE = (
    f"UPDATE people_remarks SET about = {_KEPT} WHERE about = {_GONE} AND {_TWO}",  # noqa: S608 - constants
    f"UPDATE people_slugs SET about = {_KEPT} WHERE about = {_GONE} AND {_TWO}",  # noqa: S608
    f"INSERT INTO people_slugs SELECT slug, {_KEPT} FROM people_files"  # noqa: S608
    f" WHERE id = {_GONE} AND {_TWO}",
    f"DELETE FROM people_files WHERE id = {_GONE} AND {_TWO}",  # noqa: S608
    f"UPDATE people_accounts SET about = {_KEPT} WHERE about = {_GONE} AND {_TWO}",  # noqa: S608
    "UPDATE people_accounts SET person = ?2 WHERE person = ?1"
    " AND NOT EXISTS (SELECT 1 FROM people_accounts WHERE person = ?2)",
    "DELETE FROM people_accounts WHERE person = ?1"
    " AND EXISTS (SELECT 1 FROM people_accounts WHERE person = ?2)",
)
"""If both ids have a file about their person, keep the later id's, with the notes of both."""
TABLES = (
    PersonTable(
        "people_files",
        "owner",
        key=("id",),
        one="file about somebody",
        many="files about people",
        words=("slug", "name", "other_names", "title"),
        called=CountedPhrase(Phrase("file about somebody"), Phrase("files about people")),
        before_moving=_ONE_FILE,
        before_deleting=(
            "DELETE FROM people_remarks WHERE about = ?1"
            " AND owner = (SELECT owner FROM people_files WHERE id = ?1)",
            "DELETE FROM people_slugs WHERE about = ?1",
        ),
    ),
    PersonTable(
        "people_remarks",
        "owner",
        key=("seq",),
        one="note about somebody",
        many="notes about people",
        words=("text",),
        called=CountedPhrase(Phrase("note about somebody"), Phrase("notes about people")),
        made=True,
    ),
)


@dataclass(frozen=True)
class PersonRow:
    """One file about somebody.

    `owner` is empty for a file made from a profile; times as format_utc writes them.
    """

    id: str
    slug: str
    owner: str
    name: str
    provenance: RecordProvenance
    created_at: str
    updated_at: str
    other_names: tuple[str, ...] = ()
    title: str = ""
    timezone: str = ""
    by_hand: frozenset[str] = frozenset()
    """Fields that a profile no longer changes."""
    asked_at: str | None = None
    forgotten_at: str | None = None
    accounts: tuple[str, ...] = ()
    """The person ids of their accounts."""

    @property
    def path(self) -> str:
        return f"{ROOT}/{self.slug}.md"

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.other_names)

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return made_of(
            cls,
            row,
            provenance=RecordProvenance.from_row(row),
            other_names=_texts(row["other_names"]),
            by_hand=frozenset(_texts(row["by_hand"])),
            accounts=_texts(row["accounts"]),
        )


@dataclass(frozen=True)
class PersonNote:
    """A line that somebody noted about a person."""

    id: str
    about: str
    owner: str
    text: str
    created_at: str
    provenance: RecordProvenance

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return made_of(cls, row, provenance=RecordProvenance.from_row(row))


def _texts(stored: str) -> tuple[str, ...]:
    return tuple(cast("list[str]", json.loads(stored)))


_COLUMNS = (
    "people_files.*, (SELECT json_group_array(person) FROM people_accounts"
    " WHERE about = people_files.id) AS accounts"
)
_OPEN = "forgotten_at IS NULL"
_OWN = f"({_OPEN} AND id = (SELECT about FROM people_accounts WHERE person = ?))"  # noqa: S608 - constants
_UPDATE = (
    "UPDATE people_files SET name = ?, other_names = ?, title = ?, timezone = ?, by_hand = ?,"
    " asked_at = ?, origin = ?, updated_at = ? WHERE id = ? AND updated_at = ?"
)
_OLD_SLUG = "SELECT about FROM people_slugs WHERE slug = ?1"


class PeopleRows:
    """Reads people. `Viewer.sees` decides about files and notes; one's own file is visible."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def at(self, slug: str) -> PersonRow | None:
        """The file with this name, or with this former name, without a check of rights."""
        sql = f"SELECT {_COLUMNS} FROM people_files WHERE slug = ?1 OR id = ({_OLD_SLUG})"  # noqa: S608 - constants
        row = await self.database.read_one(sql, (slug,))
        return PersonRow.from_row(row) if row else None

    async def of(self, person: str) -> PersonRow | None:
        """The file about a person id."""
        sql = (
            f"SELECT {_COLUMNS} FROM people_files WHERE id = (SELECT about FROM people_accounts "  # noqa: S608
            "WHERE person = ?)"
        )
        row = await self.database.read_one(sql, (person,))
        return PersonRow.from_row(row) if row else None

    async def seen(self, viewer: Viewer) -> tuple[list[PersonRow], int]:
        """All files that this viewer may see, by name, and how many of their own are hidden."""
        which = await seen(self.database, "people_files", _OPEN, (), viewer)
        sql = f"SELECT {_COLUMNS} FROM people_files WHERE ({which.sql}) OR {_OWN} ORDER BY name, id"  # noqa: S608 - constants
        rows = await self.database.read(sql, (*which.params, viewer.person))
        return [PersonRow.from_row(row) for row in rows], which.left_out

    async def notes(self, about: str, viewer: Viewer) -> tuple[list[PersonNote], int]:
        """Visible notes about a person, oldest first, and how many of the viewer's are hidden."""
        which: Seen = await seen(self.database, "people_remarks", "about = ?", (about,), viewer)
        sql = f"SELECT * FROM people_remarks WHERE {which.sql} ORDER BY created_at, seq"  # noqa: S608 - constants
        rows = await self.database.read(sql, which.params)
        return [PersonNote.from_row(row) for row in rows], which.left_out

    async def all_notes(self, viewer: Viewer) -> dict[str, list[PersonNote]]:
        """Every note that this viewer sees, by the id of its file."""
        which = await seen(self.database, "people_remarks", "TRUE", (), viewer)
        sql = f"SELECT * FROM people_remarks WHERE {which.sql} ORDER BY created_at, seq"  # noqa: S608 - constants
        found: dict[str, list[PersonNote]] = {}
        for row in await self.database.read(sql, which.params):
            found.setdefault(str(row["about"]), []).append(PersonNote.from_row(row))
        return found

    async def with_account(self, persons: Sequence[KnownPerson]) -> set[str]:
        """Those of these people who have a file."""
        sql = "SELECT person FROM people_accounts WHERE person IN (SELECT value FROM json_each(?))"
        rows = await self.database.read(sql, (json.dumps([person.id for person in persons]),))
        return {str(row["person"]) for row in rows}

    async def apart(self) -> set[tuple[str, str]]:
        """Pairs of files that somebody called two people."""
        rows = await self.database.read("SELECT one, other FROM people_apart")
        return {(str(row["one"]), str(row["other"])) for row in rows}

    async def taken(self, slug: str) -> bool:
        """Whether a file has or had this name."""
        sql = (
            "SELECT 1 AS found FROM people_files WHERE slug = ?1"
            " UNION ALL SELECT 1 FROM people_slugs WHERE slug = ?1"
        )
        return await self.database.read_one(sql, (slug,)) is not None

    async def id_taken(self, id_: str) -> bool:
        sql = (
            "SELECT 1 AS found FROM people_files WHERE id = ?1"
            " UNION ALL SELECT 1 FROM people_remarks WHERE id = ?1"
        )
        return await self.database.read_one(sql, (id_,)) is not None

    async def count_by(self, owner: str) -> int:
        """The number of things that somebody made here: files by hand, and notes."""
        sql = (
            "SELECT (SELECT count(*) FROM people_files WHERE owner = ?1)"
            " + (SELECT count(*) FROM people_remarks WHERE owner = ?1) AS n"
        )
        return await read_number(self.database, sql, (owner,))


def insert(person: PersonRow) -> Unit:
    """Create a file; rejected if its name is taken or one of its accounts has a file."""
    stored = _stored(person) | person.provenance.columns
    row = row_of(person, "provenance", "accounts", **stored)
    accounts = [
        Write(
            "INSERT INTO people_accounts (person, about) VALUES (?, ?)",
            (account, person.id),
            rows=1,
        )
        for account in person.accounts
    ]
    return Unit.of(insert_into("people_files", row, rows=1), *accounts)


def update(before: PersonRow, now: PersonRow) -> Unit:
    """Replace the fields; rejected when the file changed after `before` was read."""
    lists, origin = _stored(now), now.provenance.origin.to_text()
    fields = (now.name, lists["other_names"], now.title, now.timezone, lists["by_hand"])
    times = (now.updated_at, now.id, before.updated_at)
    return Unit.of(Write(_UPDATE, (*fields, now.asked_at, origin, *times), rows=1))


def _stored(person: PersonRow) -> dict[str, str]:
    others = json.dumps(person.other_names, ensure_ascii=False)
    return {"other_names": others, "by_hand": json.dumps(sorted(person.by_hand))}


def insert_note(note: PersonNote) -> Unit:
    row = row_of(note, "provenance", **note.provenance.columns)
    return Unit.of(insert_into("people_remarks", row, rows=1))


def delete_note(note: PersonNote) -> Unit:
    return Unit.of(Write("DELETE FROM people_remarks WHERE id = ?", (note.id,), rows=1))


def delete(person: PersonRow) -> Unit:
    """Delete a file made by hand and its owner's notes; it has no account."""
    return Unit.of(
        Write("DELETE FROM people_remarks WHERE about = ?", (person.id,)),
        Write("DELETE FROM people_slugs WHERE about = ?", (person.id,)),
        Write(
            "DELETE FROM people_files WHERE id = ? AND owner = ?", (person.id, person.owner), rows=1
        ),
    )


def forget(person: PersonRow, at: str) -> Unit:
    """Keep the name and no notes that others can read; others' private notes stay."""
    return Unit.of(
        Write("DELETE FROM people_remarks WHERE about = ? AND reach = 'public'", (person.id,)),
        Write(
            "UPDATE people_files SET forgotten_at = ?, updated_at = ?, title = '', timezone = '', "
            "other_names = '[]', by_hand = '[]' WHERE id = ?",
            (at, at, person.id),
            rows=1,
        ),
    )


def merge(gone: PersonRow, kept: PersonRow, at: str) -> Unit:
    """Merge two files: notes, accounts and earlier names go to `kept`, whose fields win.

    Fields of a file with fewer readers than `kept` are dropped.
    """
    if gone.provenance.learned.private and gone.provenance.learned != kept.provenance.learned:
        gone = replace(gone, name=kept.name, other_names=(), title="", timezone="")
    named = tuple(
        dict.fromkeys(name for name in (*kept.other_names, *gone.names) if name != kept.name)
    )
    both = (gone.id, kept.id)
    return Unit.of(
        Write("UPDATE people_remarks SET about = ?2 WHERE about = ?1", both),
        Write("UPDATE people_accounts SET about = ?2 WHERE about = ?1", both),
        Write("UPDATE people_slugs SET about = ?2 WHERE about = ?1", both),
        Write("DELETE FROM people_apart WHERE one = ?1 OR other = ?1", (gone.id,)),
        Write(
            "DELETE FROM people_files WHERE id = ? AND updated_at = ?",
            (gone.id, gone.updated_at),
            rows=1,
        ),
        Write("INSERT INTO people_slugs (slug, about) VALUES (?, ?)", (gone.slug, kept.id)),
        Write(
            "UPDATE people_files SET other_names = ?, title = CASE title WHEN '' THEN ? ELSE title"
            " END, timezone = CASE timezone WHEN '' THEN ? ELSE timezone END, updated_at = ?"
            " WHERE id = ? AND updated_at = ?",
            (
                json.dumps(named, ensure_ascii=False),
                gone.title,
                gone.timezone,
                at,
                kept.id,
                kept.updated_at,
            ),
            rows=1,
        ),
    )


def keep_apart(one: PersonRow, other: PersonRow) -> Unit:
    """Record that two files are about two people, so that the pair is not offered again."""
    pair = sorted((one.id, other.id))
    return Unit.of(
        Write(
            "INSERT INTO people_apart (one, other) VALUES (?, ?) ON CONFLICT DO NOTHING",
            tuple(pair),
        )
    )
