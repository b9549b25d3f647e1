"""`/todo`: open todos, and the buttons below a reminder."""

from collections.abc import Callable
from datetime import datetime

from bot.connectors.due_dates import due_in_words
from bot.connectors.todos import reminders
from bot.connectors.todos.store import Todo, TodoRows
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.origins import Trust
from bot.domain.privacy import Viewer, left_out
from bot.sessions.commands.asked import CommandReply
from bot.turns.schedules.settings import ScheduleSettings

USAGE = "[ID done|tomorrow|hour]"
SHOWN = 20


class TodoCommands:
    """A person's own todos, without a model."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        schedules: ScheduleSettings,
        rescheduled: Callable[[], None],
    ) -> None:
        """`rescheduled` is called after a due time changes."""
        self._database, self._clock = database, clock
        self._rescheduled = rescheduled
        self._todos = TodoRows(database)
        self._morning = reminders.morning_of(schedules)

    async def run(self, args: str, viewer: Viewer, at: datetime) -> str | CommandReply:
        """One command.

        `at`: the time of the command, so that it means the same when it runs again after a crash.
        """
        ref, _, what = args.strip().partition(" ")
        if not ref:
            return await self._list(viewer)
        todo = await self._todos.find(viewer.person, ref.lower().lstrip("#"))
        if todo is None:
            return "That is not one of your todos. `/todo` lists yours."
        title = (
            f"“{todo.title}”"
            if viewer.sees(todo.owner, todo.provenance.learned)
            else "your private todo"
        )
        if not todo.active:
            return f"Done already: {title}."
        match what.strip().casefold():
            case "done":
                return await self._done(todo, at, title)
            case "tomorrow":
                return await self._move(todo, reminders.tomorrow(todo, at, self._morning), title)
            case "hour":
                return await self._move(todo, at + reminders.SNOOZE, title)
            case _:
                return f"Say `/todo {USAGE}`. Without arguments it lists your open todos."

    async def _done(self, todo: Todo, at: datetime, title: str) -> str:
        unit, again = reminders.completed(todo, at)
        await self._write(unit)
        if again is None:
            return f"Done: {title}."
        return f"Done for this time: {title}. Next: {reminders.spoken(again, todo.zone)}."

    async def _move(self, todo: Todo, due: datetime, title: str) -> str:
        await self._write(reminders.moved(todo, due, self._clock.now()))
        return f"I remind you of {title} on {reminders.spoken(due, todo.zone)}."

    async def _write(self, unit: Unit) -> None:
        await self._database.write(unit)
        self._rescheduled()

    async def _list(self, viewer: Viewer) -> CommandReply:
        seen = await self._todos.seen(viewer)
        todos = await self._todos.active(seen, SHOWN)
        lines = [f"- {todo.id} {todo.title}{_due(todo)}" for todo in todos]
        trusts = [todo.provenance.origin.trust for todo in todos]
        if seen.left_out:
            lines.append(f"{left_out(seen.left_out)}.")
        text = "\n".join(lines) or "You have no open todos."
        return CommandReply(text, trust=max([Trust.MEMBER, *trusts]))


def _due(todo: Todo) -> str:
    return f", due {due_in_words(todo.due_date, todo.zone)}" if todo.due_date else ""
