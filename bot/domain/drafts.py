"""Live messages on a platform, recorded so that a crash leaves none behind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class OpenDraft:
    """A live message in a thread, which grows into the answer."""

    id: str
    """Our own random id."""
    channel: str
    thread: str
    answers: str
    """The platform's id of the message that is answered."""
    message: str = ""
    """The platform's id of the draft; empty until the platform answered the first call."""


class OpenDrafts(Protocol):
    """The open drafts, stored across crashes."""

    async def note(self, platform: str, draft: OpenDraft) -> None:
        """Record a draft that exists or may exist. Raises StorageError."""
        ...

    async def forget(self, platform: str, id_: str) -> None:
        """Remove a draft that became the answer or is gone. Raises StorageError."""
        ...

    async def left(self, platform: str) -> Sequence[OpenDraft]:
        """The drafts that were noted and not forgotten. Raises StorageError."""
        ...


class NoDrafts:
    """Stores nothing: for an adapter without a database."""

    async def note(self, platform: str, draft: OpenDraft) -> None:
        """Do nothing."""

    async def forget(self, platform: str, id_: str) -> None:
        """Do nothing."""

    async def left(self, platform: str) -> Sequence[OpenDraft]:
        return ()
