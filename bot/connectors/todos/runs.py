"""Runs in which the assistant works on a todo: one that is assigned, or one that wakes."""

from datetime import datetime

from bot.clock import parse_utc
from bot.connectors.todos.store import Todo
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.sessions import SessionKey
from bot.domain.work import TodoWork, dump_work
from bot.turns.schedules import store as schedules

_SESSION = "todo"


def session_of(todo: Todo) -> str:
    """The session of these runs; the schedule that starts them is found by it."""
    return str(SessionKey(_SESSION, "", todo.id, todo.owner, _SESSION))


def runs_at(todo: Todo, now: datetime, *, assigned_now: bool) -> datetime | None:
    """The time of the next run. None: nothing wakes it, or it is closed."""
    if not todo.active:
        return None
    if todo.wake_at is not None:
        return parse_utc(todo.wake_at)
    return now if assigned_now else None


def running_at(
    todo: Todo, at: datetime, envelope: JsonObject, now: datetime, *, keep_place: bool
) -> Unit:
    """Run it at `at`; the answer goes to `envelope`'s place or to the earlier one."""
    message: JsonObject = {**envelope, "text": "", "typed": None, "attachments": [], "quoted": []}
    body = dump_work(TodoWork(message, todo.id))
    return Unit.of(*schedules.set_once(session_of(todo), body, at, now, keep_body=keep_place))


def idle(todo: Todo) -> Unit:
    """Stop starting runs of it."""
    return Unit.of(schedules.remove_session(session_of(todo)))
