"""Ways in which Slack fails, each as the client sees it on the wire."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.loopback.serving import CutAfter, Delay, FaultQueues, Reset


@dataclass(frozen=True)
class Status:
    """An HTTP status instead of an answer; nothing was processed."""

    status: int = 503


@dataclass(frozen=True)
class RateLimited:
    """Status 429 with Retry-After; nothing was processed."""

    retry_after: int = 1


@dataclass(frozen=True)
class Refused:
    """An answer `ok: false` with this error; nothing was processed."""

    error: str = "internal_error"


Fault: TypeAlias = Status | RateLimited | Refused | Reset | CutAfter | Delay


@dataclass
class Faults(FaultQueues[Fault]):
    """Pending faults by method, and faults of event delivery."""

    lose_acks: int = 0
    """How many of the next acknowledgements get lost."""
    copies: int = 1
    """How often each event is delivered, whether it was acknowledged or not."""
    lose_events: bool = False
    """Events are never delivered, as after a long time without a connection."""
    reorder: bool = False
    """The deliveries of one message arrive in the wrong order."""

    def ack_is_lost(self) -> bool:
        if self.lose_acks <= 0:
            return False
        self.lose_acks -= 1
        return True
