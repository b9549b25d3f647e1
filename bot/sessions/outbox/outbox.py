"""Outbox: intent, platform call with our own key, receipt; each reply is one visible thing.

A send is a journalled `once` step: the intent is on record before the platform is called, and after
a crash the platform is asked whether the send with this key was done. A send that a platform can't
take now is kept as a pending row and retried later, so its turn can end.

See docs/rules.md#sends.
"""

import logging
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from operator import itemgetter

from bot.domain.chat import ChatAdapter, LiveReply
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.messages import (
    Asks,
    Delayed,
    Delivered,
    Delivery,
    OutgoingMessage,
    Place,
    Receipt,
    ReplyTarget,
    SendRefused,
)
from bot.domain.origins import Trust
from bot.domain.sessions import SessionKey
from bot.domain.step_keys import send_key
from bot.domain.turns import Recorded, Turn
from bot.errors import DeliveryError
from bot.sessions.outbox.card_store import card_write
from bot.sessions.outbox.outbox_store import PendingSend, lives, pending_write
from bot.sessions.outbox.retries import RETRY_S, KeptReading, SendRetries, told_directly, with_asker
from bot.sessions.records.conversation_store import NewMessage, follow_write, message_write
from bot.sessions.records.envelope import outgoing_to_json, receipt_to_json

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Sending:
    """One thing to send: to whom it answers (person id), and by which agent."""

    message: OutgoingMessage
    person: str
    agent: str
    in_order: bool = True
    """False for messages beside the conversation, such as a command's answer."""
    trust: Trust = Trust.MEMBER
    """Its trust in other people's sessions, which see it: no higher than that of its sources.

    See docs/rules.md#trust.
    """
    asks: Asks | None = None
    """The question that its choices decide; they are removed when it is over."""
    asker: str = ""
    """The asker's platform account: it gets a direct message if the answer can't be posted."""
    if_lost: OutgoingMessage | None = None
    """The direct notice, with its place, if a pending message can't be delivered in the end."""
    on_record: str = ""
    """The text for other people's sessions, if the message has one person's own content."""
    aside: bool = False
    """Whether it answers a command and is therefore never remembered."""
    beside: bool = False
    """Set by the outbox, see `NewMessage`."""

    def from_session(self, session: str) -> "Sending":
        """The same as said by the turn of a session."""
        place = self.message.target.conversation
        own = str(SessionKey(place.platform, place.workspace, place.id, self.person))
        return self if self.aside or session == own else replace(self, beside=True)


class Lives:
    """Tells in which life a turn was accepted.

    A life is in the database before any turn that is accepted in it.
    """

    def __init__(self, database: Database) -> None:
        self._known = KeptReading(lambda: lives(database))

    async def forget(self) -> None:
        """Read them again next time: another process has begun a life."""
        self._known.drop()

    async def identity(self, turn: int) -> str:
        """The identity of the life that accepted a turn; empty for turns from older versions."""
        known = await self._known.get()
        position = bisect_left(known, turn, key=itemgetter(0))
        return known[position - 1][1] if position else ""


