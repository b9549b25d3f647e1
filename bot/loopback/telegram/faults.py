"""Ways in which Telegram fails, each as the client sees it on the wire."""

from dataclasses import dataclass, field
from typing import TypeAlias

from bot.loopback.faults import CutAfter, Delay, Reset


@dataclass(frozen=True)
class Status:
    """An HTTP status without a body of the Bot API; nothing was processed."""

    status: int = 502


@dataclass(frozen=True)
class Limited:
    """Error 429 with retry_after; nothing was processed."""

    retry_after: int = 1


Fault: TypeAlias = Status | Limited | Reset | CutAfter | Delay


@dataclass
class Faults:
    """Pending faults, by method in lower case."""

    waiting: dict[str, list[Fault]] = field(default_factory=dict[str, list[Fault]])

    def add(self, method: str, *faults: Fault) -> None:
        self.waiting.setdefault(method.lower(), []).extend(faults)

    def take(self, method: str) -> Fault | None:
        queue = self.waiting.get(method.lower())
        return queue.pop(0) if queue else None
