"""Removes the choices of cards that are over, in place, however their question was closed.

The closing is stored with the approval or the question itself, so it is durable before any edit. A
card is stored from its send (in the unit of its receipt) until its edit, so an edit that a crash
cut off is done later.

See docs/rules.md#approvals.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from bot.domain.access import Person
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.chat import ChatAdapter, ShowsWaiting
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.languages import Phrase
from bot.domain.messages import IncomingMessage, OutgoingMessage, Place, ReplyTarget
from bot.domain.processes import Notices
from bot.domain.turns import Answer, TurnRecord
from bot.errors import DeliveryError
from bot.sessions.outbox.card_store import (
    KeptCard,
    cards_due,
    cards_of,
    is_reminder,
    next_try,
    open_refs,
    places_of,
    postpone_write,
    reminder_end,
    remove_write,
)
from bot.sessions.outbox.outbox_store import notice_key, notice_write
from bot.sessions.outbox.retries import RETRY_S, until_due
from bot.sessions.wording import phrases as words
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.bundles import allowed_lines
from bot.tools.permission.shown import calls_of
from bot.turns.engine import TurnEngine

log = logging.getLogger(__name__)

MOST_ATTEMPTS = 40
"""About nine hours; after that a card keeps its choices, and a late click gets a sentence."""
LOOK_AT_ALL = timedelta(hours=1)
"""Closed questions are reported; this finds those that another process closed."""

LOOK_AT_ALL_SHARED = timedelta(minutes=1)
"""The same where others tell by notices, which may be lost."""
_SENT, _LOOK, _REMINDERS = "card_sent", "card_look", "card_reminders"
_AT_THE_TERMINAL = "terminal-local-"
"""Stands before the name of an operator who is missing in contacts.yaml."""


@dataclass(eq=False)
class Cards:
    """Tracks posted cards, and closes them."""

    database: Database
    clock: Clock
    engine: TurnEngine
    approvals: ApprovalStore
    adapters: Mapping[str, ChatAdapter]
    person: Callable[[str], Person | None]
    kept: Callable[[], None] = lambda: None
    """Is told when a message is in the outbox."""
    _open: set[str] = field(default_factory=set[str])
    """The subjects of cards, by reference."""
    _to_look: set[str] = field(default_factory=set[str])
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _notices: Notices | None = None
    _runs: bool = False

    def share(self, notices: Notices) -> None:
        """One of several processes closes cards: tell it what happens here, and hear of others."""
        self._notices = notices
        notices.listen(_SENT, self._sent)
        notices.listen(_LOOK, self._look)
        notices.listen(_REMINDERS, lambda _text: self._look_at_reminders())

    def sent(self, ref: str) -> None:
        """A card about this approval or turn was recorded; its question may already be over."""
        self._sent(ref)
        self._tell(_SENT, ref)

    def look(self, ref: str) -> None:
        """An approval or turn has changed. Costs nothing without a card about it."""
        self._look(ref)
        self._tell(_LOOK, ref)

    def look_at_reminders(self) -> None:
        """Todos have changed, so some reminders may be over."""
        self._look_at_reminders()
        self._tell(_REMINDERS)

    def _tell(self, channel: str, ref: str = "") -> None:
        if self._notices is not None and not self._runs:
            self._notices.post(channel, ref)

    def _sent(self, ref: str) -> None:
        if self._runs or self._notices is None:
            self._open.add(ref)
            self._look(ref)

    def _look(self, ref: str) -> None:
        if ref in self._open:
            self._to_look.add(ref)
            self._wake.set()

    def _look_at_reminders(self) -> None:
        for ref in self._open:
            if is_reminder(ref):
                self._look(ref)

    async def open_here(self, person: Person, conversation: str) -> list[str]:
        """Open approvals that this person may decide, and that were asked or have a card here."""
        return [
            approval.ref
            for approval in await self.approvals.open_for(person)
            if approval.conversation == conversation
            or conversation in await places_of(self.database, approval.ref)
        ]

    async def has_before(self, person: Person, message: IncomingMessage, ref: str) -> bool:
        """Whether a click on an open card of this approval brought the message.

        A choice whose number was typed, in a terminal, is no click: its card can't be edited.
        """
        clicked = message.action is not None and not message.text
        found = await cards_of(self.database, ref) if clicked else ()
        found = [card for card in found if _lasts(card.posted.message.target)]
        if message.private:  # a direct message may be known by its person alone
            return any(card.asks.reader == person.id for card in found)
        there = message.conversation
        return any(card.posted.message.target.conversation.key == there.key for card in found)

    async def only_one(self, person: Person, conversation: str) -> str | None:
        """The approval that a bare yes or no means; None unless there is exactly one."""
        found = await self.open_here(person, conversation)
        return found[0] if len(found) == 1 else None

    async def run(self) -> None:
        """Close cards that are over, until cancelled; first those that ended before the start.

        Raises StorageError.
        """
        self._runs = True
        try:
            await self._run()
        finally:
            self._runs = False
            if self._notices is not None:
                self._open.clear()

    async def _run(self) -> None:
        everything = self.clock.now()
        while True:
            self._wake.clear()
            if self.clock.now() >= everything:
                self._open |= await open_refs(self.database)
                self._to_look |= self._open
                often = LOOK_AT_ALL if self._notices is None else LOOK_AT_ALL_SHARED
                everything = self.clock.now() + often
            refs, self._to_look = self._to_look, set()
            for ref in sorted(refs):
                await self._look_at(ref)
            await self._close_all(await cards_due(self.database, self.clock.now()))
            due = await next_try(self.database)
            await until_due(self.clock, self._wake, min(due or everything, everything))

    async def _look_at(self, ref: str) -> None:
        cards = await cards_of(self.database, ref)
        if not cards:
            self._open.discard(ref)  # the outbox reports the cards that it still holds
            return
        self._open.add(ref)  # the card may be newer than the look that found none
        over = await self._over(cards)
        ended = {card.posted.key for card in over}
        for card in cards:
            adapter = self.adapters.get(card.posted.message.target.conversation.platform)
            if card.posted.key not in ended and isinstance(adapter, ShowsWaiting):
                await adapter.waits(card.posted)
        await self._close_all(over)

    async def _over(self, cards: Sequence[KeptCard]) -> list[KeptCard]:
        """Cards of one reference whose question is over, each with its closing line."""
        ref, asking = cards[0].asks.ref, any(card.asks.step for card in cards)
        if is_reminder(ref):
            ends = [
                await reminder_end(self.database, card.asks, card.posted.message.language)
                for card in cards
            ]
        elif asking:
            record = await self.engine.recorded(ref)
            ends = [_question_end(card, record) for card in cards]
        else:
            approval = await self.approvals.get(ref)
            ends = [await self._approval_end(card, approval) for card in cards]
        return [
            replace(card, line=line)
            for card, line in zip(cards, ends, strict=True)
            if line is not None
        ]

    async def _approval_end(self, card: KeptCard, approval: Approval | None) -> str | None:
        language = card.posted.message.language
        if approval is None:
            return words.CLOSED.said(language)
        if approval.state is ApprovalState.OPEN:
            return None
        by = approval.decided_by or ""
        person = self.person(by)
        name = person.name if person is not None else by.removeprefix(_AT_THE_TERMINAL)
        told = words.approval_end(approval.state, name, language)
        allowed = await allowed_lines(self.database, approval)
        return words.partly(told, allowed, len(calls_of(approval)), language)

    async def _close_all(self, cards: Sequence[KeptCard]) -> None:
        """Close cards one by one per platform, because of rate limits; platforms in parallel."""
        by_platform: defaultdict[str, list[KeptCard]] = defaultdict(list)
        for card in cards:
            by_platform[card.posted.message.target.conversation.platform].append(card)

        async def close(platform: str) -> None:
            for card in by_platform[platform]:
                await self._close(self.adapters.get(platform), card)

        await asyncio.gather(*map(close, by_platform))

    async def _close(self, adapter: ChatAdapter | None, card: KeptCard) -> None:
        """Edit a card, and record it. A repeated edit changes nothing."""
        key, line = card.posted.key, card.line
        try:
            if adapter is None:
                raise DeliveryError("its platform is not connected", retryable=True)
            await adapter.close_card(card.posted, line)
        except DeliveryError as error:
            if error.retryable and card.attempts + 1 < MOST_ATTEMPTS:
                wait = RETRY_S[min(card.attempts, len(RETRY_S) - 1)]
                again = self.clock.now() + timedelta(seconds=wait)
                await self.database.write(Unit.of(postpone_write(card, line, again)))
                return
            log.info("card=<%s>, error=<%s> | the card stays open", key, error)
        except Exception:
            log.exception("card=<%s> | the card could not be closed and stays open", key)
        else:
            log.debug("card=<%s>, line=<%s> | closed", key, line)
            await self.database.write(Unit.of(remove_write(key)))
            return
        await self.database.write(Unit.of(remove_write(key), *await self._unshown_no(card)))
        self.kept()

    async def _unshown_no(self, card: KeptCard) -> list[Write]:
        """Tell those who said no, where the edit of their card was to say it."""
        approval, target = await self.approvals.get(card.asks.ref), card.posted.message.target
        if approval is None or approval.state is not ApprovalState.REJECTED:
            return []
        by, language = approval.decided_by or "", card.posted.message.language
        if not _lasts(target) or by not in {approval.person, card.asks.reader}:
            return []
        told = OutgoingMessage(target, words.NOT_DONE.said(language), language=language)
        return [notice_write(notice_key("rejected", approval.ref), by, told, self.clock.now())]


def _lasts(target: ReplyTarget) -> bool:
    """Whether a card there can be edited at any time.

    What only one person sees among others can be edited for some minutes, or not at all.
    """
    direct = target.conversation.place is Place.DM and target.interaction is None
    return target.ephemeral_to is None or direct


def _question_end(card: KeptCard, record: TurnRecord | None) -> str | None:
    """How a question ended; None while it is open or about to be opened."""
    language = card.posted.message.language
    if record is None:
        return words.CLOSED.said(language)
    asked = next((one for one in record.questions if one.step == card.asks.step), None)
    if asked is None:
        return None if record.settled_at is None else words.STOPPED.said(language)
    match asked.state:
        case "open":
            return None
        case "answered":
            options = {choice.value for choice in card.posted.message.choices}
            answer = Answer.from_json(record.steps.get(card.asks.step)).text
            return words.answered(answer if answer in options else None, language)
        case "expired":
            return Phrase("Expired: nobody answered in time").said(language)
        case _:
            return words.STOPPED.said(language)
