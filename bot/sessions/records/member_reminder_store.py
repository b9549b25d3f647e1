"""SQL of reminders between members, and of each member's permission to receive them."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Row, Unit, Write, made_of, read_number
from bot.domain.messages import Conversation, Place, Visibility
from bot.storage.values import PersonValue, drop_person_value, person_value, put_person_value

LISTED = 20


class ReminderConsent(StrEnum):
    """What a member lets others do."""

    DEFAULT = "default"
    """Members of rank 2 and above, from a place that both share."""
    ON = "on"
    """The same, from anywhere."""
    ASK = "ask"
    """Every reminder is confirmed first."""
    OFF = "off"


class ReminderState(StrEnum):
    ASKING = "asking"
    SET = "set"
    DELIVERED = "delivered"
    UNDELIVERED = "undelivered"
    REFUSED = "refused"
    STOPPED = "stopped"
    """The receiver no longer wants reminders from this setter."""

    @property
    def open(self) -> bool:
        return self in {ReminderState.ASKING, ReminderState.SET}


@dataclass(frozen=True)
class MemberReminder:
    """`todo` is the receiver's; the setter learns only the state stored here."""

    todo: str
    setter: str
    receiver: str
    setter_name: str
    receiver_name: str
    place: Conversation
    due: datetime
    zone: str
    state: ReminderState
    created_at: datetime


@dataclass(frozen=True)
class MemberReminderRows:
    database: Database

    async def of_todo(self, todo: str) -> MemberReminder | None:
        row = await self.database.read_one("SELECT * FROM member_reminders WHERE todo = ?", (todo,))
        return _reminder(row) if row else None

    async def set_by(self, setter: str) -> list[MemberReminder]:
        """Newest first."""
        rows = await self.database.read(
            "SELECT * FROM member_reminders WHERE setter = ?"
            " ORDER BY created_at DESC, todo LIMIT ?",
            (setter, LISTED),
        )
        return [_reminder(row) for row in rows]

    async def open_for(self, setter: str, receiver: str) -> int:
        """The number of reminders that are still ahead."""
        return await read_number(
            self.database,
            "SELECT count(*) AS n FROM member_reminders WHERE setter = ? AND receiver = ?"
            " AND state IN ('asking', 'set')",
            (setter, receiver),
        )

    async def stopped(self, receiver: str) -> dict[str, str]:
        """Setters whose reminders somebody has stopped for good: names by person id."""
        rows = await self.database.read(
            "SELECT setter, setter_name FROM member_reminders"
            " WHERE receiver = ? AND state = 'stopped'",
            (receiver,),
        )
        return {str(row["setter"]): str(row["setter_name"]) for row in rows}

    async def choice(self, person: str) -> ReminderConsent:
        choice = await person_value(self.database, person, PersonValue.REMINDERS)
        return ReminderConsent(choice) if choice else ReminderConsent.DEFAULT

    async def refuses_messages(self, person: str) -> bool:
        """Whether they refuse everything that others have Bellhop send to them."""
        return await person_value(self.database, person, PersonValue.MESSAGES) is not None


def insert(reminder: MemberReminder) -> Write:
    return Write(
        "INSERT INTO member_reminders (todo, setter, receiver, setter_name, receiver_name, place,"
        " due, zone, state, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            reminder.todo,
            reminder.setter,
            reminder.receiver,
            reminder.setter_name,
            reminder.receiver_name,
            json.dumps(asdict(reminder.place)),
            format_utc(reminder.due),
            reminder.zone,
            reminder.state,
            format_utc(reminder.created_at),
        ),
        rows=1,
    )


def set_state(reminder: MemberReminder, state: ReminderState) -> Write:
    return Write("UPDATE member_reminders SET state = ? WHERE todo = ?", (state, reminder.todo))


def delivered(todo: str, *, posted: bool) -> Unit:
    """The outcome of a reminder."""
    state = ReminderState.DELIVERED if posted else ReminderState.UNDELIVERED
    sql = "UPDATE member_reminders SET state = ? WHERE todo = ? AND state = 'set'"
    return Unit.of(Write(sql, (state, todo)))


def allow_again(receiver: str, setter: str) -> Write:
    """Undo a stop; returns the deleted rows."""
    return Write(
        "UPDATE member_reminders SET state = 'refused'"
        " WHERE receiver = ? AND setter = ? AND state = 'stopped' RETURNING todo",
        (receiver, setter),
    )


def choose(person: str, choice: ReminderConsent) -> Unit:
    if choice is ReminderConsent.DEFAULT:
        return Unit.of(drop_person_value(person, PersonValue.REMINDERS))
    return Unit.of(put_person_value(person, PersonValue.REMINDERS, choice))


def refuse_messages(person: str, *, refuses: bool) -> Unit:
    if not refuses:
        return Unit.of(drop_person_value(person, PersonValue.MESSAGES))
    return Unit.of(put_person_value(person, PersonValue.MESSAGES, "refused"))


def _reminder(row: Row) -> MemberReminder:
    place = json.loads(row["place"])
    place |= {"place": Place(place["place"]), "visibility": Visibility(place["visibility"])}
    return made_of(
        MemberReminder,
        row,
        place=Conversation(**place),
        due=parse_utc(row["due"]),
        state=ReminderState(row["state"]),
        created_at=parse_utc(row["created_at"]),
    )
