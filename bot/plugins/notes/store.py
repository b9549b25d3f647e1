"""The table notes_kept: all SQL of this connector."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from bot.plugin.tables import (
    NARROWED,
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
    narrowed,
    read_number,
    row_of,
    seen,
    taken_in,
)
from bot.plugin.tools import RecordProvenance, Viewer

TABLES = (
    PersonTable(
        "notes_kept",
        "owner",
        key=("id",),
        one="note",
        many="notes",
        words=("title", "body"),
        called=CountedPhrase(Phrase("note"), Phrase("notes", context="kept")),
        made=True,
    ),
)


class Board(StrEnum):
    USER = "user"
    AGENT = "agent"


@dataclass(frozen=True)
class Note:
    """A note; `due` is as due_dates stores it, times are as bot.clock.format_utc writes."""

    id: str
    board: Board
    owner: str
    title: str
    provenance: RecordProvenance
    created_at: str
    updated_at: str
    body: str = ""
    due: str | None = None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return made_of(
            cls, row, provenance=RecordProvenance.from_row(row), board=Board(row["board"])
        )


@dataclass(frozen=True)
class NoteChange:
    """What an update sets; None leaves a column alone, `clear_due` empties the due date."""

    title: str | None = None
    body: str | None = None
    due: str | None = None
    clear_due: bool = False


_BOARD = {Board.USER: "board = 'user' AND owner = ?", Board.AGENT: "board = 'agent' AND agent = ?"}
_LIST = (
    "SELECT * FROM notes_kept WHERE {seen} ORDER BY due IS NULL, due, updated_at DESC, id LIMIT ?"
)
_COUNT = "SELECT count(*) AS n FROM notes_kept WHERE {seen}"
_OWNED = "SELECT * FROM notes_kept WHERE board = 'user' AND owner = ? ORDER BY created_at, id"
_FIND = "SELECT * FROM notes_kept WHERE {board} AND id = ?"
_UPDATE = (
    "UPDATE notes_kept SET title = coalesce(?, title), body = coalesce(?, body), due = CASE WHEN ? "
    "= 1 THEN NULL ELSE coalesce(?, due) END, {narrowed}, origin = ?, updated_at = ? WHERE id = ?"
)


_PUT_BACK = (
    "UPDATE notes_kept SET title = ?, body = ?, due = ?, reach = ?, channel = ?, origin = ?,"
    " updated_at = ? WHERE id = ? AND updated_at = ?"
)


class NoteRows:
    """Reads one board: a person's own, or an agent's, which all of its users share."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.taken = taken_in(database, "notes_kept")

    async def find(self, board: Board, whose: str, note: str) -> Note | None:
        """A note of a board by its id, without a check of rights.

        `whose`: the person id, or the agent's name.
        """
        row = await self._database.read_one(_FIND.format(board=_BOARD[board]), (whose, note))
        return Note.from_row(row) if row else None

    async def owned(self, owner: str) -> list[Note]:
        """All notes on a person's own board, oldest first, without a check of rights."""
        rows = await self._database.read(_OWNED, (owner,))
        return [Note.from_row(row) for row in rows]

    async def seen(self, board: Board, whose: str, viewer: Viewer) -> Seen:
        """The condition for notes of a board that this viewer may see."""
        return await seen(self._database, "notes_kept", _BOARD[board], (whose,), viewer)

    async def list(self, which: Seen, limit: int) -> list[Note]:
        """Notes with a due date first, then the latest first."""
        rows = await self._database.read(_LIST.format(seen=which.sql), (*which.params, limit))
        return [Note.from_row(row) for row in rows]

    async def count(self, which: Seen) -> int:
        return await read_number(self._database, _COUNT.format(seen=which.sql), which.params)


def insert(note: Note) -> Unit:
    row = row_of(note, "provenance", **note.provenance.columns)
    return Unit.of(insert_into("notes_kept", row, rows=1))


def delete_new(note: Note) -> Unit:
    """Remove a note that nobody changed since; rejected otherwise."""
    sql = "DELETE FROM notes_kept WHERE id = ? AND updated_at = ?"
    return Unit.of(Write(sql, (note.id, note.updated_at), rows=1))


def put_back(before: Note, changed_at: str) -> Unit:
    """Give a note its earlier text again; rejected if it was changed after `changed_at`."""
    learned, origin = before.provenance.learned, before.provenance.origin.to_text()
    texts = (before.title, before.body, before.due, learned.reach, learned.channel, origin)
    where = (before.updated_at, before.id, changed_at)
    return Unit.of(Write(_PUT_BACK, (*texts, *where), rows=1))


def delete(owner: str, note: str) -> Unit:
    """Remove a note from its person's own board."""
    return Unit.of(
        Write("DELETE FROM notes_kept WHERE board = 'user' AND owner = ? AND id = ?", (owner, note))
    )


def update(note: Note, change: NoteChange, provenance: RecordProvenance, at: str) -> Unit:
    """Set only the given columns, so that two calls of one batch don't undo each other."""
    columns = (
        change.title,
        change.body,
        change.clear_due,
        change.due,
        *narrowed(provenance.learned),
    )
    return Unit.of(
        Write(
            _UPDATE.format(narrowed=NARROWED),
            (*columns, provenance.origin.to_text(), at, note.id),
            rows=1,
        )
    )
