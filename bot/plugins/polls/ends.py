"""A poll that ends: its result joins the conversation that asked for it, and starts automations."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.plugin.clock import Clock
from bot.plugin.places import (
    AnnounceResult,
    Arrival,
    ChatAdapter,
    Conversation,
    DeliveryError,
    HasPolls,
    KnowsPolls,
    Poll,
    PollResult,
)
from bot.plugin.tables import Database, Unit
from bot.plugins.polls.store import OpenPoll, OpenPolls, remove_poll

log = logging.getLogger(__name__)

EVERY_S = 60.0
COUNTED_WITHIN = timedelta(hours=1)
"""A platform counts the votes again after the end; what is known then is the result."""
ASKED_FOR = timedelta(days=7)
"""How long a platform is asked about a poll whose end it doesn't tell."""


def poll_desk(adapters: Mapping[str, ChatAdapter], place: Conversation) -> KnowsPolls | None:
    """The polls of a place's platform, if it has any and is connected."""
    adapter = adapters.get(place.platform)
    return adapter.polls if isinstance(adapter, HasPolls) else None


@dataclass(frozen=True)
class PollEnds:
    """Asks about polls whose time is over. A time without Bellhop loses none."""

    database: Database
    clock: Clock
    adapters: Mapping[str, ChatAdapter]
    announce: AnnounceResult

    async def run(self) -> None:
        """Look again and again, until cancelled. Raises StorageError."""
        while True:
            await self.look()
            await self.clock.sleep(EVERY_S)

    async def look(self) -> None:
        """Settle the polls that have ended. Raises StorageError."""
        for poll in await OpenPolls(self.database).due(self.clock.now()):
            await self._look_at(poll)

    async def _look_at(self, known: OpenPoll) -> None:
        late = self.clock.now() - known.ends_at
        desk = poll_desk(self.adapters, known.place)
        try:
            poll = await desk.find(known.place, known.message) if desk is not None else None
        except DeliveryError as error:
            log.info("poll=<%s>, error=<%s> | its end can't be read now", known.key, error)
            if late <= ASKED_FOR:
                return
            poll = None
        if poll is None and desk is None and late <= ASKED_FOR:
            return
        if poll is None:
            log.info("poll=<%s> | it is gone, so it has no result", known.key)
            await self.database.write(Unit.of(remove_poll(known.key)))
        elif poll.ended or late > COUNTED_WITHIN:
            told = await self.ended(known, poll)
            await self.database.write(told.unit)
            if told.then is not None:
                told.then()

    async def ended(self, known: OpenPoll, poll: Poll) -> Arrival:
        """What the end of a poll writes and starts."""
        text = result_words(poll)
        told = await self.announce(
            PollResult(known.key, text, known.asked_in, known.place, known.agent, known.trust)
        )
        return replace(told, unit=Unit.of(remove_poll(known.key)) + told.unit)


def result_words(poll: Poll) -> str:
    """How a poll ended, in words for models."""
    counted = [f"- {one.text}: {one.votes}" for one in poll.answers]
    return "\n".join([f"The poll ended: {poll.question}", *counted, f"Most votes: {_first(poll)}"])


def _first(poll: Poll) -> str:
    most = max((one.votes for one in poll.answers), default=0)
    if not most:
        return "nobody voted"
    first: Sequence[str] = [one.text for one in poll.answers if one.votes == most]
    return first[0] if len(first) == 1 else f"a tie of {' and '.join(first)}"
