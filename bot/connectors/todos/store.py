"""The table todos: all SQL of this connector."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from bot.connectors.records import RecordProvenance
from bot.connectors.slugs import slug_of
from bot.domain.database import Database, Row, Unit, Write, made_of, read_number
from bot.domain.privacy import Viewer
from bot.storage.inserts import insert_into, row_of, taken_in
from bot.storage.seen import NARROWED, Seen, narrowed, seen

SLUG_CHARS = 40
"""Characters of the title in a file's name; the id behind it keeps names distinct."""


class TodoStatus(StrEnum):
    OPEN = "open"
    WAITING = "waiting"
    DONE = "done"
    DISMISSED = "dismissed"

    @property
    def closed(self) -> bool:
        return self in {TodoStatus.DONE, TodoStatus.DISMISSED}


class Priority(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True)
class Todo:
    """A todo; `due_date` is as due_dates stores it, times are as format_utc writes."""

    id: str
    owner: str
    title: str
    provenance: RecordProvenance
    created_at: str
    updated_at: str
    description: str = ""
    status: TodoStatus = TodoStatus.OPEN
    priority: Priority = Priority.MEDIUM
    due_date: str | None = None
    waiting_for: str = ""
    completed_at: str | None = None
    repeats: str | None = None
    """A cron expression: when the todo is done, it becomes due again."""
    zone: str = "UTC"
    """The zone of the person who set the due date."""
    wake_at: str | None = None
    """The time when a waiting todo opens again and the assistant works on it."""
    assigned: bool = False
    """Whether the assistant works on it by itself."""
    slug: str = ""
    """Names its file, /todos/{slug}.md; stays when the title changes.

    Empty: derived from the title.
    """
    notes: str = ""
    """Markdown notes about the work."""
    revision: int = 1
    """Increases by one with each change."""

    @property
    def active(self) -> bool:
        return not self.status.closed

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return made_of(
            cls,
            row,
            provenance=RecordProvenance.from_row(row),
            status=TodoStatus(row["status"]),
            priority=Priority(row["priority"]),
            assigned=bool(row["assigned"]),
        )


@dataclass(frozen=True)
class TodoChange:
    """An update's values; None keeps a column, `clear_due` and similar flags empty theirs."""

    title: str | None = None
    description: str | None = None
    priority: Priority | None = None
    due_date: str | None = None
    clear_due: bool = False
    repeats: str | None = None
    clear_repeats: bool = False
    zone: str | None = None
    waiting_for: str | None = None
    wake_at: str | None = None
    reopen: bool = False
    """Whether it stops waiting for anything."""
    assigned: bool | None = None

    @property
    def waits(self) -> bool:
        return self.waiting_for is not None or self.wake_at is not None


