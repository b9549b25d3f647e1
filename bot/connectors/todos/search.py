"""Todos for the tool `search`: the person's own, open and closed."""

import asyncio
from collections.abc import Sequence

from bot.clock import parse_utc
from bot.connectors.todos.store import Todo, TodoRows
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
        if _in_time(todo, wanted)
    ]
    return [
        todo for score, todo in sorted(scored, key=lambda one: -one[0]) if score or not wanted.query
    ]


def _in_time(todo: Todo, wanted: SearchQuery) -> bool:
    at = parse_utc(todo.updated_at)
    return (wanted.after is None or at >= wanted.after) and (
        wanted.before is None or at < wanted.before
    )


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
