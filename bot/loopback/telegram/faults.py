"""Ways in which Telegram refuses or fails, each as the client sees it on the wire."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.loopback.serving import CutAfter, Delay, Reset


class Refusal(Exception):
    """An answer `ok: false`, with an HTTP status of the same code."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters


def bad(description: str) -> Refusal:
    """Return a refusal as a bad request."""
    return Refusal(400, f"Bad Request: {description}")


@dataclass(frozen=True)
class Status:
    """An HTTP status without a body of the Bot API; nothing was processed."""

    status: int = 502


@dataclass(frozen=True)
class Limited:
    """Error 429 with retry_after; nothing was processed."""

    retry_after: int = 1


Fault: TypeAlias = Status | Limited | Reset | CutAfter | Delay
