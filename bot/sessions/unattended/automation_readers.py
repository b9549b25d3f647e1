"""The automations that an event may start, and the readers of their answers."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.automations.store import Automations
from bot.automations.trigger_file import stored_trigger
from bot.domain.access import Person
from bot.domain.automations import Automation, EventKind, Filter, Trigger
from bot.domain.privacy import Learned, Viewer
from bot.errors import DefinitionError
from bot.sessions.house import House
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


async def automation_readers(
    house: House, kind: EventKind, wanted: Callable[[Automation], bool] = lambda _: True
) -> list[AutomationReader]:
    """The automations that events of a kind start. Raises StorageError."""
    found: list[AutomationReader] = []
    for automation in await Automations(house.database).waiting_for(kind):
        if not wanted(automation):
            continue
        try:
            trigger = stored_trigger(automation.text, automation.slug)
        except DefinitionError:  # /automations and doctor report it
            continue
        home = (await as_of_now(house.contacts, house.adapters, automation.envelope)).message
        person = house.person(home)
        location = await house.channels.locate(asked_for(home, trigger).conversation)
        found.append(
            AutomationReader(
                automation, trigger, person, Viewer.at(location, person), house.zone(person)
            )
        )
    return found
