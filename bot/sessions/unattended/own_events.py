"""A person's own events for automations: todos in work, and meetings that start."""

from datetime import timedelta

from bot.automations.matching import fits_mail, fits_text
from bot.automations.store import Automations
from bot.automations.watching import NOTHING, Noted, event_text
from bot.connectors.mail.store import Mail
from bot.connectors.todos.store import Todo
from bot.domain.access import Role
from bot.domain.automations import Event, EventKind
from bot.domain.meetings import KnownMeeting, KnowsMeetings
from bot.domain.origins import Origin, Trust
from bot.sessions.people.contacts import zone_of
from bot.sessions.unattended.automation_readers import EventGround

EVERY_S = 60.0


class OwnEvents:
    """Stores events for the automations whose answers may show them."""

    def __init__(self, ground: EventGround) -> None:
        self._ground = ground
        self._automations = Automations(ground.database)

    async def todo(self, todo: Todo, tick: str) -> Noted:
        """Work on a todo starts: it was assigned, or it wakes. `tick` is the key of that time."""
        kind = EventKind.TODO_WOKEN if todo.wake_at is not None else EventKind.TODO_ASSIGNED
        found = NOTHING
        for reader in await self._ground.readers.of(kind, lambda one: one.owner == todo.owner):
            said = f"{todo.title}\n{todo.description}".strip()
            if fits_text(reader.rule, said) and reader.sees(todo.owner, todo.provenance.learned):
                trust = max(Trust.OUTSIDER, todo.provenance.origin.trust)
                text = event_text(f"The todo {todo.id}: {said}")
                event = Event(
                    tick, self._ground.clock.now(), text, Origin(trust, f"todo:{todo.id}")
                )
                found += self._ground.watching.noted(reader.automation, event)
        return found

    async def mail(self, mail: Mail) -> Noted:
        """Mail arrived: it starts automations whose readers may read it."""
        found = NOTHING
        for reader in await self._ground.readers.of(EventKind.EMAIL_RECEIVED):
            reads = reader.person.role.rank >= Role.PARTNER.rank and reader.sees(
                mail.owner, mail.learned
            )
            if reads and fits_mail(reader.rule, [mail.address], mail.subject, mail.text):
                text = event_text(
                    f"The mail {mail.id} from {mail.sender}: {mail.subject}\n{mail.text}"
                )
                origin = Origin(Trust.EXTERNAL, f"mail:{mail.id}")
                event = Event(f"mail:{mail.id}", self._ground.clock.now(), text, origin)
                found += self._ground.watching.noted(reader.automation, event)
        return found

    async def meetings(self, known: KnowsMeetings) -> None:
        """Store the meetings that begin soon. Raises StorageError."""
        ground, now = self._ground, self._ground.clock.now()
        for reader in await ground.readers.of(EventKind.MEETING_PREP):
            for meeting in await known.between(now, now + timedelta(minutes=reader.rule.minutes)):
                key = f"meeting:{meeting.id}:{meeting.starts_at.isoformat()}"
                fits = fits_text(reader.rule, meeting.title) and reader.sees(
                    meeting.owner, meeting.learned
                )
                if not fits or await self._automations.knows(reader.automation.ref, key):
                    continue
                origin = Origin(Trust.OUTSIDER, f"meeting:{meeting.id}")
                noted = ground.watching.noted(
                    reader.automation, Event(key, now, _soon(meeting, reader.zone), origin)
                )
                await ground.database.write(noted.unit)
                ground.rescheduled()

    async def watch_meetings(self, known: KnowsMeetings) -> None:
        """One look each minute, until cancelled. Raises StorageError."""
        while True:
            await self.meetings(known)
            await self._ground.clock.sleep(EVERY_S)


def _soon(meeting: KnownMeeting, zone: str) -> str:
    begins = meeting.starts_at.astimezone(zone_of(zone))
    people = f" With {', '.join(meeting.people)}." if meeting.people else ""
    return event_text(
        f"The meeting “{meeting.title}” begins at {begins:%Y-%m-%d %H:%M} ({zone}). Its files: "
        f"{meeting.path}.{people}"
    )