_UPDATE = (
    "UPDATE todos SET revision = revision + 1, title = coalesce(?, title), description = "
    "coalesce(?, description), priority = coalesce(?, priority), due_date = CASE WHEN ? = 1 THEN "
    "NULL ELSE coalesce(?, due_date) END, repeats = CASE WHEN ? = 1 THEN NULL ELSE coalesce(?, "
    "repeats) END, zone = coalesce(?, zone), status = CASE WHEN status IN ('open', 'waiting') THEN "
    "coalesce(?, status) ELSE status END, waiting_for = CASE WHEN ? = 1 THEN '' ELSE coalesce(?, "
    "waiting_for) END, wake_at = CASE WHEN ? = 1 THEN NULL ELSE coalesce(?, wake_at) END, assigned "
    "= coalesce(?, assigned), {narrowed}, origin = ?, updated_at = ? WHERE id = ? AND owner = ?"
)
_CLOSE = (
    "UPDATE todos SET revision = revision + 1, "
    "status = ?, completed_at = ?, updated_at = ?, wake_at = NULL WHERE id = ? AND owner = ?"
)
_WAKE = (
    "UPDATE todos SET revision = revision + 1, status = 'open', wake_at = NULL, updated_at = ?"
    " WHERE id = ? AND owner = ? AND status IN ('open', 'waiting')"
)
_DUE = (
    "UPDATE todos SET revision = revision + 1, "
    "due_date = ?, updated_at = ? WHERE id = ? AND owner = ? AND status IN ('open', 'waiting')"
)
_REOPEN = (
    "UPDATE todos SET revision = revision + 1, status = 'open', waiting_for = '', wake_at = NULL, "
    "completed_at = NULL, updated_at = ? WHERE id = ? AND owner = ?"
)
_NOTES = (
    "UPDATE todos SET revision = revision + 1, notes = ?, {narrowed}, origin = ?, updated_at = ?"
    " WHERE id = ? AND owner = ?"
)
_UNCHANGED = "UPDATE todos SET owner = owner WHERE id = ? AND owner = ? AND revision = ?"
_RENAME = (
    "UPDATE todos SET revision = revision + 1, slug = ?, updated_at = ? WHERE id = ? AND owner = ?"
)
_PUT_BACK = (
    "UPDATE todos SET revision = revision + 1, title = ?, description = ?, priority = ?, "
    "due_date = ?, repeats = ?, zone = ?, status = ?, waiting_for = ?, wake_at = ?, assigned = ?, "
    "completed_at = ?, slug = ?, notes = ?, reach = ?, channel = ?, origin = ?, updated_at = ?"
    " WHERE id = ? AND owner = ? AND revision = ?"
)
_DELETE = "DELETE FROM todos WHERE id = ? AND owner = ?"
_ACTIVE = (
    "SELECT * FROM todos WHERE {seen} AND status IN ('open', 'waiting') ORDER BY"
    " CASE status WHEN 'open' THEN 0 ELSE 1 END, due_date IS NULL, due_date,"
    " CASE priority WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END, created_at, id LIMIT ?"
)
_PLACE = (
    "CASE status WHEN 'open' THEN '0' ELSE '1' END || coalesce(due_date, 'z') || '|' || CASE "
    "priority WHEN 'high' THEN '0' WHEN 'medium' THEN '1' ELSE '2' END || created_at || '|' || id"
)
_ACTIVE_PAGE = (
    f"SELECT *, {_PLACE} AS place FROM todos WHERE {{seen}}"  # noqa: S608 - ours
    f" AND status IN ('open', 'waiting') AND {_PLACE} > ? ORDER BY place LIMIT ?"
)
_CLOSED = (
    "SELECT * FROM todos WHERE {seen} AND status IN ('done', 'dismissed') ORDER BY updated_at "
    "DESC, id LIMIT ?"
)
_COUNT = "SELECT status, count(*) AS n FROM todos WHERE {seen} GROUP BY status"


class TodoRows:
    """Reads the todos of one owner at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.taken = taken_in(database, "todos")

    async def find(self, owner: str, todo: str) -> Todo | None:
        """The owner's todo of that id; another person's is not found."""
        row = await self._database.read_one(
            "SELECT * FROM todos WHERE id = ? AND owner = ?", (todo, owner)
        )
        return Todo.from_row(row) if row else None

    async def named(self, owner: str, slug: str) -> Todo | None:
        """The owner's todo whose file has that name."""
        row = await self._database.read_one(
            "SELECT * FROM todos WHERE slug = ? AND owner = ?", (slug, owner)
        )
        return Todo.from_row(row) if row else None

    async def get(self, todo: str) -> Todo | None:
        """Anybody's todo with that id: for the reminder itself, never for a reader."""
        row = await self._database.read_one("SELECT * FROM todos WHERE id = ?", (todo,))
        return Todo.from_row(row) if row else None

    async def waking(self, owner: str) -> int:
        """How many of the owner's todos wake by themselves."""
        sql = (
            "SELECT count(*) AS n FROM todos WHERE owner = ? AND status = 'waiting' AND wake_at IS "
            "NOT NULL"
        )
        return await read_number(self._database, sql, (owner,))

    async def seen(self, viewer: Viewer) -> Seen:
        """The condition for the viewer's own todos that are visible in the place of the request."""
        return await seen(self._database, "todos", "owner = ?", (viewer.person,), viewer)

    async def active(self, which: Seen, limit: int) -> list[Todo]:
        """Open ones first, then waiting ones; by due date (none last), then priority."""
        return await self._todos(_ACTIVE, which, limit)

    async def active_page(self, which: Seen, behind: str, limit: int) -> list[tuple[str, Todo]]:
        """As `active`, behind a place; each with its own."""
        rows = await self._database.read(
            _ACTIVE_PAGE.format(seen=which.sql), (*which.params, behind, limit)
        )
        return [(row["place"], Todo.from_row(row)) for row in rows]

    async def closed(self, which: Seen, limit: int) -> list[Todo]:
        """Done and dismissed ones, the latest first."""
        return await self._todos(_CLOSED, which, limit)

    async def counts(self, which: Seen) -> dict[TodoStatus, int]:
        rows = await self._database.read(_COUNT.format(seen=which.sql), which.params)
        return {TodoStatus(row["status"]): int(row["n"]) for row in rows}

    async def _todos(self, sql: str, which: Seen, limit: int) -> list[Todo]:
        rows = await self._database.read(sql.format(seen=which.sql), (*which.params, limit))
        return [Todo.from_row(row) for row in rows]


