"""Transcripts of recently used sessions in memory, so that a warm turn costs the same however long its session is."""

from collections import OrderedDict
from collections.abc import Sequence

from bot.domain.database import Database
from bot.domain.sessions import Session, TranscriptMessage
from bot.sessions.store import transcript

KEPT_MESSAGES = 3_000
"""Across all sessions, some 2 KB each; what was used longest ago is read from the database again, which costs a turn
about a millisecond per hundred messages. A bound that a busy day does not reach is memory that grows all day."""


class Transcripts:
    """Reads a session's transcript once and grows it with each finished turn; the database stays the truth."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: OrderedDict[tuple[str, int], list[TranscriptMessage]] = OrderedDict()
        self._count = 0

    async def load(self, session: Session) -> list[TranscriptMessage]:
        """The messages of the session's epoch; a list of the caller's own."""
        key = (session.id, session.epoch)
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = await transcript(self._database, session)
            self._count += len(kept)
        self._kept.move_to_end(key)
        return list(kept)

    def finished(self, session: Session, messages: Sequence[TranscriptMessage]) -> None:
        """A turn of this session was settled with these messages."""
        kept = self._kept.get((session.id, session.epoch))
        if kept is None:
            return
        kept.extend(messages)
        self._count += len(messages)
        while self._count > KEPT_MESSAGES and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._count -= len(dropped)

    def forget(self, session: Session) -> None:
        """Read it anew next time: nobody knows whether a turn was settled."""
        dropped = self._kept.pop((session.id, session.epoch), None)
        self._count -= len(dropped or ())
