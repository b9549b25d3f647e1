"""SQL of this connector: people, people_accounts, people_slugs, people_apart, people_notes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self, cast

from bot.plugin.people import KnownPerson
from bot.plugin.tables import Database, Row, Seen, Unit, Write, made_of, read_number, seen
from bot.plugin.tools import RecordProvenance, Viewer

ROOT = "/people"


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
    "people.*, (SELECT json_group_array(person) FROM people_accounts WHERE about = people.id) AS "
    "accounts"
)
_OPEN = "forgotten_at IS NULL"
_OWN = f"({_OPEN} AND id = (SELECT about FROM people_accounts WHERE person = ?))"  # noqa: S608 - constants
_INSERT = (
    "INSERT INTO people (id, slug, owner, name, other_names, title, timezone, by_hand, asked_at, "
    "created_at,"
    " updated_at, agent, session, conversation, reach, channel, origin)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_UPDATE = (
    "UPDATE people SET name = ?, other_names = ?, title = ?, timezone = ?, by_hand = ?, asked_at = "
    "?, origin = ?,"
    " updated_at = ? WHERE id = ? AND updated_at = ?"
)
_INSERT_NOTE = (
    "INSERT INTO people_notes (id, about, owner, text, created_at, agent, session, conversation, "
    "reach, channel,"
    " origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_OLD_SLUG = "SELECT about FROM people_slugs WHERE slug = ?1"


class PeopleRows:
    """Reads people. `Viewer.sees` decides about files and notes; one's own file is visible."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def at(self, slug: str) -> PersonRow | None:
        """The file with this name, or with this former name, without a check of rights."""
        sql = f"SELECT {_COLUMNS} FROM people WHERE slug = ?1 OR id = ({_OLD_SLUG})"  # noqa: S608 - constants
        row = await self.database.read_one(sql, (slug,))
        return PersonRow.from_row(row) if row else None

    async def of(self, person: str) -> PersonRow | None:
        """The file about a person id."""
        sql = (
            f"SELECT {_COLUMNS} FROM people WHERE id = (SELECT about FROM people_accounts "  # noqa: S608
            "WHERE person = ?)"
        )
        row = await self.database.read_one(sql, (person,))
        return PersonRow.from_row(row) if row else None

    async def seen(self, viewer: Viewer) -> tuple[list[PersonRow], int]:
        """All files that this viewer may see, by name, and how many of their own are hidden."""
        which = await seen(self.database, "people", _OPEN, (), viewer)
        sql = f"SELECT {_COLUMNS} FROM people WHERE ({which.sql}) OR {_OWN} ORDER BY name, id"  # noqa: S608 - constants
        rows = await self.database.read(sql, (*which.params, viewer.person))
        return [PersonRow.from_row(row) for row in rows], which.left_out

    async def notes(self, about: str, viewer: Viewer) -> tuple[list[PersonNote], int]:
        """Visible notes about a person, oldest first, and how many of the viewer's are hidden."""
        which: Seen = await seen(self.database, "people_notes", "about = ?", (about,), viewer)
        sql = f"SELECT * FROM people_notes WHERE {which.sql} ORDER BY created_at, rowid"  # noqa: S608 - constants
        rows = await self.database.read(sql, which.params)
        return [PersonNote.from_row(row) for row in rows], which.left_out

    async def all_notes(self, viewer: Viewer) -> dict[str, list[PersonNote]]:
        """Every note that this viewer sees, by the id of its file."""
        which = await seen(self.database, "people_notes", "TRUE", (), viewer)
        sql = f"SELECT * FROM people_notes WHERE {which.sql} ORDER BY created_at, rowid"  # noqa: S608 - constants
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
            "SELECT 1 AS found FROM people WHERE slug = ?1 UNION ALL SELECT 1 FROM people_slugs "
            "WHERE slug = ?1"
        )
        return await self.database.read_one(sql, (slug,)) is not None

    async def id_taken(self, id_: str) -> bool:
        sql = (
            "SELECT 1 AS found FROM people WHERE id = ?1 UNION ALL SELECT 1 FROM people_notes "
            "WHERE id = ?1"
        )
        return await self.database.read_one(sql, (id_,)) is not None

    async def count_by(self, owner: str) -> int:
        """The number of things that somebody made here: files by hand, and notes."""
        sql = (
            "SELECT (SELECT count(*) FROM people WHERE owner = ?1)"
            " + (SELECT count(*) FROM people_notes WHERE owner = ?1) AS n"
        )
        return await read_number(self.database, sql, (owner,))


