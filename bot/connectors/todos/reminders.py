"""When a todo rings: its schedule row, written in the unit that changes the todo."""

from datetime import datetime, time, timedelta

from bot.clock import format_utc, parse_utc
from bot.connectors.due_dates import stored_day, zone
from bot.connectors.todos import store
from bot.connectors.todos.runs import idle
from bot.connectors.todos.store import Todo, TodoStatus
from bot.dates.reading import Moment, on_clocks
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language
from bot.domain.sessions import SessionKey
from bot.domain.work import ReminderWork, dump_work
from bot.turns.schedules import store as schedules
from bot.turns.schedules.cron import next_due

_SESSION = "reminder"
"""The kind of work of a todo's reminder."""
SNOOZE = timedelta(hours=1)
MORNING = time(9)
"""When a todo rings that is due on a day without a time, in its person's zone."""


def session_of(todo: Todo) -> str:
    """The session of its reminder; the schedule is found by it, wherever the todo is changed."""
    return str(SessionKey(_SESSION, "", todo.id, todo.owner, _SESSION))


def rings_at(todo: Todo, morning: time, now: datetime) -> datetime | None:
    """The time of the next reminder. None: no due date, closed, or already past."""
    if not todo.active or todo.due_date is None:
        return None
    at = due_moment(todo.due_date, todo.zone, morning)
    if at > now:
        return at
    return next_due(todo.repeats, todo.zone, now) if todo.repeats else None


def due_moment(due_date: str, timezone: str, morning: time) -> datetime:
    """A stored due date as a moment; a day without a time means the morning."""
    day = stored_day(due_date)
    return parse_utc(due_date) if day is None else on_clocks(day, morning, zone(timezone)).at


def ringing(
    todo: Todo, at: datetime | None, envelope: JsonObject, now: datetime, *, keep_place: bool
) -> Unit:
    """Set the reminder to `at`, or remove it (None).

    The reminder appears in the place of `envelope`. With `keep_place`, an existing reminder keeps
    its own place.
    """
    if at is None:
        return silent(todo)
    message: JsonObject = {**envelope, "text": "", "typed": None, "attachments": [], "quoted": []}
    body = dump_work(ReminderWork(message, todo.id))
    return Unit.of(*schedules.set_once(session_of(todo), body, at, now, keep_body=keep_place))


def completed(todo: Todo, now: datetime) -> tuple[Unit, datetime | None]:
    """The statements that mark it as done, and the time when a repeating one is due again."""
    repeats, after = todo.repeats, max(now, _due_now(todo, now))
    due = None if repeats is None else next_due(repeats, todo.zone, after)
    if due is None:
        return store.close(todo, TodoStatus.DONE, format_utc(now)) + silent(todo) + idle(todo), None
    return moved(todo, due, now), due


def silent(todo: Todo) -> Unit:
    """Remove its reminder."""
    return Unit.of(schedules.remove_session(session_of(todo)))


def moved(todo: Todo, due: datetime, now: datetime) -> Unit:
    """Move its due date and its reminder."""
    return store.set_due(todo, format_utc(due), format_utc(now)) + Unit.of(
        schedules.move_session(session_of(todo), due)
    )


def tomorrow(todo: Todo, now: datetime, morning: time) -> datetime:
    """Tomorrow at the due date's time of day, in the person's zone."""
    place = zone(todo.zone)
    due = todo.due_date and due_moment(todo.due_date, todo.zone, morning)
    clock = due.astimezone(place).time() if due else morning
    return on_clocks(now.astimezone(place).date() + timedelta(days=1), clock, place).at


def rung_again(todo: Todo, rang: datetime, now: datetime) -> Unit:
    """After a repeating todo's reminder: set the next one, whether it was done or not."""
    if todo.repeats is None or (due := next_due(todo.repeats, todo.zone, max(now, rang))) is None:
        return Unit()
    return Unit.of(schedules.move_session(session_of(todo), due))


def spoken(at: datetime, timezone: str, language: Language = Language.EN) -> str:
    """`Friday 27 November 2026, 15:00 (Europe/Berlin)`."""
    return Moment(at, zone(timezone).key).spoken(language)


def _due_now(todo: Todo, now: datetime) -> datetime:
    """A repeating todo done early is done for its next time, not for the previous one."""
    if todo.due_date is None or stored_day(todo.due_date) is not None:
        return now
    return parse_utc(todo.due_date)
