"""Catching up: reads missed messages from history before current ones.

See docs/rules.md#catching-up.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, TypeVar
from weakref import WeakValueDictionary

from bot.chat.unreadable import Unreadable
from bot.domain.chat import RecordedMessage, Recovered, Recovery
from bot.domain.clock import Clock
from bot.domain.messages import Conversation, Heard
from bot.errors import DeliveryError, StorageError

log = logging.getLogger(__name__)
T = TypeVar("T")

AGAIN_S = (5.0, 15.0, 60.0)
"""Waits before further tries of a failed read."""


@dataclass(frozen=True)
class Gap:
    """The gap in a channel and its threads: marks by place key, else since `floor`."""

    channel: str
    heard: Mapping[str, Heard]
    floor: datetime
    urgent: bool = True
    """Whether somebody wrote there and waits; other gaps are read beside people's requests."""
    kept: Mapping[str, Sequence[RecordedMessage]] = field(
        default_factory=dict[str, Sequence[RecordedMessage]]
    )
    """Recently recorded messages, by place key: they may have been changed or deleted meanwhile."""


@dataclass(frozen=True)
class Missed:
    """One message of the history.

    `hear` accepts it; with True it is too late for an answer. False: not recorded.
    """

    place: Conversation
    at: datetime
    hear: Callable[[bool], Awaitable[bool]]


@dataclass(frozen=True)
class GapHistory:
    """The content of a gap: messages of others, oldest first, and how far each place was read.

    `changes` pass on edits and deletions of messages heard before, `reactions` recent reactions to
    any message; False: not recorded.
    """

    missed: Sequence[Missed]
    reached: Sequence[Heard] = ()
    changes: Sequence[Callable[[], Awaitable[bool]]] = ()
    reactions: Sequence[Callable[[], Awaitable[bool]]] = ()


@dataclass(frozen=True)
class News:
    """Channels that may contain unheard messages, in reading order."""

    channels: Sequence[str]
    complete: bool = True
    """False if the platform doesn't show all places now; catch-up then continues until it does."""


class Archive(Protocol):
    """An adapter's view of its platform's history.

    A `channel` is the unit in which messages are ordered.
    """

    def channel_of(self, place: Conversation) -> str:
        """The channel in whose history a marked place is read."""
        ...

    async def read(self, gap: Gap) -> GapHistory:
        """Raises DeliveryError; if it is not retryable, there is nothing to read."""
        ...

    async def news(self, recovered: Recovered) -> News:
        """Raises DeliveryError."""
        ...


@dataclass
class _Loss:
    """One period without the platform."""

    recovered: Recovered
    floor: datetime
    marks: dict[str, dict[str, Heard]]
    read: set[str] = field(default_factory=set[str])


