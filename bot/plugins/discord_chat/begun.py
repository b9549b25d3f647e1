"""Partly shown answers to commands: Discord can't look up what only one person sees."""

import logging
from datetime import timedelta

from bot.plugin.chat import Clock, OpenDraft, OpenDrafts, StorageError
from bot.plugins.discord_chat.history import moment_of
from bot.plugins.discord_chat.places import Recent

log = logging.getLogger(__name__)

RECORD = "discord answers"
"""Their place among the open drafts."""
_USELESS = timedelta(minutes=15)
"""After this time an interaction accepts no further messages."""


class BegunAnswers:
    """By the key of a send: its shown messages, while others are still missing.

    Kept across crashes.
    """

    def __init__(self, drafts: OpenDrafts, clock: Clock) -> None:
        self._drafts = drafts
        self._clock = clock
        self._begun: Recent[tuple[str, ...]] = Recent()

    def get(self, key: str) -> tuple[str, ...]:
        return self._begun.get(key) or ()

    async def put(self, key: str, shown: tuple[str, ...], channel: str, *, more: bool) -> None:
        """These messages are shown; with `more`, others follow."""
        self._begun.put(key, shown)
        if more:
            try:
                await self._drafts.note(RECORD, OpenDraft(key, channel, "", "", ",".join(shown)))
            except StorageError as error:
                log.warning("send=<%s>, error=<%s> | a crash would lose the rest of it", key, error)

    async def end(self, key: str) -> None:
        """The whole answer is shown."""
        shown = self._begun.pop(key) or ()
        if len(shown) > 1:
            await self._forget(key)

    async def recall(self, key: str) -> None:
        """Load the messages that an earlier process had shown.

        Answers that are too old to continue are forgotten.
        """
        if self.get(key):
            return
        try:
            left = await self._drafts.left(RECORD)
        except StorageError as error:
            log.warning(
                "send=<%s>, error=<%s> | can't find out how much of it is shown", key, error
            )
            return
        for one in left:
            shown = tuple(one.message.split(","))
            if self._clock.now() - moment_of(shown[0]) > _USELESS:
                await self._forget(one.id)
            elif one.id == key:
                self._begun.put(key, shown)

    async def _forget(self, key: str) -> None:
        try:
            await self._drafts.forget(RECORD, key)
        except StorageError as error:
            log.info("send=<%s>, error=<%s> | stays on record for a while", key, error)
