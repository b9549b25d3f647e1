"""A person's own events for automations: todos in work, mail, and meetings that start.

Also the automations that an event may start, the readers of their answers, and events of plug-ins.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from bot.automations.matching import fits_mail, fits_text
from bot.automations.store import Automations
from bot.automations.trigger_file import stored_trigger
from bot.automations.watching import NOTHING, Noted, Watching, event_text
from bot.connectors.todos.store import Todo
from bot.domain.access import INNER_RANK, Person, Role
from bot.domain.automations import Automation, Event, EventKind, Filter, Trigger
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM, Learned, Viewer
from bot.errors import DefinitionError
from bot.plugin.events import EventSource, FindUpcoming, Happening, Upcoming
from bot.plugin.mail import IncomingMail
from bot.sessions.people.contacts import zone_of
from bot.sessions.people.people import People
from bot.sessions.records.channel_store import Channels
from bot.sessions.unattended.due_work import as_of_now
from bot.sessions.unattended.triggered import asked_for


@dataclass(frozen=True)
class AutomationReader:
    """An automation, the content of its file, and the readers of its answers."""

    automation: Automation
    trigger: Trigger
    person: Person
    viewer: Viewer
    zone: str

    @property
    def rule(self) -> Filter:
        return self.trigger.filter

    def sees(self, owner: str, learned: Learned) -> bool:
        return self.viewer.sees(owner, learned)


@dataclass(frozen=True)
class AutomationReaders:
    """Finds the automations that events of a kind start."""

    database: Database
    people: People
    channels: Channels

    async def of(
        self, kind: EventKind, wanted: Callable[[Automation], bool] = lambda _: True
    ) -> list[AutomationReader]:
        """Raises StorageError."""
        found: list[AutomationReader] = []
        for automation in await Automations(self.database).waiting_for(kind):
            if not wanted(automation):
                continue
            try:
                trigger = stored_trigger(automation.text, automation.slug)
            except DefinitionError:  # /automations and doctor report it
                continue
            found.append(await self._reader(automation, trigger))
        return found

    async def _reader(self, automation: Automation, trigger: Trigger) -> AutomationReader:
        home = (await as_of_now(self.people, automation.envelope)).message
        person = self.people.contacts.sender_of(home)
        there = asked_for(home, trigger).conversation
        location = await self.channels.locate_for(person.id, there)
        viewer = Viewer.at(location, person)
        return AutomationReader(automation, trigger, person, viewer, self.people.zone(person))


@dataclass(frozen=True)
class EventGround:
    """What a finder of events needs to store them for automations."""

    readers: AutomationReaders
    database: Database
    clock: Clock
    watching: Watching
    rescheduled: Callable[[], None]
    """To be called after something comes due."""

    async def knows(self, reader: AutomationReader, key: str) -> bool:
        """Whether this event was stored for the automation before."""
        return await Automations(self.database).knows(reader.automation.ref, key)

    def noted(self, reader: AutomationReader, key: str, text: str, origin: Origin) -> Noted:
        """An event for an automation; `key` says which one it is."""
        event = Event(key, self.clock.now(), event_text(text), origin)
        return self.watching.noted(reader.automation, event)

    async def store(self, noted: Noted) -> None:
        await self.database.write(noted.unit)
        if noted.comes_due:
            self.rescheduled()


EVERY_S = 60.0


@dataclass(frozen=True)
class OwnEvents:
    """Stores events for the automations whose answers may show them."""

    ground: EventGround

    async def todo(self, todo: Todo, tick: str) -> Noted:
        """Work on a todo starts: it was assigned, or it wakes. `tick` is the key of that time."""
        kind = EventKind.TODO_WOKEN if todo.wake_at is not None else EventKind.TODO_ASSIGNED
        found = NOTHING
        for reader in await self.ground.readers.of(kind, lambda one: one.owner == todo.owner):
            said = f"{todo.title}\n{todo.description}".strip()
            if fits_text(reader.rule, said) and reader.sees(todo.owner, todo.provenance.learned):
                trust = max(Trust.OUTSIDER, todo.provenance.origin.trust)
                origin = Origin(trust, f"todo:{todo.id}")
                found += self.ground.noted(reader, tick, f"The todo {todo.id}: {said}", origin)
        return found

    async def mail(self, mail: IncomingMail) -> Noted:
        """Mail arrived: it starts automations whose readers may read it."""
        found = NOTHING
        for reader in await self.ground.readers.of(EventKind.EMAIL_RECEIVED):
            reads = reader.person.role.rank >= Role.PARTNER.rank and reader.sees(
                mail.owner, mail.learned
            )
            if reads and fits_mail(reader.rule, [mail.address], mail.subject, mail.text):
                text = f"The mail {mail.id} from {mail.sender}: {mail.subject}\n{mail.text}"
                origin = Origin(Trust.EXTERNAL, f"mail:{mail.id}")
                found += self.ground.noted(reader, f"mail:{mail.id}", text, origin)
        return found

    async def upcoming(self, find: FindUpcoming) -> None:
        """Store what begins soon. Raises StorageError."""
        ground, now = self.ground, self.ground.clock.now()
        for reader in await ground.readers.of(EventKind.MEETING_PREP):
            for one in await find(now, now + timedelta(minutes=reader.rule.minutes)):
                key = f"{one.key}:{one.begins.isoformat()}"
                fits = fits_text(reader.rule, one.title) and reader.sees(one.owner, one.learned)
                if not fits or await ground.knows(reader, key):
                    continue
                origin = Origin(Trust.OUTSIDER, one.key)
                text = _soon(one, reader.zone)
                await ground.store(ground.noted(reader, key, text, origin))

    async def watch_upcoming(self, find: FindUpcoming) -> None:
        """One look each minute, until cancelled. Raises StorageError."""
        while True:
            await self.upcoming(find)
            await self.ground.clock.sleep(EVERY_S)


def _soon(one: Upcoming, zone: str) -> str:
    begins = one.begins.astimezone(zone_of(zone))
    return f"{one.what} begins at {begins:%Y-%m-%d %H:%M} ({zone}). {one.more}".rstrip()


class PluginEvents:
    """Stores the events of one plug-in for the automations whose answers may show them."""

    def __init__(self, ground: EventGround, plugin: str) -> None:
        self._ground = ground
        self._plugin = plugin
        self._automations = Automations(ground.database)

    async def watch(self, source: EventSource) -> None:
        """Let a source find events, until cancelled."""

        async def tell(happening: Happening) -> None:
            await self.happened(source.name, happening)

        await source.watch(tell)

    async def happened(self, source: str, happening: Happening) -> None:
        """Store one event. Raises StorageError."""
        ground, key = self._ground, f"plugin:{self._plugin}:{source}:{happening.key}"
        origin = Origin(Trust.EXTERNAL, f"plugin:{self._plugin}")
        for reader in await ground.readers.of(EventKind.PLUGIN):
            fits = reader.rule.source == source and fits_text(reader.rule, happening.text)
            if not fits or not _may_read(reader, happening):
                continue
            if await self._automations.knows(reader.automation.ref, key):
                continue
            event = Event(key, ground.clock.now(), event_text(happening.text), origin)
            noted = ground.watching.noted(reader.automation, event)
            await ground.database.write(noted.unit)
            ground.rescheduled()


def _may_read(reader: AutomationReader, happening: Happening) -> bool:
    if not happening.person:
        return reader.person.role.rank >= INNER_RANK
    return reader.person.id == happening.person and reader.sees(happening.person, IN_DM)
