"""The connector "todos"."""

from bot.connectors.native import NativeConnector
from bot.connectors.todos.store import TodoRows
from bot.connectors.todos.tool import manage_todos
from bot.domain.database import Database
from bot.turns.schedules.settings import ScheduleSettings


class TodosConnector(NativeConnector):
    """One list per person, kept in the database. A todo with a due date rings."""

    id = "todos"
    section = "- to be done: manage_todos"

    def __init__(self, database: Database, schedules: ScheduleSettings | None = None) -> None:
        super().__init__(manage_todos(TodoRows(database), schedules or ScheduleSettings()))
