"""`/todo`: open todos, and the buttons below a reminder. `/remindme`: what others may have me do.

`/remindme` also lists a person's reminders for others.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from bot.clock import format_utc
from bot.connectors.due_dates import due_in_words
from bot.connectors.todos import reminders
from bot.connectors.todos import store as todos
from bot.connectors.todos.store import Todo, TodoRows, TodoStatus
from bot.domain.access import Person
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Language
from bot.domain.native_commands import Completion
from bot.domain.origins import Trust
from bot.domain.privacy import Viewer, left_out
from bot.sessions.commands.asked import Asked, BuiltIn, CommandReply
from bot.sessions.commands.completing import Completing, words
from bot.sessions.records import member_reminder_store as store
from bot.sessions.records.member_reminder_store import (
    MemberReminder,
    MemberReminderRows,
    ReminderConsent,
    ReminderState,
)
from bot.sessions.wording import phrases

TODO_USAGE = "[ID done|tomorrow|hour]"
SHOWN = 20


class TodoCommands:
    """A person's own todos, without a model."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        rescheduled: Callable[[], None],
    ) -> None:
        """`rescheduled` is called after a due time changes."""
        self._database, self._clock = database, clock
        self._rescheduled = rescheduled
        self._todos = TodoRows(database)

    def commands(self) -> tuple[BuiltIn, ...]:
        return (BuiltIn("todo", self.run, usage=TODO_USAGE, offers=self.offered),)

    async def offered(self, asks: Completing) -> Sequence[Completion]:
        """Each open todo with what can be done about it."""
        seen = await self._todos.seen(asks.viewer)
        found = await self._todos.active(seen, SHOWN)
        return [
            Completion(f"{todo.title}: {verb}", f"{todo.id} {verb}")
            for verb in ("done", "tomorrow", "hour")
            for todo in found
        ]

    async def run(self, asked: Asked) -> str | CommandReply:
        """One command. By its own time it means the same when it runs again after a crash."""
        viewer, at = await asked.viewer(), asked.message.sent_at
        ref, _, what = asked.args.partition(" ")
        if not ref:
            return await self._list(viewer, asked.language)
        todo = await self._todos.find(viewer.person, ref.lower().lstrip("#"))
        if todo is None:
            return phrases.NOT_YOUR_TODO.said(asked.language)
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
                return await self._move(
                    todo, reminders.tomorrow(todo, at, reminders.MORNING), title
                )
            case "hour":
                return await self._move(todo, at + reminders.SNOOZE, title)
            case _:
                return f"Say `/todo {TODO_USAGE}`. Without arguments it lists your open todos."

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

    async def _list(self, viewer: Viewer, language: Language) -> CommandReply:
        seen = await self._todos.seen(viewer)
        todos = await self._todos.active(seen, SHOWN)
        lines = [f"- {todo.id} {todo.title}{_due(todo)}" for todo in todos]
        trusts = [todo.provenance.origin.trust for todo in todos]
        if seen.left_out:
            lines.append(f"{left_out(seen.left_out)}.")
        text = "\n".join(lines) or phrases.NO_TODOS.said(language)
        return CommandReply(text, trust=max([Trust.MEMBER, *trusts]))


def _due(todo: Todo) -> str:
    return f", due {due_in_words(todo.due_date, todo.zone)}" if todo.due_date else ""


REMINDME_USAGE = "[on|off|ask|default|messages on|messages off]"
_MEANS = {
    ReminderConsent.DEFAULT: "members may remind you from a place where you both are",
    ReminderConsent.ON: "members may remind you from anywhere",
    ReminderConsent.ASK: "I ask you about each reminder that somebody sets for you",
    ReminderConsent.OFF: "nobody but you may have me remind you",
}
_MESSAGES = {
    "on": "members may have me send you a message",
    "off": "nobody may have me send you a message",
}
_STATES = {
    ReminderState.ASKING: "not delivered: they have not answered yet",
    ReminderState.SET: "not delivered yet",
    ReminderState.DELIVERED: "delivered",
    ReminderState.UNDELIVERED: "not delivered",
    ReminderState.REFUSED: "not delivered",
    ReminderState.STOPPED: "not delivered",
}


