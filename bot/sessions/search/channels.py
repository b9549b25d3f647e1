"""The channels on record, read once for all who search at the same time."""

from collections.abc import Sequence
from functools import partial

from bot.domain.database import Database
from bot.sessions.search.together import Together
from bot.sessions.search.words_store import KnownPlace, channels_on_record


class ChannelsOnRecord:
    """The list is nobody's own, and says nothing about who may read a channel.

    It is kept for nobody who asks later. Its cost grows with the home, so a crowd that writes at
    once would otherwise read it for each of them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._looks: dict[tuple[tuple[str, str], ...], Together[list[KnownPlace]]] = {}

    async def within(self, workspaces: Sequence[tuple[str, str]]) -> Sequence[KnownPlace]:
        """See `channels_on_record`. Raises StorageError."""
        key = tuple(workspaces)
        look = self._looks.get(key)
        if look is None:
            look = Together(partial(channels_on_record, self._database, key))
            self._looks[key] = look
        try:
            return await look()
        finally:
            if look.is_idle and self._looks.get(key) is look:
                del self._looks[key]
