"""What a person reads when a service ends their connection, also when a run with nobody there found out."""

import hashlib

from bot.clock import format_utc
from bot.connections.services import Service
from bot.domain.database import Unit
from bot.domain.messages import OutgoingMessage
from bot.sessions import sentences
from bot.sessions.card_places import CardPlaces
from bot.sessions.envelope import outgoing_to_json
from bot.sessions.house import House
from bot.sessions.outbox_store import PendingSend, pending_write


class LapseNotices:
    """A `LapseListener` (bot/connections/access.py): puts a direct message into the outbox."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._places = CardPlaces(house)

    async def lapse_unit(self, person: str, service: Service) -> Unit:
        target = await self._places.direct(person)
        if target is None:
            return Unit()
        now = self._house.clock.now()
        digest = hashlib.sha256(f"{person} {service.id} {format_utc(now)}".encode()).hexdigest()[
            :12
        ]
        message = outgoing_to_json(
            OutgoingMessage(target, sentences.lapsed(service.title, service.id))
        )
        send = PendingSend(f"lapsed-{digest}/say", target.conversation.key, person, message, 0, now)
        return Unit.of(pending_write(send, "", now))

    def lapsed(self) -> None:
        self._house.outbox.wake()
