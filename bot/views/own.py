"""A person's own things: todos, files, connected services, and everything as an archive."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.clock import parse_utc
from bot.connections.access import Connections
from bot.connectors.due_dates import stored_day
from bot.connectors.todos.store import Todo, TodoRows
from bot.domain.database import Database, Row
from bot.domain.privacy import Learned
from bot.errors import ToolError
from bot.files.paths import SENT_BY_COMMAND, is_below, normalise
from bot.files.store import FileRows, Owner
from bot.plugin.views import ActionTold, FileRow, Looker, Rows, ServiceRow, TodoRow
from bot.sessions.reports.export_store import Exports
from bot.views.paging import LONG
from bot.views.sight import RowKind, may_see


@dataclass(frozen=True)
class HouseOwn:
    """Implements `bot.plugin.views.ShowsOwn`."""

    database: Database
    rows: FileRows
    connections: Connections
    exports: Exports

    async def todos(self, who: Looker, *, behind: str = "") -> Rows[TodoRow]:
        todos = TodoRows(self.database)
        found = await todos.active_page(await todos.seen(who.viewer), behind, LONG)
        rows = [
            _todo_row(one)
            for _, one in found
            if may_see(who, RowKind.KEPT, one.owner, one.provenance.learned)
        ]
        return Rows(rows, found[-1][0] if len(found) == LONG else "")

    async def files(self, who: Looker, *, behind: str = "") -> Rows[FileRow]:
        owner = Owner("person", who.person.id)
        found: list[Row] = []
        for root in sorted(SENT_BY_COMMAND):
            found += await self.rows.page(owner, root, behind, LONG - len(found))
            if len(found) == LONG:
                break
        rows = [
            FileRow(str(row["path"]), int(row["size"]), parse_utc(str(row["updated_at"])))
            for row in found
            if may_see(who, RowKind.KEPT, owner.id, Learned.of(row))
        ]
        return Rows(rows, str(found[-1]["path"]) if len(found) == LONG else "")

    async def file(self, who: Looker, path: str) -> bytes | None:
        """The bytes of a file that `/files` would send, too."""
        try:
            wanted = normalise(path)
        except ToolError:
            return None
        if not any(is_below(wanted, root) for root in SENT_BY_COMMAND):
            return None
        owner = Owner("person", who.person.id)
        row = await self.rows.read(owner, wanted)
        if row is None or not may_see(who, RowKind.KEPT, owner.id, Learned.of(row)):
            return None
        return str(row["text"]).encode("utf-8", "replace")

    async def services(self, who: Looker) -> Sequence[ServiceRow]:
        own, usable = self.connections.connected(who.person.id), self.connections.usable(who.person)
        possible = {one.id for one in self.connections.connectable(who.person)}
        return [
            ServiceRow(one.id, one.title, one.gives(), state)
            for one in self.connections.services.values()
            if (state := _state(one.id, own, usable, possible))
        ]

    async def disconnect(self, who: Looker, service: str) -> ActionTold:
        found = self.connections.services.get(service)
        if found is None or service not in self.connections.connected(who.person.id):
            return ActionTold("You have not connected that.", done=False)
        taken_back = await self.connections.drop(who.person.id, found)
        if taken_back:
            return ActionTold(f"{found.title} is disconnected.")
        return ActionTold(
            f"{found.title} is disconnected here, but it couldn't be told. End the access there, "
            f"too: {found.manage_url}"
        )

    async def export(self, who: Looker) -> bytes:
        return await self.exports.of(who.person.id)


def _state(service: str, own: frozenset[str], usable: frozenset[str], possible: set[str]) -> str:
    if service in own:
        return "connected"
    if service in usable:
        return "shared"
    return "possible" if service in possible else ""


def _todo_row(todo: Todo) -> TodoRow:
    due = todo.due_date or ""
    whole_day = not due or stored_day(due) is not None
    return TodoRow(
        todo.id,
        todo.title,
        due if whole_day else "",
        None if whole_day else parse_utc(due),
        str(todo.priority),
        str(todo.status),
    )
