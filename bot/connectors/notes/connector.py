"""The connector "notes"."""

from collections.abc import Sequence

from bot.connectors.native import NativeConnector
from bot.connectors.notes.store import Board, NoteRows, delete
from bot.connectors.notes.tool import manage_notes, recalled, recollection
from bot.domain.database import Database, Unit
from bot.domain.memory import RecallQuery, Recollection
from bot.domain.tool_context import ToolContext


class NotesConnector(NativeConnector):
    """A user board per person and an agent board per agent, kept in the database."""

    id = "notes"
    recalled_by = "manage_notes"

    def __init__(self, database: Database) -> None:
        self._rows = NoteRows(database)
        super().__init__(manage_notes(self._rows))

    async def recall(self, context: ToolContext, wanted: RecallQuery) -> Sequence[Recollection]:
        return await recalled(self._rows, context)

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        note = await self._rows.find(Board.USER, context.person.id, id_.removeprefix(f"{self.id}:"))
        return None if note is None else recollection(note)

    def removal(self, context: ToolContext, id_: str) -> Unit:
        return self.forgetting(context.person.id, id_)

    async def kept_of(self, person: str) -> Sequence[Recollection]:
        return [recollection(one) for one in await self._rows.owned(person)]

    def forgetting(self, person: str, id_: str) -> Unit:
        return delete(person, id_.removeprefix(f"{self.id}:"))