def insert(person: PersonRow) -> Unit:
    """Create a file; rejected if its name is taken or one of its accounts has a file."""
    columns = (
        person.id,
        person.slug,
        person.owner,
        *_values(person),
        person.created_at,
        person.updated_at,
    )
    accounts = [
        Write(
            "INSERT INTO people_accounts (person, about) VALUES (?, ?)",
            (account, person.id),
            rows=1,
        )
        for account in person.accounts
    ]
    return Unit.of(Write(_INSERT, (*columns, *person.provenance.columns), rows=1), *accounts)


def update(before: PersonRow, now: PersonRow) -> Unit:
    """Replace the fields; rejected when the file changed after `before` was read."""
    origin = now.provenance.origin.to_text()
    return Unit.of(
        Write(_UPDATE, (*_values(now), origin, now.updated_at, now.id, before.updated_at), rows=1)
    )


def _values(person: PersonRow) -> tuple[str | None, ...]:
    """name, other_names, title, timezone, by_hand, asked_at."""
    others = json.dumps(person.other_names, ensure_ascii=False)
    return (
        person.name,
        others,
        person.title,
        person.timezone,
        json.dumps(sorted(person.by_hand)),
        person.asked_at,
    )


def insert_note(note: PersonNote) -> Unit:
    columns = (
        note.id,
        note.about,
        note.owner,
        note.text,
        note.created_at,
        *note.provenance.columns,
    )
    return Unit.of(Write(_INSERT_NOTE, columns, rows=1))


def delete_note(note: PersonNote) -> Unit:
    return Unit.of(Write("DELETE FROM people_notes WHERE id = ?", (note.id,), rows=1))


def delete(person: PersonRow) -> Unit:
    """Delete a file made by hand and its owner's notes; it has no account."""
    return Unit.of(
        Write("DELETE FROM people_notes WHERE about = ?", (person.id,)),
        Write("DELETE FROM people_slugs WHERE about = ?", (person.id,)),
        Write("DELETE FROM people WHERE id = ? AND owner = ?", (person.id, person.owner), rows=1),
    )


def forget(person: PersonRow, at: str) -> Unit:
    """Keep the name and no notes that others can read; others' private notes stay."""
    return Unit.of(
        Write("DELETE FROM people_notes WHERE about = ? AND reach = 'public'", (person.id,)),
        Write(
            "UPDATE people SET forgotten_at = ?, updated_at = ?, title = '', timezone = '', "
            "other_names = '[]',"
            " by_hand = '[]' WHERE id = ?",
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
        Write("UPDATE people_notes SET about = ?2 WHERE about = ?1", both),
        Write("UPDATE people_accounts SET about = ?2 WHERE about = ?1", both),
        Write("UPDATE people_slugs SET about = ?2 WHERE about = ?1", both),
        Write("DELETE FROM people_apart WHERE one = ?1 OR other = ?1", (gone.id,)),
        Write(
            "DELETE FROM people WHERE id = ? AND updated_at = ?", (gone.id, gone.updated_at), rows=1
        ),
        Write("INSERT INTO people_slugs (slug, about) VALUES (?, ?)", (gone.slug, kept.id)),
        Write(
            "UPDATE people SET other_names = ?, title = CASE title WHEN '' THEN ? ELSE title END,"
            " timezone = CASE timezone WHEN '' THEN ? ELSE timezone END, updated_at = ?"
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
