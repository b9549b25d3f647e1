"""Reminders: of a due todo, posted once where it was made, and those that members set for others.

remind_member: a direct-message reminder for another member, with their permission.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from bot.clock import format_utc
from bot.connectors.due_dates import parse_due
from bot.connectors.records import RecordProvenance, new_id, one_line
from bot.connectors.todos import reminders
from bot.connectors.todos import store as todos
from bot.connectors.todos.store import Todo, TodoRows, TodoStatus
from bot.domain.access import INNER_RANK, Person, Role
from bot.domain.card_words import in_words, titled
from bot.domain.characters import plain_name
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.deeds import Noun, ToolDeed
from bot.domain.languages import Language, Phrase, Translations
from bot.domain.messages import Choice, Delivered, IncomingMessage, OutgoingMessage, ReplyTarget
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM, Viewer
from bot.domain.step_keys import ANSWER, StepKind, step_key
from bot.domain.targets import MARK
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import Rescheduled, ToolResult
from bot.domain.turns import Recorded, Turn
from bot.domain.work import ReminderWork
from bot.errors import DeliveryError, ToolError
from bot.sessions.outbox.card_store import ASKING, asks_about
from bot.sessions.outbox.outbox import Outbox, Sending
from bot.sessions.outbox.spoken_language import spoken_at
from bot.sessions.people.members import Member, Members
from bot.sessions.people.people import People
from bot.sessions.records import member_reminder_store as member_store
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.records.member_reminder_store import (
    MemberReminder,
    MemberReminderRows,
    ReminderConsent,
    ReminderState,
)
from bot.sessions.unattended.due_work import as_of_now
from bot.sessions.wording import phrases as words
from bot.tools.native.registry import tried
from bot.turns.schedules import store as schedules

TEXT_CHARS = 200
OPEN_FOR_ONE = 5
"""The most pending reminders from one setter to one receiver."""


class RemindMemberArguments(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    member: str = Field(
        description="Name, or id of who wrote here.", json_schema_extra={MARK: "account"}
    )
    text: str = Field(description="What they are to do, as the person said it.")
    when: str = Field(description="As the person said it.")


class MemberReminders:
    """Decides who may remind whom.

    The reminder is a todo of its receiver: its setter can read only the state.
    """

    def __init__(self, database: Database, people: People, channels: Channels) -> None:
        self._people = people
        self._rows = MemberReminderRows(database)
        self._todos = TodoRows(database)
        self.members = Members(database, people.contacts, channels, people.adapters)

    def tool(self) -> NativeTool[RemindMemberArguments]:
        return NativeTool(
            "remind_member",
            RemindMemberArguments,
            self.create,
            check=tried(self.create),
            tells=self._tell,
            deed=ToolDeed(Noun.REMINDER, "member"),
            keeps=True,
        )

    async def _tell(self, context: ToolContext, given: RemindMemberArguments) -> str | Translations:
        member = await self.members.find(given.member, context.conversation)
        text = titled(given.text, 300)
        said = await parse_due(given.when, "when", context)
        if said is None:
            return ""
        due = reminders.due_moment(said, context.timezone, reminders.MORNING)
        name = in_words(member.person.name)

        def told(language: Language) -> str:
            when = reminders.spoken(due, context.timezone, language)
            return Phrase("have {name} reminded on {when}: {text}").said(
                language, name=name, when=when, text=text
            )

        return Translations.by(told)

    # --- setting one ---

    async def create(self, context: ToolContext, given: RemindMemberArguments) -> ToolResult:
        there, setter = context.conversation, context.person
        text = one_line(given.text, "text", TEXT_CHARS)
        if not text:
            raise ToolError("text: say what they are to be reminded of")
        said = await parse_due(given.when, "when", context)
        if said is None:
            raise ToolError("when: say when they are to be reminded")
        due = reminders.due_moment(said, context.timezone, reminders.MORNING)
        member = await self.members.find(given.member, there)
        receiver = member.person
        if receiver.id == setter.id:
            raise ToolError("that is the person themself: use manage_todos with a dueDate")
        if await self._rows.open_for(setter.id, receiver.id) >= OPEN_FOR_ONE:
            raise ToolError(
                f"{receiver.name} has {OPEN_FOR_ONE} reminders of {setter.name} ahead, which is "
                "the most"
            )
        choice = await self._allows(setter, member, context)
        asks = choice is ReminderConsent.ASK
        now, target = context.now, await self.members.direct(member, there)
        zone = self._people.zone(receiver)
        todo = Todo(
            id=await new_id(context, self._todos.taken),
            owner=receiver.id,
            title=text,
            provenance=RecordProvenance(
                context.agent,
                context.session_id,
                target.conversation.key,
                IN_DM,
                Origin(max(context.origin.trust, Trust.MEMBER), f"person:{setter.id}"),
            ),
            created_at=format_utc(now),
            updated_at=format_utc(now),
            description=f"Set by {plain_name(setter.name)}.",
            due_date=format_utc(due),
            zone=zone,
        )
        reminder = MemberReminder(
            todo.id,
            setter.id,
            receiver.id,
            plain_name(setter.name),
            plain_name(receiver.name),
            there,
            due,
            context.timezone,
            ReminderState.ASKING if asks else ReminderState.SET,
            now,
        )
        envelope = incoming_to_json(_message(member, target, context))
        unit = todos.insert(todo) + reminders.ringing(
            todo, now if asks else due, envelope, now, keep_place=False
        )
        said_when = reminders.spoken(due, context.timezone)
        if asks:
            answer = f"{receiver.name} wants to be asked first: I ask them now, for {said_when}"
        else:
            answer = (
                f"{receiver.name} is reminded on {said_when}, by a direct message that names "
                f"{setter.name}"
            )
        unit += Unit.of(member_store.insert(reminder))
        return ToolResult(
            f"{answer}. /remindme shows whether it was delivered.",
            unit=unit,
            effects=(Rescheduled(),),
        )

    async def _allows(
        self, setter: Person, member: Member, context: ToolContext
    ) -> ReminderConsent:
        """The effect of the receiver's setting. Raises ToolError with what the setter may know."""
        receiver = member.person
        if self._people.adapters.get(context.conversation.platform) is None:
            raise ToolError(
                f"{receiver.name} can't be reached from here; "
                f"ask for it on {self._people.contacts.platforms.shared}"
            )
        choice = await self._rows.choice(receiver.id)
        no = (
            choice is ReminderConsent.OFF
            or receiver.role is Role.BANNED
            or setter.role.rank < INNER_RANK
        )
        if no or setter.id in await self._rows.stopped(receiver.id):
            raise ToolError(
                f"{receiver.name} doesn't accept reminders from {setter.name}; write to them "
                "yourself"
            )
        if choice is ReminderConsent.DEFAULT and not await self._shared(member, context):
            raise ToolError(
                f"I can't tell whether {receiver.name} is in this place: in a private one they "
                "must have written something that I saw. Ask in a channel where both of you are, "
                f"or {receiver.name} can allow it everywhere with /remindme on"
            )
        return choice

    async def _shared(self, member: Member, context: ToolContext) -> bool:
        try:
            return await self.members.shares(member, context.conversation)
        except DeliveryError as error:
            raise ToolError(
                f"{context.conversation.platform} doesn't tell who is here now; try later"
            ) from error

    # --- when it rings ---

    async def of(self, todo: Todo) -> MemberReminder | None:
        return await self._rows.of_todo(todo.id)

    async def may_ring(self, reminder: MemberReminder, message: IncomingMessage) -> bool:
        """Whether its receiver still allows it, and its setter still has the right.

        A delivered reminder belongs to the receiver.
        """
        if reminder.state is ReminderState.DELIVERED:
            return True
        if not reminder.state.open or reminder.setter in await self._rows.stopped(
            reminder.receiver
        ):
            return False
        choice = await self._rows.choice(reminder.receiver)
        if choice is ReminderConsent.OFF:
            return False
        try:
            setter = (await self.members.find(reminder.setter, reminder.place)).person
        except ToolError:
            return False
        if setter.role.rank < INNER_RANK:
            return False
        if choice is not ReminderConsent.DEFAULT:
            return True
        member = Member(self._people.contacts.sender_of(message), message.sender)
        try:
            return await self.members.shares(member, reminder.place)
        except DeliveryError:
            return False

    async def target(self, message: IncomingMessage) -> ReplyTarget:
        member = Member(self._people.contacts.sender_of(message), message.sender)
        return await self.members.direct(member, message.conversation)


