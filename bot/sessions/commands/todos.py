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
from bot.domain.chat_commands import (
    Asked,
    ChatCommand,
    CommandReply,
    Completing,
    only_called,
    words,
)
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Language, Phrase
from bot.domain.native_commands import Completion
from bot.domain.origins import Trust
from bot.domain.privacy import Viewer, left_out
from bot.sessions.records import member_reminder_store as store
from bot.sessions.records.member_reminder_store import (
    MemberReminder,
    MemberReminderRows,
    ReminderConsent,
    ReminderState,
)
from bot.sessions.wording import phrases as said

FROM_NOW_ON = Phrase("From now on {what}.")
UNDELIVERED = Phrase("not delivered")
REMINDME_HOW = Phrase("Say `/remindme {usage}`.")
REMINDME_SHOWS = Phrase("Without arguments it shows your settings.")
YOU_STOPPED = Phrase("You stopped {name} (`{id}`); `/remindme again {id}` takes that back.")

TODO_USAGE = "[ID done|tomorrow|hour]"
SHOWN = 20


class TodoCommands:
    """A person's own todos, without a model."""

    def __init__(self, database: Database, clock: Clock, rescheduled: Callable[[], None]) -> None:
        """`rescheduled` is called after a due time changes."""
        self._database, self._clock = database, clock
        self._rescheduled = rescheduled
        self._todos = TodoRows(database)

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("todo", self.run, usage=TODO_USAGE, offers=self.offered),)

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
            title, _, what = asked.args.rpartition(" ")
            shown = await self._todos.active(await self._todos.seen(viewer), SHOWN)
            todo = only_called(title, [(one.title, one) for one in shown])
        language = asked.language
        if todo is None:
            return Phrase("That is not one of your todos. `/todo` lists yours.").said(language)
        seen = viewer.sees(todo.owner, todo.provenance.learned)
        named = said.TITLED if seen else Phrase("your private todo")
        title = named.said(language, title=todo.title)
        if not todo.active:
            return Phrase("Done already: {title}.").said(language, title=title)
        match what.strip().casefold():
            case "done":
                unit, again = reminders.completed(todo, at)
                await self._write(unit)
                if again is None:
                    return Phrase("Done: {title}.").said(language, title=title)
                when = reminders.spoken(again, todo.zone, language)
                done = Phrase("Done for this time: {title}. Next: {when}.")
                return done.said(language, title=title, when=when)
            case "tomorrow":
                due = reminders.tomorrow(todo, at, reminders.MORNING)
            case "hour":
                due = at + reminders.SNOOZE
            case _:
                how = Phrase("Say `/todo {usage}`. Without arguments it lists your open todos.")
                return how.said(language, usage=TODO_USAGE)
        await self._write(reminders.moved(todo, due, self._clock.now()))
        when = reminders.spoken(due, todo.zone, language)
        return Phrase("I remind you of {title} on {when}.").said(language, title=title, when=when)

    async def _write(self, unit: Unit) -> None:
        await self._database.write(unit)
        self._rescheduled()

    async def _list(self, viewer: Viewer, language: Language) -> CommandReply:
        seen = await self._todos.seen(viewer)
        todos = await self._todos.active(seen, SHOWN)
        lines = [f"- {todo.id} {todo.title}{due_words(todo, language)}" for todo in todos]
        trusts = [todo.provenance.origin.trust for todo in todos]
        if seen.left_out:
            lines.append(f"{left_out(seen.left_out, language)}.")
        text = "\n".join(lines) or Phrase("You have no open todos.").said(language)
        return CommandReply(text, trust=max([Trust.MEMBER, *trusts]))


def due_words(todo: Todo, language: Language) -> str:
    """When it is due, behind its title."""
    if not todo.due_date:
        return ""
    when = due_in_words(todo.due_date, todo.zone, language)
    return Phrase(", due {when}").said(language, when=when)


REMINDME_USAGE = "[on|off|ask|default|messages on|messages off]"
_MEANS = {
    ReminderConsent.DEFAULT: Phrase("members may remind you from a place where you both are"),
    ReminderConsent.ON: Phrase("members may remind you from anywhere"),
    ReminderConsent.ASK: Phrase("I ask you about each reminder that somebody sets for you"),
    ReminderConsent.OFF: Phrase("nobody but you may have me remind you"),
}
_MESSAGES = {
    "on": Phrase("members may have me send you a message"),
    "off": Phrase("nobody may have me send you a message"),
}
_STATES = {
    ReminderState.ASKING: Phrase("not delivered: they have not answered yet"),
    ReminderState.SET: Phrase("not delivered yet"),
    ReminderState.DELIVERED: Phrase("delivered"),
    ReminderState.UNDELIVERED: UNDELIVERED,
    ReminderState.REFUSED: UNDELIVERED,
    ReminderState.STOPPED: UNDELIVERED,
}


