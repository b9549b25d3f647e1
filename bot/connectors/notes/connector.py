"""The connector "notes"."""

from collections.abc import Sequence

from bot.connectors.native import NativeConnector
from bot.connectors.notes.store import NoteRows
from bot.connectors.notes.tool import manage_notes, recalled
from bot.domain.database import Database
from bot.domain.memory import Recollection
from bot.domain.tools import ToolContext


class NotesConnector(NativeConnector):
    """A user board per person and an agent board per agent, kept in the database."""

    id = "notes"
    recalled_by = "manage_notes"

    def __init__(self, database: Database) -> None:
        self._rows = NoteRows(database)
        super().__init__(manage_notes(self._rows))

    async def recall(self, context: ToolContext, query: str) -> Sequence[Recollection]:
        return await recalled(self._rows, context)
