"""Events of plug-ins for automations."""

from bot.automations.matching import fits_text
from bot.automations.store import Automations
from bot.automations.watching import event_text
from bot.domain.access import INNER_RANK
from bot.domain.automations import Event, EventKind
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM
from bot.plugin.events import EventSource, Happening
from bot.sessions.unattended.own_events import AutomationReader, EventGround


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
