"""The connector "todos"."""

from collections.abc import Sequence

from bot.connectors.native import NativeConnector
from bot.connectors.todos.files import TodoFiles
from bot.connectors.todos.search import find_todos
from bot.connectors.todos.store import TodoRows
from bot.connectors.todos.tool import TodoActions, manage_todos
from bot.domain.database import Database
from bot.domain.files import FileSource
from bot.domain.search import EntityType, SearchHits, SearchQuery
from bot.domain.tool_context import ToolContext


class TodosConnector(NativeConnector):
    """One list per person, kept in the database and as files. A due todo reminds its person.

    Implements `SearchSource`.
    """

    id = "todos"
    finds = EntityType.TODO
    found_with = "manage_todos"
    section = "- to be done: manage_todos or /todos"

    def __init__(self, database: Database) -> None:
        self._rows = TodoRows(database)
        actions = TodoActions(self._rows)
        super().__init__(manage_todos(actions))
        self._files = TodoFiles(self._rows, actions)

    def file_sources(self) -> Sequence[FileSource]:
        return (self._files,)

    async def find(self, context: ToolContext, wanted: SearchQuery) -> SearchHits:
        """The person's todos with these words. Raises StorageError."""
        return await find_todos(self._rows, context, wanted)
