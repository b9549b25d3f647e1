"""Accepted work with an unreadable record: its person is told, if the place is known."""

import logging

from bot.domain.messages import Conversation, OutgoingMessage, ReplyTarget
from bot.domain.step_keys import APOLOGY
from bot.domain.turns import Turn
from bot.sessions.house import House
from bot.sessions.inbox.router import conversation_in, share_of
from bot.sessions.outbox.outbox import Sending
from bot.sessions.records.conversation_store import conversation_of, place_of
from bot.sessions.wording import sentences
from bot.turns.shares import Urgency

log = logging.getLogger(__name__)


async def tell_of_damage(house: House, turn: Turn) -> None:
    """Tell the message's place that a turn is lost. Raises StorageError and ClaimLost."""
    place = await _place(house, turn)
    if place is None:
        log.error(
            "turn=<%s>, key=<%s> | nobody can be told, because its place is unknown",
            turn.ref,
            turn.key,
        )
        return
    commanded = share_of(turn.session).urgency is Urgency.COMMAND
    text = sentences.command_unreadable(turn.ref) if commanded else sentences.unreadable(turn.ref)
    sending = Sending(OutgoingMessage(ReplyTarget(place), text), "", house.rules.default_agent)
    await house.outbox.send(turn, APOLOGY, sending)


async def _place(house: House, turn: Turn) -> Conversation | None:
    """The place of its message, or else of its session."""
    said = await place_of(house.database, turn.key)
    return said or await conversation_of(house.database, conversation_in(turn.session))
