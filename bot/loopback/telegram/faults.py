"""Ways in which Telegram fails, each as the client sees it on the wire."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.loopback.serving import CutAfter, Delay, Reset


@dataclass(frozen=True)
class Status:
    """An HTTP status without a body of the Bot API; nothing was processed."""

    status: int = 502


@dataclass(frozen=True)
class Limited:
    """Error 429 with retry_after; nothing was processed."""

    retry_after: int = 1


Fault: TypeAlias = Status | Limited | Reset | CutAfter | Delay
