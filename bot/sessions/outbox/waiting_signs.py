"""A person who waits for a free place sees a sign after some seconds, then the reason."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.domain.chat import ChatAdapter, LiveReply
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Language, Phrase
from bot.domain.messages import IncomingMessage, OutgoingMessage
from bot.domain.work import MessageWork, find_work
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.outbox.outbox_store import notice_key, notice_write
from bot.sessions.records.envelope import message_of
from bot.sessions.wording import sentences
from bot.sessions.wording.languages import language_for
from bot.turns.crowd import Crowd
from bot.turns.refs import make_ref
from bot.turns.unsettled_store import DelayedTurn

log = logging.getLogger(__name__)

SIGN_S = 5.0
SENTENCE_S = 30.0
LOOK_S = 1.0
"""The interval of looks while anybody waits; otherwise nobody looks."""
MOST = 50
"""The most people who see a sign at the same time."""


@dataclass
class _Sign:
    turn: int
    live: LiveReply | None
    told: bool = False


@dataclass
class WaitingSigns:
    """One sign and one sentence per waiting person, so that a flood causes no other."""

    crowd: Crowd
    database: Database
    adapters: Mapping[str, ChatAdapter]
    outbox: Outbox
    clock: Clock
    _signs: dict[str, _Sign] = field(default_factory=dict[str, _Sign])
    """By person."""
    _short: set[str] = field(default_factory=set[str])
    """Persons who were told of a shortage on the machine, while it lasts."""

    async def run(self) -> None:
        try:
            while True:
                if not self._signs:
                    await self.crowd.appears()
                await self.clock.sleep(LOOK_S)
                await self.look()
        finally:
            await self._take_away(set())

    async def look(self) -> None:
        """One look. Raises StorageError."""
        now = self.clock.now()
        await self._tell_of_shortage(now)
        waiting = await self.crowd.longest(now - timedelta(seconds=SIGN_S), MOST)
        await self._take_away({(person, turn.id) for person, turn in waiting.items()})
        for person, turn in waiting.items():
            message = message_of(turn.body)
            if not isinstance(find_work(turn.body), MessageWork) or message is None:
                continue
            sign = self._signs.get(person)
            if sign is None or sign.live is None:
                told = sign is not None and sign.told
                sign = self._signs[person] = _Sign(turn.id, self._live(message, turn), told)
            if not sign.told and now - turn.since >= timedelta(seconds=SENTENCE_S):
                sign.told = True
                await self._tell(message, turn, "waits", self._why(turn, language_for(message)))

    def _why(self, turn: DelayedTurn, language: Language) -> str:
        if self.crowd.trying():
            return Phrase(
                "I ended unexpectedly and am finding out which request did it, one at a time. "
                "Yours is not forgotten: I begin with it when that is done."
            ).said(language)
        return sentences.waits_for_a_place(self.crowd.share_used(turn.session), language)

    async def _tell_of_shortage(self, now: datetime) -> None:
        short = self.crowd.short(now - timedelta(seconds=SIGN_S), MOST)
        self._short &= short.keys()
        for person, turn in short.items():
            message = message_of(turn.body)
            if person not in self._short and message is not None:
                self._short.add(person)
                text = Phrase(
                    "The machine that I run on is short of memory or open files at the moment. "
                    "Your request is not lost: I keep trying."
                ).said(language_for(message))
                await self._tell(message, turn, "short", text)

    def _live(self, message: IncomingMessage, turn: DelayedTurn) -> LiveReply | None:
        adapter = self.adapters.get(message.conversation.platform)
        return adapter.live(message.reply_to, make_ref("t", turn.id)) if adapter else None

    async def _take_away(self, waiting: set[tuple[str, int]]) -> None:
        """Remove signs of started turns; people who wait for another were told already."""
        people = {person for person, _ in waiting}
        for person, sign in list(self._signs.items()):
            if (person, sign.turn) in waiting:
                continue
            if sign.live is not None:
                await sign.live.close()
                sign.live = None
            if person not in people:
                del self._signs[person]

    async def _tell(self, message: IncomingMessage, turn: DelayedTurn, why: str, text: str) -> None:
        """Send through the outbox under a key of the message, so that a restart can't repeat it."""
        key, now = notice_key(why, message.key), self.clock.now()
        outgoing = OutgoingMessage(replace(message.reply_to, interaction=None), text)
        await self.database.write(Unit.of(notice_write(key, message.sender.id, outgoing, now)))
        self.outbox.retries.wake()
        log.info(
            "session=<%s>, turn=<%d>, why=<%s> | told the person that their request waits",
            turn.session,
            turn.id,
            why,
        )
