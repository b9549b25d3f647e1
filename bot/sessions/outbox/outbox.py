"""Outbox: intent, platform call with our own key, receipt; each reply is one visible thing.

A send is a journalled `once` step: the intent is on record before the platform is called, and after
a crash the platform is asked whether the send with this key was done. A send that a platform can't
take now is kept as a pending row and retried later, so its turn can end.

See docs/rules.md#sends.
"""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.chat import ChatAdapter, LiveReply
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.messages import (
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
from bot.domain.processes import Notices
from bot.domain.send_keys import send_key, sibling_key, step_in, turn_of
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Recorded, Turn
from bot.errors import DeliveryError, StorageError
from bot.sessions.outbox.card_store import Asks, card_write, receipt_write, ref_of, remove_write
from bot.sessions.outbox.lives_store import Lives
from bot.sessions.outbox.outbox_store import (
    PendingSend,
    held_back,
    next_pending,
    outbox_state_write,
    pending_sends,
    pending_write,
)
from bot.sessions.outbox.pauses import until_due
from bot.sessions.records.conversation_store import (
    NewMessage,
    conversation_of,
    follow_write,
    message_write,
)
from bot.sessions.records.envelope import outgoing_from_json, outgoing_to_json, receipt_to_json
from bot.sessions.wording import sentences

log = logging.getLogger(__name__)

RETRY_S = (2.0, 10.0, 60.0, 300.0, 900.0)
KEEP_TRYING = timedelta(hours=24)
_DAMAGED = "/damaged"
"""The end of the key of the notice about an unreadable send."""
_ASKER = "asker"
"""Stored beside a pending message: the asker's id on their platform."""
_KEPT = "outbox"
_IF_LOST = "if_lost"


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


class Outbox:
    """Sends for turns, and retries sends that failed."""

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
        self._wake = asyncio.Event()
        self._notices: Notices | None = None
        self._held_back: set[tuple[str, str]] | None = None
        """The conversations and persons with pending sends; None when that must be read again."""
        self._lines: dict[str, asyncio.Task[int]] = {}
        """By platform: the retries in progress.

        A platform that does not answer delays no other.
        """
        self._flushing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def share(self, notices: Notices) -> None:
        """One of several processes makes later tries: tell it what is kept, and hear of others."""
        self._notices = notices
        notices.listen(_KEPT, lambda _text: self._look_again())

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

        async def attempt() -> Recorded:
            if sending.in_order and await self._is_held_back(sending):
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
            self.wake()
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

    async def _is_held_back(self, sending: Sending) -> bool:
        """Whether an earlier send to the same person waits there: order is kept."""
        if self._held_back is None:
            self._held_back = await held_back(self._database)
        return (sending.message.target.conversation.key, sending.person) in self._held_back

    def _adapter(self, message: OutgoingMessage) -> ChatAdapter:
        platform = message.target.conversation.platform
        adapter = self._adapters.get(platform)
        if adapter is None:
            raise DeliveryError(f"{platform} is not connected now", retryable=True)
        return adapter

    def _delivered(self, key: str, sending: Sending, receipt: Receipt) -> Recorded:
        writes = [*self._seen_by_all(key, sending), *_card(key, sending, receipt)]
        conversation = sending.message.target.conversation
        if conversation.place is Place.THREAD:
            writes.append(follow_write(conversation.key))
        # Until the receipt is recorded the intent remains, and after a crash the platform is asked.
        # A card may be decided at once.
        return Recorded(receipt_to_json(receipt), Unit(tuple(writes)), soon=sending.asks is None)

    def _seen_by_all(self, key: str, sending: Sending) -> list[Write]:
        """The line in the conversation's shared transcript; none for what only one person sees.

        See docs/rules.md#conversations-and-sessions.
        """
        if sending.message.target.ephemeral_to is not None:
            return []
        return [message_write(self._own(key, sending))]

    def _own(self, key: str, sending: Sending) -> NewMessage:
        return NewMessage(
            key=key,
            conversation=sending.message.target.conversation.key,
            author=f"agent:{sending.agent}",
            author_name="you",
            trust=sending.trust,
            text=sending.on_record or sending.message.text,
            at=self._clock.now(),
            addressee=sending.person,
            aside=sending.aside,
        )

    def _undelivered(self, key: str, sending: Sending, error: DeliveryError) -> Recorded:
        if not error.retryable:
            log.error("send=<%s>, error=<%s> | the platform refused a message", key, error)
            return Recorded({"refused": str(error)}, Unit(tuple(self._told_directly(key, sending))))
        return self._kept(key, sending, str(error), RETRY_S[0])

    def _told_directly(self, key: str, sending: Sending) -> list[Write]:
        """Tell the person directly, once per turn, that an answer could not be posted."""
        target = sending.message.target
        if (
            not sending.asker
            or target.ephemeral_to is not None
            or target.conversation.place is Place.DM
        ):
            return []
        alone = ReplyTarget(target.conversation, ephemeral_to=sending.asker)
        words = sentences.not_written(turn_of(key))
        return [
            self._notice(
                key,
                step_key(StepKind.SEND, "refused"),
                sending.person,
                OutgoingMessage(alone, words),
            )
        ]

    def _notice(self, key: str, step: str, person: str, notice: OutgoingMessage) -> Write:
        now, there = self._clock.now(), notice.target.conversation
        pending = PendingSend(
            sibling_key(key, step), there.key, person, outgoing_to_json(notice), 0, now
        )
        return pending_write(pending, "", now)

    def _given_up(self, pending: PendingSend) -> list[Write]:
        """Tell the person directly about a message that stayed undelivered, if permitted."""
        kept = json.loads(pending.message)
        if if_lost := kept.get(_IF_LOST):
            step = f"{step_in(pending.key)}:lost"
            return [self._notice(pending.key, step, pending.person, outgoing_from_json(if_lost))]
        sending = Sending(
            outgoing_from_json(pending.message), pending.person, "", asker=kept.get(_ASKER, "")
        )
        return self._told_directly(pending.key, sending)

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

    async def others_sent(self) -> None:
        """Another process may have kept a send for later."""
        self._look_again()

    def wake(self) -> None:
        """Whether another source has contributed to it."""
        self._look_again()
        if self._notices is not None:
            self._notices.post(_KEPT, "")

    def _look_again(self) -> None:
        self._held_back = None
        self._wake.set()

    # --- later tries ---

    async def run(self) -> None:
        """Retry pending sends when they are due, until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                self._wake.clear()
                now, due = self._clock.now(), await next_pending(self._database)
                free = {platform: at for platform, at in due.items() if platform not in self._lines}
                for platform in [platform for platform, at in free.items() if at <= now]:
                    del free[platform]
                    self._lines[platform] = group.create_task(
                        self._line(platform), name=f"outbox-{platform}"
                    )
                soonest = min(free.values(), default=None)
                await until_due(self._clock, self._wake, soonest)

    async def _line(self, platform: str) -> int:
        try:
            return await self.flush(platform, self._clock.now())
        finally:
            del self._lines[platform]
            self._wake.set()

    async def flush(self, platform: str, before: datetime | None = None) -> int:
        """Retry pending sends (all of a platform that came back); returns how many succeeded."""
        far = before or self._clock.now() + KEEP_TRYING
        delivered = 0
        failed: set[str] = set()
        async with self._flushing[
            platform
        ]:  # Two tasks that check at the same time whether it was sent would both send it.
            while due := [
                one
                for one in await pending_sends(self._database, platform, far)
                if one.key not in failed
            ]:
                for pending in due:
                    if await self._again(pending):
                        delivered += 1
                    else:
                        failed.add(pending.key)
        return delivered

    async def _again(self, pending: PendingSend) -> bool:
        try:
            message = outgoing_from_json(pending.message)
        except ValueError:  # the error quotes the message, which belongs in no log
            await self._set_aside(pending)
            return False
        try:
            adapter = self._adapter(message)
            receipt = await adapter.find_sent(message.target, pending.key) or await adapter.send(
                message, pending.key
            )
        except DeliveryError as error:
            await self._write(self._postponed(pending, error))
            return False
        except Exception as error:
            # An unexpected error: one message that can't be sent must not end everything, now and
            # at each start.
            log.exception("send=<%s> | could not be tried", pending.key)
            broken = DeliveryError(f"{type(error).__name__}: {error}", retryable=True)
            await self._write(self._postponed(pending, broken))
            return False
        sent = Unit.of(outbox_state_write(pending.key, "sent"))
        if not message.choices:
            await self._write(sent)
            return True
        await self._write(sent + Unit.of(receipt_write(pending.key, receipt)))
        if (ref := await ref_of(self._database, pending.key)) is not None:
            self._carded(ref)
        return True

    async def _set_aside(self, pending: PendingSend) -> None:
        """Skip an unreadable row, and tell its place with the turn's reference."""
        log.error("send=<%s> | can't be read any more, set aside", pending.key)
        unit = Unit.of(
            outbox_state_write(pending.key, "dropped", "its record can't be read any more")
        )
        place = await conversation_of(self._database, pending.conversation)
        if place is not None and not pending.key.endswith(_DAMAGED):
            text = sentences.answer_damaged(turn_of(pending.key))
            now = self._clock.now()
            notice = PendingSend(
                f"{pending.key}{_DAMAGED}",
                pending.conversation,
                pending.person,
                outgoing_to_json(OutgoingMessage(ReplyTarget(place), text)),
                0,
                now,
            )
            unit += Unit.of(pending_write(notice, "", now))
        await self._write(unit)

    def _postponed(self, pending: PendingSend, error: DeliveryError) -> Unit:
        now = self._clock.now()
        if not error.retryable or now - pending.created_at > KEEP_TRYING:
            log.error("send=<%s>, error=<%s> | given up on a message", pending.key, error)
            dropped = (
                outbox_state_write(pending.key, "dropped", str(error)),
                remove_write(pending.key),
            )
            self._wake.set()
            return Unit((*dropped, *self._given_up(pending)))
        wait = RETRY_S[min(pending.attempts, len(RETRY_S) - 1)]
        again = PendingSend(
            pending.key,
            pending.conversation,
            pending.person,
            pending.message,
            pending.attempts + 1,
            pending.created_at,
        )
        return Unit.of(pending_write(again, str(error), now + timedelta(seconds=wait)))

    async def _write(self, unit: Unit) -> None:
        try:
            await self._database.write(unit)
            self._held_back = None
        except StorageError:
            log.exception("the outbox could not store the outcome of a send")
            raise


def with_asker(message: str, asker: str, if_lost: OutgoingMessage | None = None) -> str:
    lost = {} if if_lost is None else {_IF_LOST: outgoing_to_json(if_lost)}
    return json.dumps({**json.loads(message), _ASKER: asker, **lost}, ensure_ascii=False)


def _card(key: str, sending: Sending, receipt: Receipt | None) -> list[Write]:
    return [] if sending.asks is None else [card_write(key, sending.asks, sending.message, receipt)]
