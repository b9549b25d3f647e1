"""Notices that only the processes of one home can read and write.

A server carries notices for everybody who may connect to the database, without asking for rights.
So a text is sealed with a key that lies in the home: nobody else reads what people are answered, or
has a gateway make a call.
"""

import logging
from collections.abc import Callable

from bot.connections.credentials import TextSeal
from bot.domain.processes import Notices

log = logging.getLogger(__name__)

OLDEST_S = 120
"""A notice that is older is refused, so one that somebody kept can't be sent again for long."""


class SealedNotices:
    """Implements `domain.processes.Notices` over others."""

    def __init__(self, notices: Notices, key: str) -> None:
        self._notices = notices
        self._seal = TextSeal(key)
        self._is_told = False

    def listen(self, channel: str, heard: Callable[[str], None]) -> None:
        def opened(sealed: str) -> None:
            if (text := self._open(channel, sealed)) is not None:
                heard(text)

        self._notices.listen(channel, opened)

    def post(self, channel: str, text: str) -> None:
        self._notices.post(channel, self._seal.seal(f"{channel}\n{text}"))

    async def run(self) -> None:
        await self._notices.run()

    def _open(self, channel: str, sealed: str) -> str | None:
        """The text; None for one that was not sealed here for this channel, or long ago."""
        to, _, text = (self._seal.open(sealed, OLDEST_S) or "").partition("\n")
        if to == channel:
            return text
        if not self._is_told:
            self._is_told = True
            log.warning(
                "channel=<%s> | a notice was refused: it comes from another program or another"
                " home, or the clocks of two machines differ by minutes",
                channel,
            )
        return None
