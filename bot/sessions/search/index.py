"""Indexes words of messages: in the background, in small units, resuming after restarts.

The channels on record are read once for all who search at the same time.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.sessions.search.words_store import (
    KnownPlace,
    Unread,
    channels_on_record,
    day_words,
    unread_count,
    unread_messages,
    words_unit,
)
from bot.storage.stems import indexed

T = TypeVar("T")


class Together(Generic[T]):
    """One look for all who ask before it begins; it sees everything stored before they asked.

    Somebody who asks while a look is under way gets the next one. So nobody waits for more than two
    looks, however many ask.
    """

    def __init__(self, look: Callable[[], Awaitable[T]], turns: asyncio.Lock | None = None) -> None:
        """`turns` is held during a look, if something else must not run beside it."""
        self._look = look
        self._turns = turns or asyncio.Lock()
        self._next: asyncio.Task[T] | None = None
        """The look that has not begun yet."""

    async def __call__(self) -> T:
        """What the look returns; raises what it raises, to each who asked."""
        if self._next is None:
            self._next = asyncio.create_task(self._run(), name="shared-look")
            self._next.add_done_callback(_seen)
        return await asyncio.shield(self._next)

    @property
    def is_idle(self) -> bool:
        """Whether no look is wanted or under way."""
        return self._next is None and not self._turns.locked()

    async def _run(self) -> T:
        async with self._turns:
            self._next = None  # who asks from now on may have stored something since
            return await self._look()


def _seen(done: asyncio.Task[T]) -> None:
    """An error belongs to those who asked, even if all of them were cancelled."""
    if not done.cancelled():
        done.exception()


@dataclass(eq=False)
class ChannelsOnRecord:
    """The list is nobody's own, and says nothing about who may read a channel.

    It is kept for nobody who asks later. Its cost grows with the home, so a crowd that writes at
    once would otherwise read it for each of them.
    """

    database: Database
    _looks: dict[tuple[tuple[str, str], ...], Together[list[KnownPlace]]] = field(
        default_factory=dict[tuple[tuple[str, str], ...], Together[list[KnownPlace]]]
    )

    async def within(self, workspaces: Sequence[tuple[str, str]]) -> Sequence[KnownPlace]:
        """See `channels_on_record`. Raises StorageError."""
        key = tuple(workspaces)
        look = self._looks.get(key)
        if look is None:
            look = Together(partial(channels_on_record, self.database, key))
            self._looks[key] = look
        try:
            return await look()
        finally:
            if look.is_idle and self._looks.get(key) is look:
                del self._looks[key]


AT_ONCE = 200
"""Messages in one unit, so that running turns never wait long behind it."""
EVERY_S = 30.0
PAUSE_S = 0.2
"""The pause between two units while an old home is indexed for the first time."""
BEFORE_SEARCH = 1_000
"""The number of new messages indexed before a search, so that it finds recent ones."""


class MessageIndex:
    """Accepting a message costs no indexing: its words are indexed later.

    Triggers remove the words of a changed or deleted message in the same unit.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._reading = asyncio.Lock()
        self._caught_up = Together(self._pass, self._reading)

    async def run(self) -> None:
        """Index new messages every half minute, until cancelled. Raises StorageError."""
        while True:
            read = await self.read_on()
            await self._clock.sleep(PAUSE_S if read == AT_ONCE else EVERY_S)

    async def read_on(self) -> int:
        """Index some messages; returns their number. Raises StorageError."""
        async with self._reading:
            return await self._read_some()

    async def _read_some(self) -> int:
        unread = await unread_messages(self._database, AT_ONCE)
        if unread:
            await self._database.write(words_unit(await asyncio.to_thread(_words, unread)))
        return len(unread)

    async def before_search(self) -> int:
        """Index new messages up to a limit; returns about how many can't be found yet.

        Those who ask together share one pass: a crowd would otherwise wait in line for the lock,
        each to find that nothing is left. Raises StorageError.
        """
        return await self._caught_up()

    async def _pass(self) -> int:
        for _ in range(0, BEFORE_SEARCH, AT_ONCE):
            if await self._read_some() < AT_ONCE:
                return 0
        return await unread_count(self._database)


def _words(unread: Sequence[Unread]) -> list[tuple[Unread, str]]:
    return [(one, _indexed(one)) for one in unread]


def _indexed(one: Unread) -> str:
    words = indexed(one.text)
    return f"{words} {day_words(one.text, one.at)} {one.scope}" if words else ""
