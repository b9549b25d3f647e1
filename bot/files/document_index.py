"""Indexes the words of documents: in the background, piece by piece, resuming after restarts."""

import asyncio

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.files.words_store import DocumentPart, UnreadDocument, next_unread, pieces_unit
from bot.storage.stems import INDEXED_CHARS, indexed

AT_ONCE = 8
"""Pieces per unit, so that running turns never wait long behind it."""
EVERY_S = 30.0
PAUSE_S = 0.2
"""Seconds between two units of a backlog."""
BEFORE_SEARCH = 6
"""Units that are indexed before a search, so that it finds new texts."""
OVERLAP = 80
"""Characters that two pieces share, so that no word is cut in both."""
STEP = INDEXED_CHARS - OVERLAP


class DocumentIndex:
    """Indexes documents after they are written, so that writing stays fast.

    Triggers delete the words of a changed or deleted document in the same unit.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._reading = asyncio.Lock()

    async def run(self) -> None:
        """Index new texts every half minute, until cancelled. Raises StorageError."""
        while True:
            await self._clock.sleep(PAUSE_S if await self.read_on() else EVERY_S)

    async def read_on(self) -> bool:
        """Read the words of a part of a document; False when all is read. Raises StorageError."""
        async with self._reading:
            unread = await next_unread(self._database, AT_ONCE * STEP + OVERLAP)
            if unread is None:
                return False
            pieces = await asyncio.to_thread(_pieces, unread)
            ends = len(unread.text) <= AT_ONCE * STEP
            reached = None if ends else unread.reached + AT_ONCE * STEP
            await self._database.write(pieces_unit(unread, pieces, reached))
            return True

    async def before_search(self) -> None:
        """Index new texts, up to a limit. Raises StorageError."""
        for _ in range(BEFORE_SEARCH):
            if not await self.read_on():
                return


def _pieces(unread: UnreadDocument) -> list[DocumentPart]:
    ends = min(len(unread.text), AT_ONCE * STEP)
    return [
        DocumentPart(unread.reached + at, indexed(unread.text[at : at + INDEXED_CHARS]))
        for at in range(0, max(1, ends), STEP)
    ]
