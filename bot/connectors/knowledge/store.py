"""The tables knowledge_entries and knowledge_entries_text: all SQL of this connector."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from bot.connectors.records import Provenance
from bot.domain.database import Database, Row, Unit, Write
from bot.storage.fulltext import index_text


class KnowledgeType(StrEnum):
    FACT = "fact"
    PREFERENCE = "preference"
    KNOWLEDGE = "knowledge"
    NOTE = "note"


@dataclass(frozen=True)
class Entry:
    """One thing a person told; `importance` is 0 to 1."""

    id: str
    owner: str
    title: str
    content: str
    type: KnowledgeType
    importance: float
    provenance: Provenance
    created_at: str

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            owner=row["owner"],
            title=row["title"],
            content=row["content"],
            type=KnowledgeType(row["type"]),
            importance=row["importance"],
            provenance=Provenance.from_row(row),
            created_at=row["created_at"],
        )


@dataclass(frozen=True)
class Match:
    """An entry that holds words of the query; `relevance` is above 0, higher is better."""

    entry: Entry
    relevance: float


_MATCH = (
    "SELECT entries.*, -bm25(knowledge_entries_text) AS relevance FROM knowledge_entries_text"
    " JOIN knowledge_entries AS entries ON entries.seq = knowledge_entries_text.rowid"
    " WHERE knowledge_entries_text MATCH ? AND entries.owner = ?"
    " ORDER BY bm25(knowledge_entries_text), entries.seq DESC LIMIT ?"
)
_IMPORTANT = (
    "SELECT * FROM knowledge_entries WHERE owner = ? ORDER BY importance DESC, updated_at DESC, seq DESC LIMIT ?"
)
_BY_CONTENT = "SELECT * FROM knowledge_entries WHERE owner = ? AND content_key = ?"
# Told twice, in two calls of one batch: the second only refreshes the first, and its id is never found below.
_PUT = (
    "INSERT INTO knowledge_entries (id, owner, title, content, content_key, type, importance, created_at, updated_at,"
    " agent, session, conversation, private, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (owner, content_key) DO UPDATE SET type = excluded.type, importance = excluded.importance,"
    " updated_at = excluded.updated_at, private = min(private, excluded.private)"
)
_PUT_TEXT = "INSERT INTO knowledge_entries_text (rowid, body) SELECT seq, ? FROM knowledge_entries WHERE id = ?"
_REFRESH = (
    "UPDATE knowledge_entries SET type = ?, importance = ?, updated_at = ?, private = min(private, ?)"
    " WHERE id = ? AND owner = ?"
)


def content_key(content: str) -> str:
    """Equal for texts that differ only in case and white space."""
    return " ".join(content.casefold().split())


class KnowledgeRows:
    """Reads the entries of one owner at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def match(self, owner: str, expression: str, limit: int) -> list[Match]:
        """Entries for a `fts_query` expression, the most relevant first."""
        rows = await self._database.read(_MATCH, (expression, owner, limit))
        return [Match(Entry.from_row(row), float(row["relevance"])) for row in rows]

    async def important(self, owner: str, limit: int) -> list[Entry]:
        """The most important entries, newer ones first among equals."""
        return [Entry.from_row(row) for row in await self._database.read(_IMPORTANT, (owner, limit))]

    async def same(self, owner: str, content: str) -> Entry | None:
        row = await self._database.read_one(_BY_CONTENT, (owner, content_key(content)))
        return Entry.from_row(row) if row else None

    async def taken(self, entry: str) -> bool:
        found = await self._database.read_one("SELECT 1 AS found FROM knowledge_entries WHERE id = ?", (entry,))
        return found is not None


def insert(entry: Entry) -> Unit:
    """Store an entry with its full text; the same content of the same owner is refreshed instead."""
    key = content_key(entry.content)
    columns = (entry.id, entry.owner, entry.title, entry.content, key, entry.type, entry.importance)
    row = Write(_PUT, (*columns, entry.created_at, entry.created_at, *entry.provenance.columns), rows=1)
    return Unit.of(row, Write(_PUT_TEXT, (index_text(entry.content), entry.id)))


def refresh(entry: Entry, type_: KnowledgeType, importance: float, *, private: bool, at: str) -> Unit:
    """Told again: its type and importance as told now, and no longer private once it was told in the open."""
    return Unit.of(Write(_REFRESH, (type_, importance, at, int(private), entry.id, entry.owner), rows=1))
