"""A message from a stranger waits while those who may decide are asked who the sender is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.domain.messages import Delivery, IncomingMessage, OutgoingMessage
from bot.domain.origins import Trust
from bot.domain.step_keys import ANSWER, StepKind, step_key
from bot.domain.turns import Recorded, Turn
from bot.domain.work import StrangerWork
from bot.sessions.approvals.cards import CardPlaces
from bot.sessions.outbox.card_store import Asks
from bot.sessions.outbox.outbox import Sending
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.pairing import Pairing, card_about
from bot.sessions.wording import sentences
from bot.tools.permission.approvals import ApprovalStore


@dataclass(frozen=True)
class StrangersAsked:
    """Asks about strangers. `post` sends a card, `say` answers the message."""

    contacts: Contacts
    pairing: Pairing
    approvals: ApprovalStore
    cards: CardPlaces
    post: Callable[[Turn, str, Sending, Trust], Awaitable[Delivery]]
    say: Callable[[Turn, str, IncomingMessage, str], Awaitable[None]]
    agent: str
    """Who asks."""

    async def ask_about(self, turn: Turn, work: StrangerWork, message: IncomingMessage) -> bool:
        """False if the sender was named after the message was accepted: it is to be answered."""
        person, there = self.contacts.sender_of(message), message.conversation
        pairing = self.pairing
        if not self.contacts.is_stranger(there.platform, there.workspace, message.sender):
            return False
        request = pairing.request(message, work.envelope, person, turn.session)
        admins = await self.cards.admins(besides=person)

        async def propose() -> Recorded:
            if await pairing.is_settled(person):
                return Recorded("settled")
            if not admins or await pairing.is_full():
                return Recorded("full" if admins else "nobody")
            return Recorded("asked", self.approvals.store_unit(request))

        async with pairing.lock:
            became = await turn.step(step_key(StepKind.PAIR), propose)
        if became == "asked":
            card = card_about(request, message.text)
            for id_, target in admins:
                outgoing = OutgoingMessage(target, card.text, card.choices)
                sending = Sending(outgoing, id_, self.agent, in_order=False, asks=Asks(request.ref))
                await self.post(
                    turn, step_key(StepKind.SEND, f"pair:{id_}"), sending, Trust.OUTSIDER
                )
            await self.say(turn, ANSWER, message, sentences.asked_about(self.cards.names(admins)))
        elif became != "settled":
            text = sentences.STRANGERS_FULL if became == "full" else sentences.NOBODY_TO_ASK
            await self.say(turn, ANSWER, message, text)
        return True
