"""What people recorded, and who writes down what is said in it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Recording:
    """A file of sound or video that somebody sent, not read yet."""

    name: str
    media_type: str
    """As its sender's app states it, which is often wrong."""
    size: int
    """In bytes."""
    seconds: float
    """Its length as the platform states it; 0 if it is unknown."""
    read: Callable[[], Awaitable[bytes]]


@dataclass(frozen=True)
class WrittenSpeech:
    """What is said in a recording, and its length in seconds (0: unknown)."""

    text: str
    seconds: float


class Transcriber(Protocol):
    """Writes recordings down."""

    async def transcribe(self, person: str, recording: Recording) -> WrittenSpeech:
        """What is said in it; `person` sent it and waits. Raises TranscriptionError.

        A step of a turn: it is asked once, and again only if the process ended meanwhile.
        """
        ...


def shown_length(seconds: float) -> str:
    """`0:12`, `1:02:03`; empty if the length is unknown."""
    if seconds <= 0:
        return ""
    whole = max(1, round(seconds))
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
