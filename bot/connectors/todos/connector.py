"""The connector "todos"."""

from bot.connectors.native import NativeConnector
from bot.connectors.todos.search import find_todos
from bot.connectors.todos.store import TodoRows
from bot.connectors.todos.tool import manage_todos
from bot.domain.database import Database
from bot.domain.search import EntityType, Found, Wanted
from bot.domain.tools import ToolContext
from bot.turns.schedules.settings import ScheduleSettings


class TodosConnector(NativeConnector):
    """One list per person, kept in the database. A todo with a due date rings. Implements `SearchSource`."""

    id = "todos"
    finds = EntityType.TODO
    found_with = "manage_todos"
    section = "- to be done: manage_todos"

    def __init__(self, database: Database, schedules: ScheduleSettings | None = None) -> None:
        self._rows = TodoRows(database)
        super().__init__(manage_todos(self._rows, schedules or ScheduleSettings()))

    async def find(self, context: ToolContext, wanted: Wanted) -> Found:
        """The person's todos with these words. Raises StorageError."""
        return await find_todos(self._rows, context, wanted)