class Outbox:
    """Sends for turns; `retries` tries again what failed."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        adapters: Sequence[ChatAdapter],
        carded: Callable[[str], None] = lambda _ref: None,
    ) -> None:
        """`carded` is called with the subject of each recorded card."""
        self._database = database
        self._clock = clock
        self._carded = carded
        self._adapters = {adapter.platform: adapter for adapter in adapters}
        self.lives = Lives(database)
        self.retries = SendRetries(database, clock, self._adapter, carded)

    async def key_of(self, turn: Turn, step: str) -> str:
        """The key of a turn's send, on its platform and in the database. Raises StorageError."""
        name = f"{turn.prefix}/{step}" if turn.prefix else step
        return send_key(turn.ref, name, await self.lives.identity(turn.id))

    async def send(
        self, turn: Turn, key: str, sending: Sending, live: LiveReply | None = None
    ) -> Delivery:
        """Send as step `key` (`send:<k>`) of a turn.

        Raises StorageError and ClaimLost only.
        """
        sending_key = await self.key_of(turn, key)
        sending = sending.from_session(turn.session)

        async def attempt() -> Recorded:
            place = sending.message.target.conversation.key
            # An earlier send to the same person waits there: order is kept.
            if sending.in_order and (place, sending.person) in await self.retries.held_back.get():
                return self._kept(sending_key, sending, "an earlier message still waits", 0.0)
            try:
                receipt = await self._adapter(sending.message).send(
                    sending.message, sending_key, live
                )
            except DeliveryError as error:
                return self._undelivered(sending_key, sending, error)
            return self._delivered(sending_key, sending, receipt)

        async def recover() -> Recorded:
            try:
                receipt = await self._adapter(sending.message).find_sent(
                    sending.message.target, sending_key
                )
            except DeliveryError as error:
                return self._undelivered(sending_key, sending, error)
            return self._delivered(sending_key, sending, receipt) if receipt else await attempt()

        done = await turn.step(key, attempt, once=True, recover=recover)
        if "pending" in done or "refused" in done:
            # only after it is recorded: otherwise nobody finds its due time
            self.retries.wake()
        if sending.asks is not None:
            self._carded(sending.asks.ref)
        if "refused" in done:
            return SendRefused(str(done["refused"]))
        return Delayed(str(done["pending"])) if "pending" in done else Delivered()

    async def was_sent(self, turn: Turn, key: str, target: ReplyTarget) -> bool:
        """Whether step `key` is done, or its platform shows an interrupted attempt's message."""
        if turn.done(key):
            return True
        adapter = self._adapters.get(target.conversation.platform)
        if adapter is None:
            return False
        try:
            return await adapter.find_sent(target, await self.key_of(turn, key)) is not None
        except DeliveryError as error:
            log.warning(
                "turn=<%s>, error=<%s> | can't tell whether its answer was sent", turn.ref, error
            )
            return False

    def _adapter(self, message: OutgoingMessage) -> ChatAdapter:
        platform = message.target.conversation.platform
        adapter = self._adapters.get(platform)
        if adapter is None:
            raise DeliveryError(f"{platform} is not connected now", retryable=True)
        return adapter

    def _delivered(self, key: str, sending: Sending, receipt: Receipt) -> Recorded:
        writes = [*self._seen_by_all(key, sending, receipt), *_card(key, sending, receipt)]
        conversation = sending.message.target.conversation
        if conversation.place is Place.THREAD:
            writes.append(follow_write(conversation.key))
        # Until the receipt is recorded the intent remains, and after a crash the platform is asked.
        # A card may be decided at once.
        return Recorded(receipt_to_json(receipt), Unit(tuple(writes)), soon=sending.asks is None)

    def _seen_by_all(
        self, key: str, sending: Sending, receipt: Receipt | None = None
    ) -> list[Write]:
        """The line in the conversation's shared transcript; none for what only one person sees.

        See docs/rules.md#conversations-and-sessions.
        """
        target = sending.message.target
        there = target.conversation
        direct = receipt is not None and there.place is Place.DM
        if target.ephemeral_to is not None and not (direct and target.interaction is None):
            return []
        if receipt is not None and direct:
            there = replace(there, id=receipt.conversation)  # it may name the person until now
        own = NewMessage(
            key=key,
            conversation=there.key,
            author=f"agent:{sending.agent}",
            author_name="you",
            trust=sending.trust,
            text=sending.on_record or _on_record(sending.message),
            at=self._clock.now(),
            addressee=sending.person,
            aside=sending.aside,
            beside=sending.beside,
        )
        return [message_write(own)]

    def _undelivered(self, key: str, sending: Sending, error: DeliveryError) -> Recorded:
        if not error.retryable:
            log.error("send=<%s>, error=<%s> | the platform refused a message", key, error)
            told = told_directly(
                key, sending.message, sending.person, sending.asker, self._clock.now()
            )
            return Recorded({"refused": str(error)}, Unit(tuple(told)))
        return self._kept(key, sending, str(error), RETRY_S[0])

    def _kept(self, key: str, sending: Sending, why: str, wait_s: float) -> Recorded:
        log.warning("send=<%s>, why=<%s> | not delivered, kept for later", key, why)
        now = self._clock.now()
        pending = PendingSend(
            key,
            sending.message.target.conversation.key,
            sending.person,
            with_asker(outgoing_to_json(sending.message), sending.asker, sending.if_lost),
            1,
            now,
        )
        writes = (
            pending_write(pending, why, now + timedelta(seconds=wait_s)),
            *self._seen_by_all(key, sending),
            *_card(key, sending, None),
        )
        return Recorded({"pending": why}, Unit(writes))


def _on_record(message: OutgoingMessage) -> str:
    """The text with the names of its files, which others' sessions and searches know it by."""
    names = ", ".join(one.name for one in message.files)
    return f"{message.text}\n(with the file {names})" if names else message.text


def _card(key: str, sending: Sending, receipt: Receipt | None) -> list[Write]:
    return [] if sending.asks is None else [card_write(key, sending.asks, sending.message, receipt)]
