"""Whether a model that failed is asked again: after a while, and by one request at first."""

from dataclasses import dataclass
from enum import StrEnum

from bot.domain.clock import Clock
from bot.errors import ModelTrouble

FIRST_PAUSE_S = 60.0
"""Seconds in which a model that failed is not asked. The pause doubles after each failure."""
LONGEST_PAUSE_S = 900.0
CREDIT_PAUSE_S = 900.0
"""Somebody has to pay first."""
LONGEST_ASKED_S = 3_600.0
"""The longest pause that the model's server itself can ask for."""
_SERVER_FAILED = 500


class Way(StrEnum):
    """What a request does with a model."""

    ASK = "ask"
    PROBE = "probe"
    """Ask it once: it has failed before, and nobody knows whether it works again."""
    AVOID = "avoid"


@dataclass(eq=False)
class Circuit:
    """The state of one model. Kept in memory: after a restart it is simply asked."""

    clock: Clock
    failures: int = 0
    """In a row."""
    _until: float | None = None
    """The end (monotonic) of its pause; None while it works."""
    _probing: bool = False
    _suspect: str | None = None
    """The conversation in which its server failed with HTTP 500, which may be its fault."""

    @property
    def broken(self) -> bool:
        return self._until is not None

    def way(self) -> Way:
        """What the next request does. The caller of a PROBE ends it with one of the three below."""
        if self._until is None:
            return Way.ASK
        if self._probing or self.clock.monotonic() < self._until:
            return Way.AVOID
        self._probing = True
        return Way.PROBE

    def worked(self) -> None:
        self.failures, self._until, self._probing, self._suspect = 0, None, False, None

    def failed(self, trouble: ModelTrouble, conversation: str) -> float | None:
        """Begin a pause; its length in seconds, or None where the model is not given up yet.

        HTTP 500 in one conversation alone is no reason: it must not move everybody.
        """
        self._probing = False
        alone = trouble.status == _SERVER_FAILED and self._until is None
        if alone and (self._suspect is None or (conversation and self._suspect == conversation)):
            self._suspect = conversation
            return None
        pause = min(FIRST_PAUSE_S * 2**self.failures, LONGEST_PAUSE_S)
        if trouble.kind == "credit":
            pause = CREDIT_PAUSE_S
        if trouble.retry_after_s is not None:
            pause = max(pause, min(trouble.retry_after_s, LONGEST_ASKED_S))
        self.failures += 1
        self._until = self.clock.monotonic() + pause
        return pause

    def unknown(self) -> None:
        """A request ended without telling anything, such as one that its person stopped."""
        self._probing = False

    def ask_soon(self) -> None:
        """Let the next request try it, because there is nobody else."""
        if self._until is not None:
            self._until = self.clock.monotonic()