class RemindMeCommands:
    """The receiver's side. A setter learns only whether something was delivered."""

    def __init__(self, database: Database, clock: Clock, rescheduled: Callable[[], None]) -> None:
        """`rescheduled` is called after a due time changes."""
        self._database, self._clock = database, clock
        self._rescheduled = rescheduled
        self._rows = MemberReminderRows(database)
        self._todos = TodoRows(database)

    def commands(self) -> tuple[BuiltIn, ...]:
        return (
            BuiltIn(
                "remindme",
                self.run,
                usage=REMINDME_USAGE,
                offers=words("on", "off", "ask", "default", "messages on", "messages off"),
            ),
        )

    async def run(self, asked: Asked) -> str:
        person = asked.person
        first, _, rest = asked.args.partition(" ")
        if not first:
            return (
                await self._show(person)
                if asked.alone
                else "Ask me in a direct message; others read along here."
            )
        if first.casefold() in set(ReminderConsent):
            choice = ReminderConsent(first.casefold())
            await self._database.write(store.choose(person.id, choice))
            return f"From now on {_MEANS[choice]}."
        if first.casefold() == "messages" and rest.strip().casefold() in _MESSAGES:
            refuses = rest.strip().casefold() == "off"
            await self._database.write(store.refuse_messages(person.id, refuses=refuses))
            return f"From now on {_MESSAGES[rest.strip().casefold()]}."
        if first.casefold() == "again":
            return await self._again(person, rest.strip())
        reminder = await self._rows.of_todo(first.lower().lstrip("#"))
        if reminder is None or reminder.receiver != person.id:
            return f"Say `/remindme {REMINDME_USAGE}`. Without arguments it shows your settings."
        return await self._decide(reminder, rest.strip().casefold(), asked.message.sent_at)

    async def _decide(self, reminder: MemberReminder, what: str, at: datetime) -> str:
        match what:
            case "yes" if reminder.state is ReminderState.ASKING:
                return await self._allow(reminder, at)
            case "no" if reminder.state is ReminderState.ASKING:
                await self._close(reminder, ReminderState.REFUSED, at)
                return "I won't remind you of it."
            case "stop":
                await self._close(reminder, ReminderState.STOPPED, at)
                return (
                    f"{reminder.setter_name} can't set reminders for you any more."
                    f" `/remindme again {reminder.setter}` takes that back."
                )
            case "yes" | "no":
                return "That was decided already."
            case _:
                return f"Say `/remindme {REMINDME_USAGE}`."

    async def _allow(self, reminder: MemberReminder, at: datetime) -> str:
        todo = await self._todos.get(reminder.todo)
        if todo is None or not todo.active:
            return "That todo is closed already."
        now = self._clock.now()
        due = max(reminder.due, now)
        unit = reminders.moved(todo, due, now) + Unit.of(
            store.set_state(reminder, ReminderState.SET)
        )
        await self._write(unit)
        return f"I remind you on {reminders.spoken(due, todo.zone)}."

    async def _close(self, reminder: MemberReminder, state: ReminderState, at: datetime) -> None:
        """Cancel a pending reminder; a delivered one stays the receiver's own todo."""
        unit = Unit.of(store.set_state(reminder, state))
        todo = await self._todos.get(reminder.todo)
        if todo is not None and todo.active and reminder.state.open:
            unit += todos.close(todo, TodoStatus.DISMISSED, format_utc(at)) + reminders.silent(todo)
        await self._write(unit)

    async def _again(self, person: Person, setter: str) -> str:
        written = await self._database.write(Unit.of(store.allow_again(person.id, setter)))
        if not written.returned[0]:
            return (
                f"You have stopped nobody called {setter[:40]!r}. `/remindme` lists whom you "
                "stopped."
            )
        return f"`{setter}` may set reminders for you again."

    async def _write(self, unit: Unit) -> None:
        await self._database.write(unit)
        self._rescheduled()

    async def _show(self, person: Person) -> str:
        choice = await self._rows.choice(person.id)
        lines = [
            (
                f"Reminders from others ({choice}): {_MEANS[choice]}. Change it with `/remindme "
                f"{REMINDME_USAGE}`."
            )
        ]
        refuses = await self._rows.refuses_messages(person.id)
        lines += [f"Messages from others: {_MESSAGES['off' if refuses else 'on']}."]
        stopped = await self._rows.stopped(person.id)
        lines += [
            f"- You stopped {name} (`{id_}`); `/remindme again {id_}` takes that back."
            for id_, name in stopped.items()
        ]
        mine = await self._rows.set_by(person.id)
        lines += ["Set by you for others:"] if mine else []
        lines += [
            f"- {one.receiver_name}, {reminders.spoken(one.due, one.zone)}: {_STATES[one.state]}"
            for one in mine
        ]
        return "\n".join(lines)
