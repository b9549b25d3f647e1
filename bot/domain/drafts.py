"""Live messages on a platform, recorded so that a crash leaves none of them behind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class OpenDraft:
    """A message in a thread that grows until it is the answer."""

    id: str
    """Ours, random."""
    channel: str
    thread: str
    answers: str
    """The platform's id of the message that is answered."""
    message: str = ""
    """The platform's id of the draft; empty while its first call is not answered."""


class OpenDrafts(Protocol):
    """What drafts there are, across crashes."""

    async def note(self, platform: str, draft: OpenDraft) -> None:
        """There is such a draft, or may be. Raises StorageError."""
        ...

    async def forget(self, platform: str, id_: str) -> None:
        """It became the answer, or is gone. Raises StorageError."""
        ...

    async def left(self, platform: str) -> Sequence[OpenDraft]:
        """Those that were noted and not forgotten. Raises StorageError."""
        ...


class NoDrafts:
    """Keeps none: for an adapter without a database behind it."""

    async def note(self, platform: str, draft: OpenDraft) -> None:
        """Nothing is kept."""

    async def forget(self, platform: str, id_: str) -> None:
        """Nothing was kept."""

    async def left(self, platform: str) -> Sequence[OpenDraft]:
        return ()