class RemindMeCommands:
    """The receiver's side. A setter learns only whether something was delivered."""

    def __init__(self, database: Database, clock: Clock, rescheduled: Callable[[], None]) -> None:
        """`rescheduled` is called after a due time changes."""
        self._database, self._clock = database, clock
        self._rescheduled = rescheduled
        self._rows = MemberReminderRows(database)
        self._todos = TodoRows(database)

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(
                "remindme",
                self.run,
                usage=REMINDME_USAGE,
                offers=words("on", "off", "ask", "default", "messages on", "messages off"),
            ),
        )

    async def run(self, asked: Asked) -> str:
        person, language = asked.person, asked.language
        first, _, rest = asked.args.partition(" ")
        if not first:
            return await self._show(asked) if asked.alone else said.ASK_DIRECTLY.said(language)
        if first.casefold() in set(ReminderConsent):
            choice = ReminderConsent(first.casefold())
            await self._database.write(store.choose(person.id, choice))
            return FROM_NOW_ON.said(language, what=_MEANS[choice].said(language))
        if first.casefold() == "messages" and rest.strip().casefold() in _MESSAGES:
            wanted = rest.strip().casefold()
            await self._database.write(store.refuse_messages(person.id, refuses=wanted == "off"))
            return FROM_NOW_ON.said(language, what=_MESSAGES[wanted].said(language))
        if first.casefold() == "again":
            return await self._again(asked, rest.strip())
        reminder = await self._rows.of_todo(first.lower().lstrip("#"))
        if reminder is None or reminder.receiver != person.id:
            how = REMINDME_HOW.said(language, usage=REMINDME_USAGE)
            return f"{how} {REMINDME_SHOWS.said(language)}"
        return await self._decide(reminder, rest.strip().casefold(), asked)

    async def _decide(self, reminder: MemberReminder, what: str, asked: Asked) -> str:
        language, at = asked.language, asked.message.sent_at
        match what:
            case "yes" if reminder.state is ReminderState.ASKING:
                return await self._allow(reminder, language)
            case "no" if reminder.state is ReminderState.ASKING:
                await self._close(reminder, ReminderState.REFUSED, at)
                return Phrase("I won't remind you of it.").said(language)
            case "stop":
                await self._close(reminder, ReminderState.STOPPED, at)
                name, id_ = reminder.setter_name, reminder.setter
                return Phrase(
                    "{name} can't set reminders for you any more. `/remindme again {id}` takes "
                    "that back."
                ).said(language, name=name, id=id_)
            case "yes" | "no":
                return Phrase("That was decided already.").said(language)
            case _:
                return REMINDME_HOW.said(language, usage=REMINDME_USAGE)

    async def _allow(self, reminder: MemberReminder, language: Language) -> str:
        todo = await self._todos.get(reminder.todo)
        if todo is None or not todo.active:
            return Phrase("That todo is closed already.").said(language)
        now = self._clock.now()
        due = max(reminder.due, now)
        allowed = Unit.of(store.set_state(reminder, ReminderState.SET))
        await self._write(reminders.moved(todo, due, now) + allowed)
        when = reminders.spoken(due, todo.zone, language)
        return Phrase("I remind you on {when}.").said(language, when=when)

    async def _close(self, reminder: MemberReminder, state: ReminderState, at: datetime) -> None:
        """Cancel a pending reminder; a delivered one stays the receiver's own todo."""
        unit = Unit.of(store.set_state(reminder, state))
        todo = await self._todos.get(reminder.todo)
        if todo is not None and todo.active and reminder.state.open:
            unit += todos.close(todo, TodoStatus.DISMISSED, format_utc(at)) + reminders.silent(todo)
        await self._write(unit)

    async def _again(self, asked: Asked, setter: str) -> str:
        language = asked.language
        stopped = await self._rows.stopped(asked.person.id)
        setter = only_called(setter, [(name, id_) for id_, name in stopped.items()]) or setter
        written = await self._database.write(Unit.of(store.allow_again(asked.person.id, setter)))
        if not written.returned[0]:
            none = Phrase(
                "You have stopped nobody called {name}. `/remindme` lists whom you stopped."
            )
            return none.said(language, name=repr(setter[:40]))
        return Phrase("`{id}` may set reminders for you again.").said(language, id=setter)

    async def _write(self, unit: Unit) -> None:
        await self._database.write(unit)
        self._rescheduled()

    async def _show(self, asked: Asked) -> str:
        person, language = asked.person, asked.language
        choice = await self._rows.choice(person.id)
        means = _MEANS[choice].said(language)
        own = Phrase(
            "Reminders from others ({choice}): {means}. Change it with `/remindme {usage}`."
        )
        lines = [own.said(language, choice=choice, means=means, usage=REMINDME_USAGE)]
        refuses = await self._rows.refuses_messages(person.id)
        means = _MESSAGES["off" if refuses else "on"].said(language)
        lines += [Phrase("Messages from others: {means}.").said(language, means=means)]
        stopped = await self._rows.stopped(person.id)
        lines += [
            f"- {YOU_STOPPED.said(language, name=name, id=id_)}" for id_, name in stopped.items()
        ]
        mine = await self._rows.set_by(person.id)
        lines += [Phrase("Set by you for others:").said(language)] if mine else []
        for one in mine:
            when, state = reminders.spoken(one.due, one.zone, language), _STATES[one.state]
            lines.append(f"- {one.receiver_name}, {when}: {state.said(language)}")
        return "\n".join(lines)
