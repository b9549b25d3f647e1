"""Which channels that were public are so no longer: platforms are asked each minute."""

import logging

from bot.domain.clock import Clock
from bot.domain.messages import Conversation, Visibility
from bot.errors import DeliveryError, StorageError
from bot.sessions.people.readers import Readers
from bot.sessions.records.channel_store import Channels

log = logging.getLogger(__name__)

EVERY_S = 60.0


class OpenPlaces:
    """What was learned in a public channel stays there once not everybody reads it.

    That is so after its permissions changed, after it was deleted, archived or left, and where its
    platform can't tell. While a platform can't be asked, its last answer holds.
    """

    def __init__(self, channels: Channels, readers: Readers, clock: Clock) -> None:
        self._channels = channels
        self._readers = readers
        self._clock = clock
        self._withdrawn: frozenset[str] = frozenset()

    def withdrawn(self) -> frozenset[str]:
        """Keys of channels, as of the last look."""
        return self._withdrawn

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            try:
                await self.look()
            except StorageError as error:
                log.warning("error=<%s> | the channels could not be read", error)
            await self._clock.sleep(EVERY_S)

    async def look(self) -> None:
        """Ask about every known channel. Raises StorageError."""
        away: set[tuple[str, str]] = set()
        known = await self._channels.all()
        found = [place for place in known if not await self._is_public(place, away)]
        self._withdrawn = frozenset(place.key for place in found)

    async def _is_public(self, place: Conversation, away: set[tuple[str, str]]) -> bool:
        """`away`: workspaces that can't be asked, which is not tried again in the same look."""
        if place.visibility is not Visibility.PUBLIC:
            return False
        knows = self._readers.on(place.platform)
        if knows is None:
            return False
        there = (place.platform, place.workspace)
        if there in away:
            return place.key not in self._withdrawn
        try:
            return await knows.visibility(place) is Visibility.PUBLIC
        except DeliveryError as error:
            away.add(there)
            log.debug("place=<%s>, error=<%s> | its readers can't be asked", place.key, error)
            return place.key not in self._withdrawn
