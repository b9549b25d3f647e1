"""Indexes words of messages: in the background, in small units, resuming after restarts."""

import asyncio
from collections.abc import Sequence

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.sessions.search.index_marks import day_words
from bot.sessions.search.together import Together
from bot.sessions.search.words_store import Unread, unread_count, unread_messages, words_unit
from bot.storage.stems import indexed

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
