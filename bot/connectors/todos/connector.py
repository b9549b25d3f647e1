"""The connector "todos", and how `search` finds todos."""

import asyncio
from collections.abc import Sequence

from bot.clock import parse_utc
from bot.connectors.native import NativeConnector
from bot.connectors.todos.files import TodoFiles
from bot.connectors.todos.store import Todo, TodoRows
from bot.connectors.todos.tool import TodoActions, manage_todos
from bot.domain.database import Database
from bot.domain.files import FileSource
from bot.domain.search import EntityType, Hit, SearchHits, SearchQuery
from bot.domain.tool_context import ToolContext
from bot.storage.stems import StemmedQuery

LOOKED_THROUGH = 500
"""The limit for open todos, and again for closed ones."""
SNIPPET_CHARS = 240


async def find_todos(rows: TodoRows, context: ToolContext, wanted: SearchQuery) -> SearchHits:
    """Todos that contain most of the words, open ones first. Raises StorageError."""
    if wanted.is_about_chat:
        return SearchHits()
    seen = await rows.seen(context.viewer)
    todos = [*await rows.active(seen, LOOKED_THROUGH), *await rows.closed(seen, LOOKED_THROUGH)]
    found = await asyncio.to_thread(_best, todos, wanted)
    return SearchHits([_hit(todo) for todo in found[: wanted.limit]])


def _best(todos: Sequence[Todo], wanted: SearchQuery) -> list[Todo]:
    words = StemmedQuery.of(wanted.query)
    scored = [
        (words.found_in(f"{todo.title} {todo.description}"), todo)
        for todo in todos
        if wanted.covers(parse_utc(todo.updated_at))
    ]
    return [
        todo for score, todo in sorted(scored, key=lambda one: -one[0]) if score or not wanted.query
    ]


def _hit(todo: Todo) -> Hit:
    provenance = todo.provenance
    return Hit(
        EntityType.TODO,
        todo.id,
        todo.title,
        todo.description[:SNIPPET_CHARS],
        provenance.origin,
        parse_utc(todo.updated_at),
        private=provenance.learned.private,
        more={"status": str(todo.status)},
    )


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
