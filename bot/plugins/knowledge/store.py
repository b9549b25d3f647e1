"""The tables knowledge_entries and knowledge_entries_text: all SQL of this connector."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from bot.plugin.tables import (
    CountedPhrase,
    Database,
    PersonTable,
    Phrase,
    Row,
    Seen,
    Unit,
    Write,
    indexed,
    insert_into,
    made_of,
    row_of,
    seen,
    taken_in,
)
from bot.plugin.tools import Learned, RecordProvenance, Viewer

TABLES = (
    PersonTable(
        "knowledge_entries",
        "owner",
        key=("id",),
        one="entry of knowledge",
        many="entries of knowledge",
        words=("title", "content", "content_key"),
        called=CountedPhrase(Phrase("entry of knowledge"), Phrase("entries of knowledge")),
        once=("content_key",),
        made=True,
        index="knowledge_entries_text",
    ),
)


class KnowledgeType(StrEnum):
    FACT = "fact"
    PREFERENCE = "preference"
    KNOWLEDGE = "knowledge"
    NOTE = "note"


@dataclass(frozen=True)
class KnowledgeEntry:
    """One thing that a person told; `importance` is 0 to 1."""

    id: str
    owner: str
    title: str
    content: str
    type: KnowledgeType
    importance: float
    provenance: RecordProvenance
    created_at: str

    @classmethod
    def from_row(cls, row: Row) -> Self:
        kind = KnowledgeType(row["type"])
        return made_of(cls, row, provenance=RecordProvenance.from_row(row), type=kind)


@dataclass(frozen=True)
class KnowledgeMatch:
    """An entry that holds words of the query; `relevance` is above 0, higher is better."""

    entry: KnowledgeEntry
    relevance: float


_MATCHING = "seq IN (SELECT rowid FROM knowledge_entries_text(?)) AND owner = ?"
_MATCH = (
    "SELECT entries.*, -found.rank AS relevance FROM knowledge_entries_text(?) AS found"
    " JOIN knowledge_entries AS entries ON entries.seq = found.rowid"
    " WHERE {seen} ORDER BY found.rank, entries.seq DESC LIMIT ?"
)
_IMPORTANT = (
    "SELECT * FROM knowledge_entries WHERE {seen} ORDER BY importance DESC, updated_at DESC, seq "
    "DESC LIMIT ?"
)
_BY_TIME = (
    "SELECT * FROM knowledge_entries WHERE {seen} AND created_at >= ? AND created_at < ? ORDER BY "
    "seq DESC LIMIT ?"
)
_BY_ID = "SELECT * FROM knowledge_entries WHERE owner = ? AND id = ?"
_BY_CONTENT = "SELECT * FROM knowledge_entries WHERE owner = ? AND content_key = ?"
# One batch can store the same entry in two calls. The second call only refreshes the first, and its
# id is never found below.
_AGAIN = (
    "ON CONFLICT (owner, content_key) DO UPDATE SET type = excluded.type, importance = "
    "excluded.importance, updated_at = excluded.updated_at"
)
_PUT_TEXT = (
    "INSERT INTO knowledge_entries_text (rowid, body) SELECT seq, ? FROM knowledge_entries WHERE "
    "id = ?"
)
_DELETE_TEXT = (
    "DELETE FROM knowledge_entries_text WHERE rowid IN (SELECT seq FROM knowledge_entries WHERE "
    "owner = ? AND id = ?)"
)
_DELETE = "DELETE FROM knowledge_entries WHERE owner = ? AND id = ?"
_REFRESH = (
    "UPDATE knowledge_entries SET type = ?, importance = ?, updated_at = ?, reach = ?, channel = ?"
    " WHERE id = ? AND owner = ?"
)


def content_key(content: str) -> str:
    """Equal for texts that differ only in case and white space."""
    return " ".join(content.casefold().split())


class KnowledgeRows:
    """Reads the entries of one owner at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.taken = taken_in(database, "knowledge_entries")

    async def seen(self, viewer: Viewer, expression: str | None = None) -> Seen:
        """The condition for entries that the viewer may see in the place of the request."""
        if expression is None:
            return await seen(
                self._database, "knowledge_entries", "owner = ?", (viewer.person,), viewer
            )
        return await seen(
            self._database, "knowledge_entries", _MATCHING, (expression, viewer.person), viewer
        )

    async def match(self, which: Seen, expression: str, limit: int) -> list[KnowledgeMatch]:
        """Entries for an expression of `StemmedQuery`, the most relevant first."""
        if which.nothing:
            return []
        rows = await self._database.read(
            _MATCH.format(seen=which.sql), (expression, *which.params, limit)
        )
        return [
            KnowledgeMatch(KnowledgeEntry.from_row(row), float(row["relevance"])) for row in rows
        ]

    async def important(self, which: Seen, limit: int) -> list[KnowledgeEntry]:
        """The most important entries, newer ones first among equals."""
        rows = await self._database.read(_IMPORTANT.format(seen=which.sql), (*which.params, limit))
        return [KnowledgeEntry.from_row(row) for row in rows]

    async def told(self, which: Seen, since: str, until: str, limit: int) -> list[KnowledgeEntry]:
        """Entries that were made from one moment up to another, the latest first."""
        rows = await self._database.read(
            _BY_TIME.format(seen=which.sql), (*which.params, since, until, limit)
        )
        return [KnowledgeEntry.from_row(row) for row in rows]

    async def owned(self, owner: str) -> list[KnowledgeEntry]:
        """All entries of a person, whoever may see them, oldest first."""
        rows = await self._database.read(
            "SELECT * FROM knowledge_entries WHERE owner = ? ORDER BY seq", (owner,)
        )
        return [KnowledgeEntry.from_row(row) for row in rows]

    async def find(self, owner: str, entry: str) -> KnowledgeEntry | None:
        row = await self._database.read_one(_BY_ID, (owner, entry))
        return KnowledgeEntry.from_row(row) if row else None

    async def same(self, owner: str, content: str) -> KnowledgeEntry | None:
        row = await self._database.read_one(_BY_CONTENT, (owner, content_key(content)))
        return KnowledgeEntry.from_row(row) if row else None


def insert(entry: KnowledgeEntry) -> Unit:
    """Store an entry with its full text, or refresh the owner's entry of the same content."""
    times = {"created_at": entry.created_at, "updated_at": entry.created_at}
    row = row_of(entry, "provenance", **entry.provenance.columns, **times)
    put = insert_into(
        "knowledge_entries", row | {"content_key": content_key(entry.content)}, _AGAIN, rows=1
    )
    return Unit.of(put, Write(_PUT_TEXT, (indexed(entry.content), entry.id)))


def delete(owner: str, entry: str) -> Unit:
    """Remove an entry of this owner with its full text."""
    return Unit.of(Write(_DELETE_TEXT, (owner, entry)), Write(_DELETE, (owner, entry)))


def delete_new(entry: KnowledgeEntry) -> Unit:
    """Remove an entry that nobody told again since; rejected otherwise."""
    row = Write(
        f"{_DELETE} AND updated_at = ?",
        (entry.owner, entry.id, entry.created_at),
        rows=1,
    )
    return Unit.of(Write(_DELETE_TEXT, (entry.owner, entry.id)), row)


def refresh(
    entry: KnowledgeEntry, type_: KnowledgeType, importance: float, learned: Learned, at: str
) -> Unit:
    """Refresh a repeated entry: new type and importance, visible to both audiences."""
    wider = entry.provenance.learned.widened(learned)
    columns = (type_, importance, at, wider.reach, wider.channel, entry.id, entry.owner)
    return Unit.of(Write(_REFRESH, columns, rows=1))
