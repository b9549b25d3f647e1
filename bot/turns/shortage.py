"""Shortages of the machine: a turn that fails because of one is retried until it succeeds."""

import errno
import logging
from collections.abc import Callable
from datetime import datetime

from bot.domain.clock import Clock
from bot.turns.crowd_store import DelayedTurn
from bot.turns.store import Begun

log = logging.getLogger(__name__)

AGAIN_S = 5.0
"""Seconds before another attempt."""
_NO_DESCRIPTORS = frozenset({errno.EMFILE, errno.ENFILE})


def shortage_in(error: BaseException) -> str:
    """The exhausted resource that made an attempt fail; empty for other errors."""
    seen: BaseException | None = error
    while seen is not None:
        number = seen.errno if isinstance(seen, OSError) else None
        if number in _NO_DESCRIPTORS:
            return "file descriptors"
        if isinstance(seen, MemoryError) or number == errno.ENOMEM:
            return "memory"
        seen = seen.__cause__ or seen.__context__
    return ""


class Shortage:
    """Begun turns that wait for the machine.

    The log reports each shortage once, not at each attempt.
    """

    def __init__(self, clock: Clock, changed: Callable[[], None]) -> None:
        """`changed` is called when a shortage begins and when it is over."""
        self._clock = clock
        self._changed = changed
        self.turns: dict[int, DelayedTurn] = {}
        self._of = ""
        self._since = clock.now()

    @property
    def of(self) -> str:
        """The current shortage, in words; empty when there is none."""
        return self._of if self.turns else ""

    def met(self, begun: Begun, what: str, error: BaseException) -> None:
        """Record that an attempt failed because of a shortage."""
        now = self._clock.now()
        began = not self.turns
        self.turns.setdefault(begun.id, DelayedTurn(begun.id, begun.claim.session, begun.body, now))
        if not began:
            return
        self._of, self._since = what, now
        log.error(
            "short_of=<%s>, turn=<%d> | requests wait and are tried again every %.0f s; `ulimit "
            "-n`, the unit's"
            " LimitNOFILE and MemoryMax, or the container's limits say how much there may be",
            what, begun.id, AGAIN_S, exc_info=error,
        )  # fmt: skip
        self._changed()

    def got_on(self, turn: int) -> None:
        """Record that an attempt at one of `turns` met no shortage."""
        if self.turns.pop(turn, None) is not None and not self.turns:
            log.warning("short_of=<%s>, seconds=<%.0f> | over", self._of, self._lasted())
            self._changed()

    def _lasted(self) -> float:
        return (self._clock.now() - self._since).total_seconds()

    def since(self, before: datetime) -> list[DelayedTurn]:
        """Turns that have waited since before a moment, oldest first."""
        return [turn for turn in self.turns.values() if turn.since <= before]