class CatchUp:
    """Reads missed messages.

    `lost` is called at once when messages may have been missed; `run` reads everything.
    """

    def __init__(
        self,
        platform: str,
        archive: Archive,
        recovery: Recovery | None,
        clock: Clock,
        unreadable: Unreadable | None = None,
    ) -> None:
        self._platform = platform
        self._archive = archive
        self._recovery = recovery
        self._clock = clock
        self._unreadable = unreadable or Unreadable(platform)
        self._orders: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._opening: asyncio.Task[_Loss | None] | None = None
        self._loss: _Loss | None = None
        self._left_unread = False
        """The adapter ended before everything was read: its later messages may move no mark."""

    def lost(self) -> None:
        """From now on no message is heard before earlier ones of its channel."""
        if self._recovery is not None:
            self._loss, self._left_unread = None, False
            self._opening = asyncio.create_task(self._open(self._recovery))

    def stop(self) -> None:
        """The adapter ends; unread gaps stay marked."""
        self._left_unread = self._left_unread or self._opening is not None or self._loss is not None
        if self._opening is not None:
            self._opening.cancel()
        self._opening = self._loss = None

    async def _open(self, recovery: Recovery) -> _Loss | None:
        recovered = await self._insist(lambda: recovery.begin(self._platform))
        if recovered.floor is None:
            return None
        marks: dict[str, dict[str, Heard]] = {}
        for mark in recovered.marks:
            marks.setdefault(self._archive.channel_of(mark.place), {})[mark.place.key] = mark
        return _Loss(recovered, recovered.floor, marks)

    async def _current(self) -> _Loss | None:
        while self._opening is not None:
            opening = self._opening
            await asyncio.wait({opening})
            if opening is self._opening:
                self._opening, self._loss = None, opening.result()
        return self._loss

    async def is_clear(self, channel: str) -> bool:
        """Close the channel's gap; the caller holds the channel's order.

        False: it is still there, no mark may pass it.
        """
        loss = await self._current()
        if loss is None:
            return not self._left_unread
        if channel in loss.read:
            return True
        return await self._close(loss, channel)

    @asynccontextmanager
    async def in_order(self, channel: str) -> AsyncGenerator[None]:
        """Held while something of the channel is heard: one after another, as it came.

        An adapter begins to hear events in the order in which they came, and so they wait here.
        """
        async with self._orders.setdefault(channel, asyncio.Lock()):
            yield

    @asynccontextmanager
    async def before(self, channel: str) -> AsyncGenerator[bool]:
        """The order of a channel, and whether its marks may move."""
        async with self.in_order(channel):
            yield await self.is_clear(channel)

    # --- reading ---

    async def run(self) -> None:
        """Read all possible gaps, repeatedly until that succeeds."""
        loss = await self._current()
        if loss is None or self._recovery is None:
            return
        recovery, tries = self._recovery, 0
        while not await self._pass(loss):
            await self._clock.sleep(AGAIN_S[min(tries, len(AGAIN_S) - 1)])
            tries += 1
        await self._insist(lambda: recovery.finish(self._platform))
        if self._loss is loss:
            self._loss = None
        log.info("platform=<%s>, channels=<%d> | caught up", self._platform, len(loss.read))

    async def _pass(self, loss: _Loss) -> bool:
        try:
            news = await self._archive.news(loss.recovered)
        except DeliveryError as error:
            log.warning(
                "platform=<%s>, error=<%s> | can't tell where messages were missed",
                self._platform,
                error,
            )
            return False
        except Exception as error:  # noqa: BLE001 - one strange answer must not end the reading for good
            self._unreadable.skip("list of channels", error)
            return False
        whole = news.complete
        for channel in news.channels:
            whole = await self._in_passing(loss, channel) and whole
        return whole

    async def _in_passing(self, loss: _Loss, channel: str) -> bool:
        """Read before taking the channel's order, so that nobody who writes there has to wait."""
        if channel in loss.read:
            return True
        found = await self._read(loss, channel, urgent=False)
        async with self.in_order(channel):
            return channel in loss.read or await self._take(loss, channel, found)

    async def _close(self, loss: _Loss, channel: str) -> bool:
        return await self._take(loss, channel, await self._read(loss, channel, urgent=True))

    async def _read(
        self, loss: _Loss, channel: str, *, urgent: bool
    ) -> GapHistory | DeliveryError | StorageError:
        try:
            kept = await self._kept(loss, channel)
            return await self._archive.read(
                Gap(channel, loss.marks.get(channel, {}), loss.floor, urgent, kept)
            )
        except (DeliveryError, StorageError) as error:
            return error
        except Exception as error:  # noqa: BLE001 - who writes there now is heard all the same
            self._unreadable.skip("history", error, channel)
            return DeliveryError("its history can't be read", retryable=True)

    async def _kept(self, loss: _Loss, channel: str) -> dict[str, Sequence[RecordedMessage]]:
        """The messages recorded there within the limits."""
        assert self._recovery is not None  # noqa: S101 - a loss was opened by it
        since, most = loss.recovered.since, loss.recovered.messages
        lately = [mark.place for mark in loss.marks.get(channel, {}).values() if mark.at >= since]
        kept = {place.key: await self._recovery.kept(place, since, most) for place in lately}
        return {place: found for place, found in kept.items() if found}

    async def _take(
        self, loss: _Loss, channel: str, found: GapHistory | DeliveryError | StorageError
    ) -> bool:
        """Hear the found messages in the channel's order. False: read the gap again."""
        if isinstance(found, GapHistory):
            whole = await self._recorded(loss, channel, found)
        else:
            log.warning(
                "platform=<%s>, channel=<%s>, error=<%s> | not caught up",
                self._platform,
                channel,
                found,
            )
            whole = isinstance(found, DeliveryError) and not found.retryable
        if whole:
            loss.read.add(channel)
        return whole

    async def _recorded(self, loss: _Loss, channel: str, history: GapHistory) -> bool:
        try:
            return await self._hear(loss.recovered, history)
        except StorageError as error:
            log.warning(
                "platform=<%s>, channel=<%s>, error=<%s> | not recorded",
                self._platform,
                channel,
                error,
            )
            return False

    async def _hear(self, recovered: Recovered, history: GapHistory) -> bool:
        if history.missed:
            log.info(
                "platform=<%s>, messages=<%d> | recorded late", self._platform, len(history.missed)
            )
        assert self._recovery is not None  # noqa: S101 - a loss was opened by it
        if not await self._all_heard(history.changes):
            return False
        untold = {missed.place.key: missed.place for missed in history.missed}
        for missed, late in zip(history.missed, _too_late(recovered, history.missed), strict=True):
            if not late and missed.place.key in untold:
                await self._recovery.tell(untold.pop(missed.place.key))
            if not await self._heard(missed.hear(late)):
                return False
        if not await self._all_heard(history.reactions):
            return False
        for place in untold.values():
            await self._recovery.tell(place)
        for heard in history.reached:
            await self._recovery.reached(heard)
        return True

    async def _all_heard(self, events: Sequence[Callable[[], Awaitable[bool]]]) -> bool:
        for event in events:
            if not await self._heard(event()):
                return False
        return True

    async def _heard(self, hearing: Awaitable[bool]) -> bool:
        """False: not recorded.

        A message that raises is skipped, so that later ones are not held up.
        """
        try:
            return await hearing
        except StorageError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever is wrong with this one message
            self._unreadable.skip("missed message", error)
            return True

    async def _insist(self, what: Callable[[], Awaitable[T]]) -> T:
        tries = 0
        while True:
            try:
                return await what()
            except StorageError as error:
                log.warning(
                    "platform=<%s>, error=<%s> | could not be stored",
                    self._platform,
                    error,
                )
                await self._clock.sleep(AGAIN_S[min(tries, len(AGAIN_S) - 1)])
                tries += 1


def _too_late(recovered: Recovered, missed: Sequence[Missed]) -> list[bool]:
    """For each message, oldest first, whether it is beyond the limits."""
    newer: dict[str, int] = {}
    late: list[bool] = []
    for one in reversed(missed):
        newer[one.place.key] = newer.get(one.place.key, 0) + 1
        late.append(one.at < recovered.since or newer[one.place.key] > recovered.messages)
    return late[::-1]
