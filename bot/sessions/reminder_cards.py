"""Messages that a todo rang with: what they ask, and when that is over."""

from bot.connectors.due_dates import due_in_words
from bot.connectors.todos.store import TodoRows, TodoStatus
from bot.domain.database import Database
from bot.sessions import sentences
from bot.sessions.card_store import Asks

_TODO = "todo:"
"""Begins what a card about a todo asks."""


def asks_about(todo: str, due_date: str) -> Asks:
    """What the card of a reminder asks: whether this todo was done, or moved from this due date."""
    return Asks(f"{_TODO}{todo}", due_date)


def is_reminder(ref: str) -> bool:
    return ref.startswith(_TODO)


async def reminder_end(database: Database, asks: Asks) -> str | None:
    """How a reminder ended, for its card; None while its todo is still due."""
    todo = await TodoRows(database).get(asks.ref.removeprefix(_TODO))
    if todo is None:
        return sentences.CLOSED
    if todo.status is TodoStatus.DONE:
        return "Done"
    if todo.due_date == asks.step and todo.active:
        return None
    return f"Next: {due_in_words(todo.due_date, todo.zone)}" if todo.active and todo.due_date else sentences.CLOSED
