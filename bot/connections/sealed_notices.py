"""Notices that only the processes of one home can read and write.

PostgreSQL lets everybody who may connect to a database send and read its notices. So each text is
sealed with a key in the home: nobody else can read answers to people, or make a gateway call a
platform.
"""

import logging
from collections.abc import Callable

from bot.connections.sealing import TextSeal
from bot.domain.processes import Notices

log = logging.getLogger(__name__)

OLDEST_S = 120
"""Older notices are refused, so a recorded notice can be sent again only for a short time."""


class SealedNotices:
    """Implements `domain.processes.Notices` by sealing the texts of other notices."""

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
