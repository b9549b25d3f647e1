"""Compares answers with what platforms show: every minute, a few at a time."""

import json
import logging
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bot.domain.chat import ChatAdapter, Shows
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Phrase
from bot.domain.messages import IncomingMessage, OutgoingMessage, ReplyTarget
from bot.domain.step_keys import ANSWER, StepKind, send_key, sibling_key, step_key
from bot.errors import DeliveryError
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.outbox.outbox_store import notice_write
from bot.sessions.records.envelope import message_of, receipt_from_text, receipt_to_json
from bot.sessions.wording.languages import language_for
from bot.turns.receipt_store import SentAnswer, receipt_write, with_receipt, without_receipt
from bot.turns.refs import make_ref

log = logging.getLogger(__name__)

EVERY_S = 60.0
MOST_CALLS = 3
"""Answers of each kind that one look asks each platform about."""
FIRST_BACK, BACK = timedelta(days=1), timedelta(minutes=15)
"""How far back a process looks for answers without receipt: at first, and at least later."""
SHOWN_AFTER, SHOWN_UNTIL = timedelta(minutes=1), timedelta(minutes=10)
"""When an answer with a receipt is checked: after it must be visible, and not long after."""


@dataclass(eq=False)
class Reconciling:
    """Finds an answer without a receipt, and a receipt without a visible answer."""

    database: Database
    clock: Clock
    adapters: Mapping[str, ChatAdapter]
    outbox: Outbox
    _since: datetime | None = None
    """The time at which the oldest open answer was settled; None before the first look."""
    _asked: dict[int, datetime] = field(default_factory=dict[int, datetime])
    """By turn without a receipt: the last time its platform was asked."""
    _looked: dict[int, datetime] = field(default_factory=dict[int, datetime])
    """By turn with a receipt: the time of its check."""

    async def run(self) -> None:
        """One look each minute, until cancelled. Raises StorageError."""
        while True:
            await self.clock.sleep(EVERY_S)
            await self.look()

    async def look(self) -> None:
        """Ask about a few answers. Raises StorageError."""
        now = self.clock.now()
        await self._find_some(now)
        self._looked = {turn: at for turn, at in self._looked.items() if now - at < 2 * SHOWN_UNTIL}
        found = await with_receipt(self.database, now - SHOWN_UNTIL, now - SHOWN_AFTER)
        for answer in self._chosen([one for one in found if one.turn not in self._looked], {}):
            self._looked[answer.turn] = now
            await self._check(answer)
        self.outbox.retries.wake()

    async def _find_some(self, now: datetime) -> None:
        """Ask about some answers without a receipt; the others wait for the next looks."""
        far = now - FIRST_BACK
        found = await without_receipt(self.database, max(far, min(now - BACK, self._since or far)))
        done: set[int] = set()
        for answer in self._chosen(found, self._asked):
            self._asked[answer.turn] = now
            if await self._find(answer):
                done.add(answer.turn)
        open_ones = [
            one for one in found if one.turn not in done and self._adapter_of(one) is not None
        ]
        self._asked = {
            one.turn: self._asked[one.turn] for one in open_ones if one.turn in self._asked
        }
        self._since = min((one.settled for one in open_ones), default=now)

    def _chosen(
        self, answers: Sequence[SentAnswer], asked: Mapping[int, datetime]
    ) -> list[SentAnswer]:
        """A few of each platform, so that an unavailable platform delays no other."""
        by_platform: defaultdict[str, list[SentAnswer]] = defaultdict(list)
        for answer in answers:
            if (adapter := self._adapter_of(answer)) is not None:
                by_platform[adapter.platform].append(answer)
        return [one for line in by_platform.values() for one in first_of(line, asked, MOST_CALLS)]

    def _adapter_of(self, answer: SentAnswer) -> ChatAdapter | None:
        message = message_of(answer.body)
        return self.adapters.get(message.conversation.platform) if message is not None else None

    async def _find(self, answer: SentAnswer) -> bool:
        """Ask about an answer with unknown outcome, and tell its person if it was not sent.

        False if its platform could not say.
        """
        message, adapter = message_of(answer.body), self._adapter_of(answer)
        if message is None or adapter is None:
            return True
        key = send_key(
            make_ref("t", answer.turn), ANSWER, await self.outbox.lives.identity(answer.turn)
        )
        try:
            receipt = await adapter.find_sent(message.reply_to, key)
        except DeliveryError as error:
            log.info(
                "send=<%s>, error=<%s> | can't tell whether it was sent, asked again later",
                key,
                error,
            )
            return False
        if receipt is not None:
            log.info("send=<%s> | was sent, its receipt is on record now", key)
            await self.database.write(Unit.of(receipt_write(answer.turn, receipt_to_json(receipt))))
            return True
        log.error("send=<%s> | was never sent, its person is told", key)
        unit = Unit.of(receipt_write(answer.turn, {"refused": "it was cut off before it was sent"}))
        await self.database.write(unit + self._told(message, key, answer.turn))
        return True

    def _told(self, message: IncomingMessage, key: str, turn: int) -> Unit:
        to = message.reply_to
        target = ReplyTarget(to.conversation, to.message, ephemeral_to=to.ephemeral_to)
        text = Phrase(
            "My answer was cut off before it reached you. Please ask again. (reference {ref})"
        ).said(language_for(message), ref=make_ref("t", turn))
        notice = OutgoingMessage(target, text)
        own = sibling_key(key, step_key(StepKind.SEND, "lost"))
        return Unit.of(notice_write(own, message.sender.id, notice, self.clock.now()))

    async def _check(self, answer: SentAnswer) -> None:
        """A platform accepted an answer, so it must be visible.

        If somebody deleted it since, they had a reason, so nothing is sent.
        """
        message, adapter = message_of(answer.body), self._adapter_of(answer)
        taken = answer.receipt is not None and answer.receipt.get("message_ids")
        if (
            message is None
            or not isinstance(adapter, Shows)
            or not taken
            or message.reply_to.ephemeral_to
        ):
            return
        try:
            shown = await adapter.shows(
                message.reply_to, receipt_from_text(json.dumps(answer.receipt))
            )
        except DeliveryError as error:
            log.info(
                "turn=<%s>, error=<%s> | can't tell whether its answer is shown", answer.turn, error
            )
            return
        if not shown:
            ref = make_ref("t", answer.turn)
            log.error(
                "turn=<%s>, key=<%s> | its answer is not there: deleted, or never shown",
                ref,
                message.key,
            )


def first_of(
    answers: Sequence[SentAnswer], asked: Mapping[int, datetime], most: int
) -> list[SentAnswer]:
    """Answers asked about longest ago, or never; equals alternate between oldest and newest."""
    line, mixed = deque(sorted(answers, key=lambda one: one.settled)), list[SentAnswer]()
    while line:
        mixed.append(line.popleft())
        if line:
            mixed.append(line.pop())
    never = datetime.min.replace(tzinfo=UTC)
    return sorted(mixed, key=lambda one: asked.get(one.turn, never))[:most]
