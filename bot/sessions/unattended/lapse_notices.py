"""The notice to a person whose service ended their connection."""

import hashlib
import logging

from bot.clock import format_utc
from bot.connections.access import WORKSPACE
from bot.connections.services import Service
from bot.domain.clock import Clock
from bot.domain.database import Unit, Write
from bot.domain.messages import OutgoingMessage, ReplyTarget
from bot.sessions.approvals.card_places import CardPlaces
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.outbox.outbox_store import notice_write
from bot.sessions.wording import sentences

log = logging.getLogger(__name__)


class LapseNotices:
    """A `LapseListener` (bot/connections/access.py): puts direct messages into the outbox.

    Every MasterAdmin is told about the workspace's account.
    """

    def __init__(self, places: CardPlaces, outbox: Outbox, clock: Clock) -> None:
        self._places = places
        self._outbox = outbox
        self._clock = clock

    async def lapse_unit(self, person: str, service: Service) -> Unit:
        if person == WORKSPACE:
            text = sentences.lapsed_for_all(service.title, service.id)
            admins = await self._places.admins()
            if not admins:
                log.error("service=<%s> | no MasterAdmin could be told: %s", service.id, text)
            writes = [self._notice(id_, target, service, text) for id_, target in admins]
            return Unit(tuple(writes))
        target = await self._places.direct(person)
        if target is None:
            return Unit()
        text = sentences.lapsed(service.title, service.id)
        return Unit.of(self._notice(person, target, service, text))

    def _notice(self, person: str, target: ReplyTarget, service: Service, text: str) -> Write:
        now = self._clock.now()
        about = f"{person} {service.id} {format_utc(now)}"
        digest = hashlib.sha256(about.encode()).hexdigest()[:12]
        return notice_write(f"lapsed-{digest}/say", person, OutgoingMessage(target, text), now)

    def lapsed(self) -> None:
        self._outbox.retries.wake()