def insert(todo: Todo) -> Unit:
    slug = todo.slug or f"{slug_of(todo.title)[:SLUG_CHARS].rstrip('-') or 'todo'}-{todo.id}"
    changed = {"slug": slug, "assigned": int(todo.assigned)}
    row = row_of(todo, "provenance", **todo.provenance.columns, **changed)
    return Unit.of(insert_into("todos", row, rows=1))


def update(todo: Todo, change: TodoChange, provenance: RecordProvenance, at: str) -> Unit:
    """Set only the given columns, so that two calls of one batch don't undo each other."""
    columns = (change.title, change.description, change.priority, change.clear_due, change.due_date)
    repeat = (change.clear_repeats, change.repeats, change.zone)
    origin = provenance.origin.to_text()
    status = TodoStatus.OPEN if change.reopen else TodoStatus.WAITING if change.waits else None
    waits = (status, change.reopen, change.waiting_for, change.reopen, change.wake_at)
    assigned = None if change.assigned is None else int(change.assigned)
    values = (
        *columns,
        *repeat,
        *waits,
        assigned,
        *narrowed(provenance.learned),
        origin,
        at,
        todo.id,
        todo.owner,
    )
    return Unit.of(Write(_UPDATE.format(narrowed=NARROWED), values, rows=1))


def close(todo: Todo, status: TodoStatus, at: str) -> Unit:
    """Set a closed status; only a done todo has a time of completion."""
    completed = at if status is TodoStatus.DONE else None
    return Unit.of(Write(_CLOSE, (status, completed, at, todo.id, todo.owner), rows=1))


def wake(todo: Todo, at: str) -> Unit:
    """Reopen it at its wake time; no error if it was closed meanwhile."""
    return Unit.of(Write(_WAKE, (at, todo.id, todo.owner)))


def reopen(todo: Todo, at: str) -> Unit:
    """Open it, from any status."""
    return Unit.of(Write(_REOPEN, (at, todo.id, todo.owner), rows=1))


def set_notes(todo: Todo, notes: str, provenance: RecordProvenance, at: str) -> Unit:
    origin = provenance.origin.to_text()
    values = (notes, *narrowed(provenance.learned), origin, at, todo.id, todo.owner)
    return Unit.of(Write(_NOTES.format(narrowed=NARROWED), values, rows=1))


def rename(todo: Todo, slug: str, at: str) -> Unit:
    """Give its file another name; rejected when another todo has it."""
    return Unit.of(Write(_RENAME, (slug, at, todo.id, todo.owner), rows=1))


def unchanged(todo: Todo) -> Unit:
    """Rejects the unit that it begins if the todo changed after it was read."""
    return Unit.of(Write(_UNCHANGED, (todo.id, todo.owner, todo.revision), rows=1))


def put_back(before: Todo) -> Unit:
    """Give a todo its earlier state again; rejected if another change followed the first one."""
    learned, origin = before.provenance.learned, before.provenance.origin.to_text()
    texts = (before.title, before.description, before.priority, before.due_date, before.repeats)
    state = (before.zone, before.status, before.waiting_for, before.wake_at)
    more = (int(before.assigned), before.completed_at, before.slug, before.notes)
    marks = (learned.reach, learned.channel, origin, before.updated_at)
    where = (before.id, before.owner, before.revision + 1)
    return Unit.of(Write(_PUT_BACK, (*texts, *state, *more, *marks, *where), rows=1))


def delete(todo: Todo) -> Unit:
    return Unit.of(Write(_DELETE, (todo.id, todo.owner), rows=1))


def delete_new(owner: str, slug: str) -> Unit:
    """Remove the todo of a new file; rejected if it was changed since."""
    sql = "DELETE FROM todos WHERE owner = ? AND slug = ? AND revision = 1"
    return Unit.of(Write(sql, (owner, slug), rows=1))


def set_due(todo: Todo, due_date: str, at: str) -> Unit:
    """Move the due date alone; no error when the todo was done meanwhile."""
    return Unit.of(Write(_DUE, (due_date, at, todo.id, todo.owner)))
