"""Detects streams that make no progress, even if they send pings or single tokens."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Self

from bot.clock import cut_off_by
from bot.domain.clock import Clock
from bot.llm.event_reader import ServerEvent

LEAST_CHARS = 1_000
"""The least progress in each window, in characters of events: about nine tokens with framing.

Nine tokens in five minutes are slower than any usable model. A server may be silent for minutes
while it reads a long prompt or holds back the input of a tool; then much comes at once.
"""


class TryProgress:
    """The progress of one try.

    `window_s` is how many seconds it may send almost nothing, both at its beginning and later.
    """

    def __init__(self, clock: Clock, window_s: float) -> None:
        self._clock = clock
        self._window_s = window_s
        self._begun = False
        self._chars = 0

    def came(self, event: ServerEvent) -> None:
        if event.name != "ping":
            self._begun = True
            self._chars += len(event.data)

    def demanded(self) -> AbstractAsyncContextManager[None]:
        """Cancel the block and raise TimeoutError when there is no progress."""
        return cut_off_by(self._watch)

    def cancel(self) -> None:
        """End the watch."""
        self._timer.cancel()

    def _watch(self, stalled: Callable[[], None]) -> Self:
        begun, chars = self._begun, self._chars

        def look() -> None:
            if not self._begun or (begun and self._chars - chars < LEAST_CHARS):
                stalled()
            else:
                self._watch(stalled)

        self._timer = self._clock.after(self._window_s, look)
        return self
