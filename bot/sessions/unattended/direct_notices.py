"""What plug-ins say to people directly, of Bellhop's own accord."""

from dataclasses import dataclass

from bot.domain.clock import Clock
from bot.domain.database import Unit
from bot.domain.languages import Language
from bot.domain.messages import OutgoingMessage
from bot.sessions.approvals.cards import CardPlaces
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.outbox.outbox_store import notice_write
from bot.sessions.outbox.spoken_language import spoken_by


@dataclass(frozen=True)
class DirectNotices:
    """Implements `bot.plugin.late.TellsPeople`."""

    places: CardPlaces
    outbox: Outbox
    clock: Clock

    async def language(self, person: str) -> Language:
        return await spoken_by(self.places.database, person)

    async def unit(self, key: str, person: str, text: str) -> Unit:
        target = await self.places.direct(person)
        if target is None:
            return Unit()
        message = OutgoingMessage(target, text, language=await self.language(person))
        return Unit.of(notice_write(f"{key}/say", person, message, self.clock.now()))

    def written(self) -> None:
        self.outbox.retries.wake()
