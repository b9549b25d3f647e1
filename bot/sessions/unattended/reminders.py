"""A due todo's reminder: posted once, where the todo was made."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from bot.clock import format_utc
from bot.connectors.todos import reminders, store
from bot.connectors.todos.store import Todo, TodoRows, TodoStatus
from bot.domain.access import Role
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Choice, Delivered, IncomingMessage, OutgoingMessage
from bot.domain.origins import Trust
from bot.domain.privacy import Viewer
from bot.domain.step_keys import ANSWER, StepKind, step_key
from bot.domain.turns import Recorded, Turn
from bot.domain.work import ReminderWork
from bot.sessions.outbox.card_store import ASKING, asks_about
from bot.sessions.outbox.outbox import Outbox, Sending
from bot.sessions.outbox.spoken_language import spoken_at
from bot.sessions.people.people import People
from bot.sessions.records import member_reminder_store as member_store
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.member_reminder_store import MemberReminder, ReminderState
from bot.sessions.unattended.due_work import as_of_now
from bot.sessions.unattended.member_reminders import (
    MemberReminders,
    ask_buttons,
    ask_text,
    stop_button,
    told_text,
)
from bot.sessions.wording import phrases as words
from bot.turns.schedules import store as schedules

LATE = timedelta(minutes=2)


@dataclass(frozen=True)
class Reminders:
    """Runs the ticks of todos without a model."""

    database: Database
    clock: Clock
    people: People
    channels: Channels
    outbox: Outbox
    others: MemberReminders
    agent: str
    """Who speaks in a reminder."""
    rescheduled: Callable[[], None]
    """To be called after a due time changes."""

    async def ring(self, turn: Turn, work: ReminderWork) -> None:
        """Post the reminder and settle the turn.

        Nothing is posted for a todo that was done or moved meanwhile.
        """
        message = (await as_of_now(self.people, work.envelope)).message
        person = self.people.contacts.sender_of(message)
        due = schedules.due_of(turn.key)

        async def begin() -> Recorded:
            todo = await self._due(work.todo)
            if todo is None or person.role is Role.BANNED:
                return Recorded({"rings": False}, Unit())
            now = self.clock.now()
            if (other := await self.others.of(todo)) is not None:
                return await self._begin_for_other(turn, todo, other, message)
            viewer = Viewer.at(await self.channels.locate(message.conversation), person)
            alone = not viewer.sees(todo.owner, todo.provenance.learned)
            language = await spoken_at(self.database, message.conversation)
            text = reminder_text(todo, due, now, language)
            said = {"rings": True, "text": text, "alone": alone, "language": language}
            rung_for = format_utc(due) if todo.repeats else str(todo.due_date)
            said |= {"due_date": rung_for, "trust": todo.provenance.origin.trust.value}
            unit = store.set_due(todo, rung_for, format_utc(now)) if todo.repeats else Unit()
            return Recorded(said, unit + Unit.of(schedules.began(turn.id, now)))

        said = await turn.step(step_key(StepKind.BEGIN), begin)
        posted = said["rings"] and await self._post(turn, work.todo, message, said)
        state, why = ("done", "") if said["rings"] else ("skipped", "it was done, moved or removed")
        ended = Unit.of(schedules.ended(turn.id, state, why, self.clock.now(), posted=bool(posted)))
        if said.get("other"):
            ended += member_store.delivered(work.todo, posted=bool(posted))
        await turn.finish(ended + await self._again(turn, work))
        self.rescheduled()

    async def _begin_for_other(
        self, turn: Turn, todo: Todo, other: MemberReminder, message: IncomingMessage
    ) -> Recorded:
        """The reminder from another member, or the question whether they may send it."""
        now = self.clock.now()
        if not await self.others.may_ring(other, message):
            closed = store.close(todo, TodoStatus.DISMISSED, format_utc(now))
            lost = (
                member_store.set_state(other, ReminderState.UNDELIVERED)
                if other.state.open
                else None
            )
            return Recorded({"rings": False}, closed + (Unit.of(lost) if lost else Unit()))
        asking = other.state is ReminderState.ASKING
        place = (await self.others.target(message)).conversation
        language = await spoken_at(self.database, place)
        buttons = (
            ask_buttons(todo.id, language)
            if asking
            else (*reminder_choices(todo.id, language), stop_button(other, language))
        )
        said: dict[str, Any] = {
            "rings": True,
            "alone": False,
            "trust": todo.provenance.origin.trust.value,
        }
        worded = ask_text if asking else told_text
        said["text"], said["language"] = worded(other, todo, language), language
        said["due_date"] = ASKING if asking else str(todo.due_date)
        said["buttons"] = [[button.label, button.verb] for button in buttons]
        said["other"] = not asking
        return Recorded(said, Unit.of(schedules.began(turn.id, now)))

    async def given_up(self, turn: Turn, work: ReminderWork, reason: str) -> Unit:
        """The records of a reminder that could not be posted; a repeating one comes again."""
        ended = schedules.ended(turn.id, "failed", reason[:200], self.clock.now(), posted=False)
        return Unit.of(ended) + await self._again(turn, work)

    async def _again(self, turn: Turn, work: ReminderWork) -> Unit:
        """A repeating todo is due again at its next time, done or not."""
        todo = await self._due(work.todo)
        if todo is None:
            return Unit()
        return reminders.rung_again(todo, schedules.due_of(turn.key), self.clock.now())

    async def _due(self, ref: str) -> Todo | None:
        """The todo, if its reminder is still due: a moved todo has a later time."""
        todo = await TodoRows(self.database).get(ref)
        if todo is None or not todo.active or todo.due_date is None:
            return None
        schedule = await schedules.read_of_session(self.database, reminders.session_of(todo))
        return todo if schedule is not None and schedule.next_due is None else None

    async def _post(
        self, turn: Turn, todo: str, message: IncomingMessage, said: dict[str, Any]
    ) -> bool:
        due_date = str(said["due_date"])
        alone = message.sender.id if said["alone"] else None
        target = replace(message.reply_to, ephemeral_to=alone)
        language = Language(said.get("language", Language.EN))
        buttons = reminder_choices(todo, language)
        if "buttons" in said:
            target = await self.others.target(message)
            buttons = tuple(Choice(label, todo, verb) for label, verb in said["buttons"])
        outgoing = OutgoingMessage(target, str(said["text"]), buttons, language=language)
        sending = Sending(
            outgoing,
            self.people.contacts.sender_of(message).id,
            self.agent,
            in_order=False,
            trust=max(Trust.MEMBER, Trust(said["trust"])),
            asks=asks_about(todo, due_date),
            asker=message.sender.id,
        )
        return isinstance(await self.outbox.send(turn, ANSWER, sending), Delivered)


def reminder_choices(todo: str, language: Language = Language.EN) -> tuple[Choice, ...]:
    """Each choice returns as the command `/todo ID …`."""
    return (
        Choice(words.DONE.said(language), todo, "todo_done"),
        Choice(Phrase("Tomorrow").said(language), todo, "todo_tomorrow"),
        Choice(Phrase("In 1 h").said(language), todo, "todo_hour"),
    )


def reminder_text(todo: Todo, due: datetime, now: datetime, language: Language) -> str:
    """The text of the reminder for its person."""
    lines = [Phrase("Reminder: **{title}**").said(language, title=todo.title)]
    if todo.description:
        lines.append(todo.description)
    if now - due > LATE:
        when = reminders.spoken(due, todo.zone, language)
        lines.append(
            Phrase("It was due {when}; I couldn't remind you then.").said(language, when=when)
        )
    return "\n".join(lines)
