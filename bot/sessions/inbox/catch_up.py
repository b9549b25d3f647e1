"""Recoveries: how far each place was read, and the notice about unanswered messages.

See docs/rules.md#catching-up.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.chat import RecordedMessage, Recovered
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.lines import platform_of, serves
from bot.domain.messages import Conversation, Heard, OutgoingMessage, ReplyTarget
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.outbox.outbox_store import notice_key, say_unit
from bot.sessions.outbox.spoken_language import spoken_at
from bot.sessions.records import recovery_store
from bot.sessions.settings import CatchUpSettings

log = logging.getLogger(__name__)

FORGET_THREADS = timedelta(days=60)


def _served(line: str, places: Sequence[Heard]) -> tuple[Heard, ...]:
    return tuple(one for one in places if serves(line, one.place.workspace))


CATCH_UP_WINDOW = timedelta(hours=24)
"""Older messages are not answered."""


@dataclass(frozen=True)
class Recoveries:
    """Implements domain.chat.Recovery. Notices go through the outbox."""

    database: Database
    clock: Clock
    settings: CatchUpSettings
    outbox: Callable[[], Outbox]

    async def begin(self, line: str) -> Recovered:
        platform = platform_of(line)
        marks = _served(line, await recovery_store.marks(self.database, platform))
        since = self.clock.now() - CATCH_UP_WINDOW
        floor = await recovery_store.floor(self.database, line)
        if floor is None and marks:
            floor = marks[0].at
            await self.database.write(Unit.of(recovery_store.begin_write(line, floor)))
        oldest = (marks[0].at if marks else since) - FORGET_THREADS
        threads = await recovery_store.unmarked_threads(self.database, platform, oldest)
        known = sorted((*marks, *_served(line, threads)), key=lambda one: one.at, reverse=True)
        return Recovered(tuple(known), floor, self.settings.messages, since)

    async def kept(
        self, place: Conversation, since: datetime, most: int
    ) -> Sequence[RecordedMessage]:
        return await recovery_store.kept(self.database, place.key, since, most)

    async def reached(self, heard: Heard) -> None:
        await self.database.write(Unit.of(recovery_store.mark_write(heard)))

    async def finish(self, line: str) -> None:
        platform = platform_of(line)
        # Stored by a process that has just ended.
        for place in await recovery_store.untold(self.database, platform):
            await self.tell(place)
        unit = Unit.of(recovery_store.finish_write(line))
        # Use the platform's clock: ours may have jumped, and then a thread without a mark would be
        # read from its beginning.
        if (heard := await recovery_store.newest_heard(self.database, platform)) is not None:
            unit += Unit.of(recovery_store.forget_write(platform, heard - FORGET_THREADS))
        await self.database.write(unit)

    async def tell(self, place: Conversation) -> None:
        """In one unit: the notice enters the outbox, and its count is cleared."""
        left = await recovery_store.unanswered(self.database, place)
        if left is None:
            return
        language = await spoken_at(self.database, place)
        unit = Unit.of(recovery_store.told_write(left)) + self._notice(left, language)
        await self.database.write(unit)
        log.info(
            "place=<%s>, messages=<%d> | not answered: beyond catch_up", place.key, left.messages
        )
        self.outbox().retries.wake()

    def _notice(self, left: recovery_store.Unanswered, language: Language) -> Unit:
        """For a place after a time without Bellhop (docs/rules.md#catching-up)."""
        key = notice_key("missed", left.newest)
        text = CountedPhrase(
            Phrase(
                "I was away. An older message here was not answered; ask again if it still matters."
            ),
            Phrase(
                "I was away. {count} older messages here were not answered; ask again if it still "
                "matters."
            ),
        ).said(language, left.messages)
        message = OutgoingMessage(ReplyTarget(left.place), text)
        return say_unit(key, left.person, message, "catch_up", self.clock.now())
