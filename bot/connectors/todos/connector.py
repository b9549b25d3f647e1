"""The connector "todos"."""

from bot.connectors.native import NativeConnector
from bot.connectors.todos.store import TodoRows
from bot.connectors.todos.tool import manage_todos
from bot.domain.database import Database


class TodosConnector(NativeConnector):
    """One list per person, kept in the database; /todos files will be a second view of it (ruling 13)."""

    id = "todos"
    section = "- to be done: manage_todos"

    def __init__(self, database: Database) -> None:
        super().__init__(manage_todos(TodoRows(database)))
