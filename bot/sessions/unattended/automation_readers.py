"""The automations that an event may start, and the readers of their answers."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.automations.store import Automations
from bot.automations.trigger_file import stored_trigger
from bot.automations.watching import Watching
from bot.domain.access import Person
from bot.domain.automations import Automation, EventKind, Filter, Trigger
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.privacy import Learned, Viewer
from bot.errors import DefinitionError
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
