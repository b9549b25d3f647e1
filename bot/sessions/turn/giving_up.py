"""Turns that are given up: their person gets a reference, and the next turn sees what happened."""

import logging
from dataclasses import dataclass

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Phrase
from bot.domain.messages import Conversation, IncomingMessage, OutgoingMessage, ReplyTarget
from bot.domain.step_keys import ANSWER, APOLOGY
from bot.domain.turns import Turn
from bot.domain.work import load_work
from bot.errors import UnreadableWork
from bot.sessions.inbox.session_names import conversation_in, share_of
from bot.sessions.outbox.outbox import Sending
from bot.sessions.outbox.spoken_language import spoken_at
from bot.sessions.records.conversation_store import (
    NewMessage,
    author_trust,
    conversation_of,
    message_write,
    place_of,
)
from bot.sessions.records.envelope import message_of
from bot.sessions.turn.replies import Replies
from bot.sessions.turn.run_ends import PAUSED
from bot.sessions.turn.unattended_runs import UnattendedRuns
from bot.sessions.wording.endings import language_for
from bot.turns.shares import Urgency

log = logging.getLogger(__name__)

GIVEN_UP_CHARS = 500


@dataclass(frozen=True)
class GivingUp:
    """Ends turns that failed too often, or whose record can't be read."""

    replies: Replies
    unattended: UnattendedRuns
    database: Database
    clock: Clock

    async def apologise(self, turn: Turn, reason: str) -> None:
        """Implements domain.turns.Apologise: give the turn up, and tell the person a reference.

        If the answer was sent and only later work failed, it stays silent: nobody is answered
        twice.
        """
        log.error(
            "session=<%s>, turn=<%s>, reason=<%s> | gave up on a turn",
            turn.session,
            turn.ref,
            reason,
        )
        message = message_of(turn.body)
        if message is None:
            await self._tell_of_damage(turn)
            return
        try:
            work = load_work(turn.body)
        except UnreadableWork:
            text = Phrase(
                "Sorry, this version of me does not know how to do this, so I did nothing about "
                "it. (reference {ref})"
            ).said(language_for(message), ref=turn.ref)
            await self.replies.say(turn, APOLOGY, message, text)
            return
        ended, told = await self.unattended.given_up(turn, work, reason)
        if told:
            await self.replies.say(turn, PAUSED, message, told)
        if await self.replies.outbox.was_sent(turn, ANSWER, message.reply_to):
            turn.keep_joined()
            if ended:
                await turn.finish(ended)
            return
        # The view takes over the draft of an ended process.
        live = await self.replies.live(turn, message)
        try:
            await self.replies.say(turn, APOLOGY, message, _apology(turn, message), live)
        finally:
            await live.close()
        await self._remember_giving_up(turn, message, ended)

    async def _remember_giving_up(self, turn: Turn, message: IncomingMessage, ended: Unit) -> None:
        """The request and the answer to its person, visible to the next turn there."""
        person, target = self.replies.people.contacts.sender_of(message), message.reply_to
        if target.ephemeral_to is not None:
            await turn.finish(ended)
            return
        asked = " ".join(message.text.split())[:GIVEN_UP_CHARS]
        row = NewMessage(
            key=f"given-up:{turn.ref}",
            conversation=target.conversation.key,
            author=f"agent:{self.replies.agent}",
            author_name="you",
            trust=author_trust(person, is_bot=False),
            text=(
                f"(I gave up on “{asked}” of {person.id}, and told them: {_apology(turn, message)})"
            ),
            at=self.clock.now(),
        )
        await turn.finish(Unit.of(message_write(row)) + ended)

    async def _tell_of_damage(self, turn: Turn) -> None:
        """Tell the message's place that a turn is lost. Raises StorageError and ClaimLost."""
        place = await self._place(turn)
        if place is None:
            log.error(
                "turn=<%s>, key=<%s> | nobody can be told, because its place is unknown",
                turn.ref,
                turn.key,
            )
            return
        commanded = share_of(turn.session).urgency is Urgency.COMMAND
        words = (
            Phrase(
                "Sorry, my record of a command or a click here is damaged, so I did nothing about "
                "it. Please give it again. (reference {ref})"
            )
            if commanded
            else Phrase(
                "Sorry, my record of a message here is damaged, so I could not answer it. Please "
                "send it again. (reference {ref})"
            )
        )
        text = words.said(await spoken_at(self.database, place), ref=turn.ref)
        sending = Sending(OutgoingMessage(ReplyTarget(place), text), "", self.replies.agent)
        await self.replies.outbox.send(turn, APOLOGY, sending)

    async def _place(self, turn: Turn) -> Conversation | None:
        """The place of its message, or else of its session."""
        said = await place_of(self.database, turn.key)
        return said or await conversation_of(self.database, conversation_in(turn.session))


def _apology(turn: Turn, message: IncomingMessage) -> str:
    return Phrase(
        "Sorry, something broke on my side and I could not answer this message. (reference {ref})"
    ).said(language_for(message), ref=turn.ref)
