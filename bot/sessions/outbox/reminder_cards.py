"""Cards of reminders: their subject and their end."""

from bot.connectors.due_dates import due_in_words
from bot.connectors.todos.store import TodoRows, TodoStatus
from bot.domain.database import Database
from bot.sessions.outbox.card_store import Asks
from bot.sessions.records.member_reminder_store import MemberReminderRows, ReminderState
from bot.sessions.wording import sentences

_TODO = "todo:"
"""The prefix of the subject of a card about a todo."""
ASKING = "may I"
"""Stands in place of a due date: the card asks whether somebody else may send reminders."""


def asks_about(todo: str, due_date: str) -> Asks:
    """The subject of a reminder's card: this todo with this due date."""
    return Asks(f"{_TODO}{todo}", due_date)


def is_reminder(ref: str) -> bool:
    return ref.startswith(_TODO)


async def reminder_end(database: Database, asks: Asks) -> str | None:
    """How a reminder ended, for its card; None while its todo is still due."""
    if asks.step == ASKING:
        return await _asking_end(database, asks.ref.removeprefix(_TODO))
    todo = await TodoRows(database).get(asks.ref.removeprefix(_TODO))
    if todo is None:
        return sentences.CLOSED
    if todo.status is TodoStatus.DONE:
        return "Done"
    if todo.due_date == asks.step and todo.active:
        return None
    return (
        f"Next: {due_in_words(todo.due_date, todo.zone)}"
        if todo.active and todo.due_date
        else sentences.CLOSED
    )


async def _asking_end(database: Database, todo: str) -> str | None:
    reminder = await MemberReminderRows(database).of_todo(todo)
    match reminder.state if reminder else ReminderState.REFUSED:
        case ReminderState.ASKING:
            return None
        case ReminderState.SET | ReminderState.DELIVERED:
            return "Allowed"
        case ReminderState.STOPPED:
            return "Stopped"
        case ReminderState.REFUSED | ReminderState.UNDELIVERED:
            return sentences.CLOSED
