"""remind_member: a direct-message reminder for another member, with their permission."""

from pydantic import BaseModel, ConfigDict, Field

from bot.clock import format_utc
from bot.connectors.due_dates import parse_due
from bot.connectors.records import RecordProvenance, new_id, one_line
from bot.connectors.todos import reminders
from bot.connectors.todos import store as todos
from bot.connectors.todos.store import Todo, TodoRows
from bot.domain.access import INNER_RANK, Person, Role
from bot.domain.card_words import in_words, titled
from bot.domain.characters import plain_name
from bot.domain.database import Database, Unit
from bot.domain.deeds import Noun, ToolDeed
from bot.domain.languages import Language, Phrase, Translations
from bot.domain.messages import Choice as Button
from bot.domain.messages import IncomingMessage, ReplyTarget
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM
from bot.domain.targets import MARK
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import Rescheduled, ToolResult
from bot.errors import DeliveryError, ToolError
from bot.sessions.people.members import Member, Members
from bot.sessions.people.people import People
from bot.sessions.records import member_reminder_store as store
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.records.member_reminder_store import (
    MemberReminder,
    MemberReminderRows,
    ReminderConsent,
    ReminderState,
)
from bot.tools.native.trying import tried

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
        morning = reminders.MORNING
        said = await parse_due(given.when, "when", context)
        if said is None:
            raise ToolError("when: say when they are to be reminded")
        due = reminders.due_moment(said, context.timezone, morning)
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
        unit += Unit.of(store.insert(reminder))
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
                f"I can't tell whether {receiver.name} is in this place. Ask in a channel where "
                f"both of you are, or {receiver.name} can allow it everywhere with /remindme on"
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
        if choice is ReminderConsent.OFF or not await self._setter_may(reminder):
            return False
        if choice is not ReminderConsent.DEFAULT:
            return True
        member = Member(self._people.contacts.sender_of(message), message.sender)
        try:
            return await self.members.shares(member, reminder.place)
        except DeliveryError:
            return False

    async def _setter_may(self, reminder: MemberReminder) -> bool:
        try:
            setter = (await self.members.find(reminder.setter, reminder.place)).person
        except ToolError:
            return False
        return setter.role.rank >= INNER_RANK

    async def target(self, message: IncomingMessage) -> ReplyTarget:
        member = Member(self._people.contacts.sender_of(message), message.sender)
        return await self.members.direct(member, message.conversation)


def ask_text(reminder: MemberReminder, todo: Todo, language: Language) -> str:
    when = reminders.spoken(reminder.due, todo.zone, language)
    return Phrase("{who} wants me to remind you on {when}:\n> {title}\nMay I?").said(
        language, who=_setter(reminder), when=when, title=todo.title
    )


def ask_buttons(todo: str, language: Language) -> tuple[Button, ...]:
    """Each choice returns as the command `/remindme ID …`."""
    return (
        Button(Phrase("Yes").said(language), todo, "remindme_yes"),
        Button(Phrase("No").said(language), todo, "remindme_no"),
        Button(Phrase("Never from them").said(language), todo, "remindme_stop"),
    )


def stop_button(reminder: MemberReminder, language: Language) -> Button:
    label = Phrase("Stop {who}").said(language, who=reminder.setter_name)
    return Button(label[:40], reminder.todo, "remindme_stop")


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
