"""Sends the cycle log as spans to a collector, beside the turns.

The log is the queue: what ended is read from it in the background, and how far it was sent is kept
in the database. So a turn never waits for a collector, and one that is away for a while gets
everything when it is back.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from bot.agents.cycle_log import CycleLog
from bot.agents.spans import TraceSpan, spans_of
from bot.domain.clock import Clock
from bot.errors import StorageError

log = logging.getLogger(__name__)

LOOK_S = 5.0
"""Between two looks for cycles that ended."""
AT_ONCE = 50
"""Cycles in one request."""
_WAITS_S = (10.0, 30.0, 60.0, 300.0)
"""After a request that failed, and after each that follows it."""


class SendsSpans(Protocol):
    """A collector. Both block and are called in threads."""

    def send(self, spans: Sequence[TraceSpan]) -> bool:
        """Whether the collector took them. Never raises."""
        ...

    def close(self) -> None:
        """Give up what is being sent."""
        ...


class SpanExport:
    """Sends each ended cycle as spans; after a crash some are sent again, identically."""

    def __init__(
        self, cycle_log: CycleLog, clock: Clock, collector: Callable[[], SendsSpans], contents: bool
    ) -> None:
        self._log = cycle_log
        self._clock = clock
        self._collector = collector
        self._contents = contents

    async def run(self) -> None:
        """Until cancelled."""
        collector = await asyncio.to_thread(self._collector)
        failures = 0
        try:
            while True:
                sent = await self.send(collector)
                failures = 0 if sent is not None else failures + 1
                if failures == 1:
                    log.warning(
                        "the collector of traces takes nothing; it gets everything once it is "
                        "there again"
                    )
                if not sent:
                    wait = LOOK_S if sent == 0 else _WAITS_S[min(failures, len(_WAITS_S)) - 1]
                    await self._clock.sleep(wait)
        finally:
            collector.close()

    async def send(self, collector: SendsSpans) -> int | None:
        """Send the next ended cycles; returns how many, or None if sending failed."""
        try:
            after, ended = await self._log.not_exported(AT_ONCE)
            spans: list[TraceSpan] = []
            for cycle in ended:
                top = (await self._log.with_callers(cycle))[-1]
                spans += spans_of(await self._log.of_cycle(cycle), top, contents=self._contents)
            if spans and not await asyncio.to_thread(collector.send, spans):
                return None
            if ended:
                await self._log.exported(after)
        except StorageError as error:
            log.warning("error=<%s> | cycles can't be sent as traces", error)
            return None
        return len(ended)
