"""Pauses after failed summaries, because each try makes a person wait."""

from bot.domain.clock import Clock

FIRST_S = 120.0
"""The pause doubles after each further failure."""
LONGEST_S = 3600.0
_MOST = 1_000
EVERYBODY = ""
"""Key of the model itself: while it fails, no other session needs to try it."""


class SummaryPauses:
    """Kept in memory only: after a restart each session is tried once more."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failed: dict[str, tuple[int, float]] = {}
        """By session: the number of failures in a row, and the end (monotonic) of its pause."""

    def rests(self, session: str) -> bool:
        now = self._clock.monotonic()
        return any(
            now < self._failed[key][1] for key in (session, EVERYBODY) if key in self._failed
        )

    def failed(self, session: str, *, model_trouble: bool) -> None:
        if len(self._failed) >= _MOST:
            self._failed.clear()
        for key in (session, EVERYBODY) if model_trouble else (session,):
            times, _ = self._failed.get(key, (0, 0.0))
            wait = min(FIRST_S * 2**times, LONGEST_S)
            self._failed[key] = (times + 1, self._clock.monotonic() + wait)

    def worked(self, session: str) -> None:
        self._failed.pop(session, None)
        self._failed.pop(EVERYBODY, None)
