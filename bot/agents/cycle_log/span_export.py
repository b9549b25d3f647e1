"""Sends the cycle log as spans to a collector, beside the turns.

The log is the queue: ended cycles are read from it in the background, and the database stores the
position. So a turn never waits for a collector, and a collector that was away gets everything when
it is back.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from bot.agents.cycle_log.log import CycleLog
from bot.agents.cycle_log.spans import TraceSpan, spans_of
from bot.domain.clock import Clock
from bot.errors import StorageError

log = logging.getLogger(__name__)

LOOK_S = 5.0
"""The interval of looks for ended cycles."""
AT_ONCE = 50
"""Cycles in one request."""
_WAITS_S = (10.0, 30.0, 60.0, 300.0)
"""The pauses after a failed request, and after each one that follows it."""


class SendsSpans(Protocol):
    """A collector. Both block and are called in threads."""

    def send(self, spans: Sequence[TraceSpan]) -> bool:
        """Whether the collector accepted them. Never raises."""
        ...

    def close(self) -> None:
        """Abandon the current sending."""
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
        """Run until cancelled."""
        collector = await asyncio.to_thread(self._collector)
        failures = 0
        try:
            while True:
                sent = await self.send(collector)
                failures = 0 if sent is not None else failures + 1
                if failures == 1:
                    log.warning(
                        "the collector of traces doesn't answer; it gets everything once it does"
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
