"""The table notes: all SQL of this connector."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from bot.connectors.records import Provenance
from bot.domain.database import Database, Row, Unit, Write


class Board(StrEnum):
    USER = "user"
    AGENT = "agent"


@dataclass(frozen=True)
class Note:
    """One note; `due` as bot.connectors.due_dates stores it, times as bot.clock.format_utc writes them."""

    id: str
    board: Board
    owner: str
    title: str
    provenance: Provenance
    created_at: str
    updated_at: str
    body: str = ""
    due: str | None = None

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return cls(
            id=row["id"],
            board=Board(row["board"]),
            owner=row["owner"],
            title=row["title"],
            provenance=Provenance.from_row(row),
            created_at=row["created_at"],
            updated_at=row["updated_at"],
            body=row["body"],
            due=row["due"],
        )


@dataclass(frozen=True)
class Reader:
    """Whose notes may be seen, through which agent, and whether nobody else reads along."""

    person: str
    agent: str
    private: bool


@dataclass(frozen=True)
class Change:
    """What an update sets; None leaves a column alone, `clear_due` empties the due date."""

    title: str | None = None
    body: str | None = None
    due: str | None = None
    clear_due: bool = False


# A person's board is theirs wherever they ask for it. An agent's board is shared by the people who work with the
# agent, except for what it wrote in a private conversation: that stays between the two, in private (ruling 10).
_SEEN = {
    Board.USER: "board = 'user' AND owner = ?",
    Board.AGENT: "board = 'agent' AND agent = ? AND (private = 0 OR (owner = ? AND ?))",
}
_LIST = "SELECT * FROM notes WHERE {seen} ORDER BY due IS NULL, due, updated_at DESC, id LIMIT ?"
_COUNT = "SELECT count(*) AS n FROM notes WHERE {seen}"
_FIND = "SELECT * FROM notes WHERE {seen} AND id = ?"
_INSERT = (
    "INSERT INTO notes (id, board, owner, title, body, due, created_at, updated_at,"
    " agent, session, conversation, private, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_UPDATE = (
    "UPDATE notes SET title = coalesce(?, title), body = coalesce(?, body),"
    " due = CASE WHEN ? THEN NULL ELSE coalesce(?, due) END, private = max(private, ?), origin = ?, updated_at = ?"
    " WHERE id = ?"
)


class NoteRows:
    """Reads the notes that one person and agent may see."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, reader: Reader, board: Board, note: str) -> Note | None:
        row = await self._database.read_one(_FIND.format(seen=_SEEN[board]), (*_params(reader, board), note))
        return Note.from_row(row) if row else None

    async def list(self, reader: Reader, board: Board, limit: int) -> list[Note]:
        """What is due first, then the latest first."""
        rows = await self._database.read(_LIST.format(seen=_SEEN[board]), (*_params(reader, board), limit))
        return [Note.from_row(row) for row in rows]

    async def count(self, reader: Reader, board: Board) -> int:
        row = await self._database.read_one(_COUNT.format(seen=_SEEN[board]), _params(reader, board))
        return int(row["n"]) if row else 0

    async def taken(self, note: str) -> bool:
        return await self._database.read_one("SELECT 1 AS found FROM notes WHERE id = ?", (note,)) is not None


def _params(reader: Reader, board: Board) -> tuple[str | int, ...]:
    return (reader.person,) if board is Board.USER else (reader.agent, reader.person, int(reader.private))


def insert(note: Note) -> Unit:
    columns = (note.id, note.board, note.owner, note.title, note.body, note.due, note.created_at, note.updated_at)
    return Unit.of(Write(_INSERT, (*columns, *note.provenance.columns), rows=1))


def update(note: Note, change: Change, provenance: Provenance, at: str) -> Unit:
    """Set what changes and nothing else, so that two calls of one batch don't undo each other."""
    _, _, _, private, origin = provenance.columns
    columns = (change.title, change.body, change.clear_due, change.due, private, origin, at)
    return Unit.of(Write(_UPDATE, (*columns, note.id), rows=1))
