"""Tells a person once, in a direct message, that an upgrade moved their preferences there."""

from dataclasses import replace
from datetime import datetime

from bot.domain.access import Person
from bot.domain.database import Database, Unit
from bot.domain.messages import IncomingMessage, OutgoingMessage
from bot.domain.origins import Trust
from bot.sessions.outbox.outbox_store import PendingSend, pending_write
from bot.sessions.records.conversation_store import NewMessage, message_write
from bot.sessions.records.envelope import outgoing_to_json
from bot.sessions.run.moved_preferences_store import told_write, were_moved

MOVED = (
    "Your standing preferences were last changed in a direct message, so they held only there. "
    "They now stand in"
    " /preferences/private.md and still hold only in direct messages. Tell me which of them should "
    "hold everywhere;"
    " I then write those to /preferences/global.md."
)


async def moved_notice(
    database: Database, now: datetime, message: IncomingMessage, person: Person
) -> Unit:
    """The writes that send the notice and record it; empty when there is nothing to tell."""
    if not message.private or message.aside or not await were_moved(database, person.id):
        return Unit()
    there = message.conversation.key
    key = f"moved-preferences-{person.id}/say"
    outgoing = OutgoingMessage(replace(message.reply_to, interaction=None), MOVED)
    pending = PendingSend(key, there, person.id, outgoing_to_json(outgoing), 0, now)
    seen = NewMessage(key, there, "agent:preferences", "you", Trust.MEMBER, MOVED, now)
    return Unit.of(told_write(person.id), pending_write(pending, "", now), message_write(seen))
