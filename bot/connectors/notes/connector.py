"""The connector "notes"."""

from bot.connectors.native import NativeConnector
from bot.connectors.notes.store import NoteRows
from bot.connectors.notes.tool import manage_notes
from bot.domain.database import Database


class NotesConnector(NativeConnector):
    """A user board per person and an agent board per agent, kept in the database."""

    id = "notes"

    def __init__(self, database: Database) -> None:
        super().__init__(manage_notes(NoteRows(database)))
