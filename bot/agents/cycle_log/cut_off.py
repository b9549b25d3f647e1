"""Ends interrupted cycles: their work is over, but the log has no end for them."""

import logging
from datetime import timedelta
from itertools import groupby

from bot.agents.cycle_log.events import ended_without_word
from bot.agents.cycle_log.store import cut_off_cycles, events_unit
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.errors import StorageError

log = logging.getLogger(__name__)

_EVERY = timedelta(hours=1)


class CutOffCycles:
    """Gives the outcome `cut off` to each cycle that has no end although its turn is over.

    This happens when a turn is given up, or is stopped before its cycle could resume after a crash.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def run(self) -> None:
        """One look at the start and one each hour, until cancelled.

        The log can be damaged; turns continue even then.
        """
        while True:
            try:
                while await self.close():
                    pass
            except StorageError as error:
                log.warning("error=<%s> | interrupted cycles can't be closed", error)
            await self._clock.sleep(_EVERY.total_seconds())

    async def close(self) -> int:
        """End interrupted cycles; returns their number, at most 100."""
        events = await cut_off_cycles(self._database)
        cycles = groupby(events, lambda event: event.cycle_id)
        ended = [ended_without_word(list(of_one), self._clock.now()) for _, of_one in cycles]
        if ended:
            await self._database.write(events_unit(ended))
            log.info("cycles=<%d> | closed interrupted cycles", len(ended))
        return len(ended)
