"""Events for automations: todos in work, mail, meetings that start, polls, events of plug-ins.

Also the automations that an event may start, and the readers of their answers.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import assert_never

from bot.automations.matching import fits_mail, fits_text
from bot.automations.store import Automations
from bot.automations.trigger_file import stored_trigger
from bot.automations.watching import NOTHING, Noted, Watching, event_text
from bot.connectors.todos.store import Todo
from bot.domain.access import INNER_RANK, Person, Role
from bot.domain.automations import Automation, Event, EventKind, Filter, Trigger
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM, Learned, Viewer
from bot.errors import DefinitionError
from bot.plugin.events import EventSource, FindUpcoming, Happening
from bot.plugin.mail import Automatic, IncomingMail
from bot.plugin.places import Arrival, PollResult
from bot.sessions.people.contacts import zone_of
from bot.sessions.people.people import People
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import NewMessage, message_write
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


EVERY_S = 60.0
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class AutomationEvents:
    """Stores events for the automations whose answers may show them."""

    database: Database
    people: People
    channels: Channels
    clock: Clock
    watching: Watching
    rescheduled: Callable[[], None]
    """To be called after something comes due."""

    async def readers(
        self, kind: EventKind, wanted: Callable[[Automation], bool] = lambda _: True
    ) -> list[AutomationReader]:
        """The automations that events of a kind start. Raises StorageError."""
        found: list[AutomationReader] = []
        for automation in await Automations(self.database).waiting_for(kind):
            if not wanted(automation):
                continue
            try:
                trigger = stored_trigger(automation.text, automation.slug)
            except DefinitionError:  # /automations and doctor report it
                continue
            home = (await as_of_now(self.people, automation.envelope)).message
            person = self.people.contacts.sender_of(home)
            there = asked_for(home, trigger).conversation
            viewer = Viewer.at(await self.channels.locate_for(person.id, there), person)
            zone = self.people.zone(person)
            found.append(AutomationReader(automation, trigger, person, viewer, zone))
        return found

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

    async def todo(self, todo: Todo, tick: str) -> Noted:
        """Work on a todo starts: it was assigned, or it wakes. `tick` is the key of that time."""
        kind = EventKind.TODO_WOKEN if todo.wake_at is not None else EventKind.TODO_ASSIGNED
        found = NOTHING
        for reader in await self.readers(kind, lambda one: one.owner == todo.owner):
            said = f"{todo.title}\n{todo.description}".strip()
            if fits_text(reader.rule, said) and reader.sees(todo.owner, todo.provenance.learned):
                trust = max(Trust.OUTSIDER, todo.provenance.origin.trust)
                origin = Origin(trust, f"todo:{todo.id}")
                found += self.noted(reader, tick, f"The todo {todo.id}: {said}", origin)
        return found

    async def mail(self, mail: IncomingMail) -> Noted:
        """Mail arrived: it starts automations whose readers may read it.

        What a program wrote starts little, so that two programs don't answer each other for ever.
        """
        found = NOTHING
        for reader in await self.readers(EventKind.EMAIL_RECEIVED):
            reads = reader.person.role.rank >= Role.PARTNER.rank and reader.sees(
                mail.owner, mail.learned
            )
            if not reads or not fits_mail(reader.rule, [mail.address], mail.subject, mail.text):
                continue
            if _is_left(mail.automatic, reader.rule):
                log.info(
                    "mail=<%s>, automation=<%s> | not started: a program wrote the mail",
                    mail.id,
                    reader.automation.ref,
                )
            else:
                text = f"The mail {mail.id} from {mail.sender}: {mail.subject}\n{mail.text}"
                origin = Origin(Trust.EXTERNAL, f"mail:{mail.id}")
                found += self.noted(reader, f"mail:{mail.id}", text, origin)
        return found

    async def upcoming(self, find: FindUpcoming) -> None:
        """Store what begins soon. Raises StorageError."""
        now = self.clock.now()
        for reader in await self.readers(EventKind.MEETING_PREP):
            for one in await find(now, now + timedelta(minutes=reader.rule.minutes)):
                key = f"{one.key}:{one.begins.isoformat()}"
                fits = fits_text(reader.rule, one.title) and reader.sees(one.owner, one.learned)
                if not fits or await self.knows(reader, key):
                    continue
                begins = one.begins.astimezone(zone_of(reader.zone))
                at = f"{begins:%Y-%m-%d %H:%M} ({reader.zone})"
                text = f"{one.what} begins at {at}. {one.more}".rstrip()
                origin = Origin(Trust.OUTSIDER, one.key)
                await self.store(self.noted(reader, key, text, origin))

    async def watch_upcoming(self, find: FindUpcoming) -> None:
        """One look each minute, until cancelled. Raises StorageError."""
        while True:
            await self.upcoming(find)
            await self.clock.sleep(EVERY_S)

    async def watch(self, plugin: str, source: EventSource) -> None:
        """Let a source of a plug-in find events, until cancelled."""
        await source.watch(partial(self.happened, plugin, source.name))

    async def happened(self, plugin: str, source: str, happening: Happening) -> None:
        """Store one event of a plug-in. Raises StorageError."""
        key, origin = f"plugin:{plugin}:{source}:{happening.key}", f"plugin:{plugin}"
        for reader in await self.readers(EventKind.PLUGIN):
            if happening.person:
                own = reader.person.id == happening.person
                may_read = own and reader.sees(happening.person, IN_DM)
            else:
                may_read = reader.person.role.rank >= INNER_RANK
            fits = reader.rule.source == source and fits_text(reader.rule, happening.text)
            if fits and may_read and not await self.knows(reader, key):
                outside = Origin(Trust.EXTERNAL, origin)
                await self.store(self.noted(reader, key, happening.text, outside))


@dataclass(frozen=True)
class PollResults:
    """A poll that ended: its result joins the conversation that asked for it."""

    clock: Clock
    watching: Watching
    rescheduled: Callable[[], None]
    """To be called after an automation comes due."""

    async def announce(self, ended: PollResult) -> Arrival:
        """The words in its conversation, and events. Raises StorageError."""
        now = self.clock.now()
        said = NewMessage(
            key=f"poll-end:{ended.key}",
            conversation=ended.asked_in,
            author=f"agent:{ended.agent}",
            author_name=ended.agent,
            trust=max(Trust.MEMBER, ended.trust),
            text=ended.text,
            at=now,
        )
        noted = await self.watching.poll_ended(ended.key, ended.place, ended.text, now)
        unit = Unit.of(message_write(said)) + noted.unit
        return Arrival(unit, self.rescheduled if noted.comes_due else None)


def _is_left(automatic: Automatic, rule: Filter) -> bool:
    """Whether a mail that a program wrote starts nothing under this rule."""
    match automatic:
        case Automatic.NO:
            return False
        case Automatic.NOTICE:
            return rule.author == "anyone"
        case Automatic.REPLY:
            return True
        case _:
            assert_never(automatic)