def ask_text(reminder: MemberReminder, todo: Todo, language: Language) -> str:
    when = reminders.spoken(reminder.due, todo.zone, language)
    return Phrase("{who} wants me to remind you on {when}:\n> {title}\nMay I?").said(
        language, who=_setter(reminder), when=when, title=todo.title
    )


def ask_buttons(todo: str, language: Language) -> tuple[Choice, ...]:
    """Each choice returns as the command `/remindme ID …`."""
    return (
        Choice(Phrase("Yes").said(language), todo, "remindme_yes"),
        Choice(Phrase("No").said(language), todo, "remindme_no"),
        Choice(Phrase("Never from them").said(language), todo, "remindme_stop"),
    )


def stop_button(reminder: MemberReminder, language: Language) -> Choice:
    label = Phrase("Stop {who}").said(language, who=reminder.setter_name)
    return Choice(label[:40], reminder.todo, "remindme_stop")


def told_text(reminder: MemberReminder, todo: Todo, language: Language) -> str:
    """The text for the receiver: it names the author."""
    return Phrase("Reminder from {who}: **{title}**").said(
        language, who=_setter(reminder), title=todo.title
    )


def _setter(reminder: MemberReminder) -> str:
    return f"{reminder.setter_name} (`{reminder.setter}`)"


def _message(member: Member, target: ReplyTarget, context: ToolContext) -> IncomingMessage:
    """The message that its reminders answer: as if the receiver had asked for it directly."""
    return IncomingMessage(
        key=f"remind:{context.session_id}:{context.cycle_id}:{context.call.key}",
        conversation=target.conversation,
        sender=member.sender,
        text="",
        reply_to=target,
        sent_at=context.now,
    )


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
            unit = todos.set_due(todo, rung_for, format_utc(now)) if todo.repeats else Unit()
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
            closed = todos.close(todo, TodoStatus.DISMISSED, format_utc(now))
            if other.state.open:
                closed += Unit.of(member_store.set_state(other, ReminderState.UNDELIVERED))
            return Recorded({"rings": False}, closed)
        asking = other.state is ReminderState.ASKING
        place = (await self.others.target(message)).conversation
        language = await spoken_at(self.database, place)
        if asking:
            text, buttons = ask_text(other, todo, language), ask_buttons(todo.id, language)
        else:
            text = told_text(other, todo, language)
            buttons = (*reminder_choices(todo.id, language), stop_button(other, language))
        said = {
            "rings": True,
            "alone": False,
            "trust": todo.provenance.origin.trust.value,
            "text": text,
            "language": language,
            "due_date": ASKING if asking else str(todo.due_date),
            "buttons": [[button.label, button.verb] for button in buttons],
            "other": not asking,
        }
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
