"""Meetings as other packages see them: when one begins, and where its files are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.domain.privacy import Learned


@dataclass(frozen=True)
class KnownMeeting:
    """A meeting with a time. `owner` is the person id of who made it, `learned` where they did."""

    id: str
    title: str
    starts_at: datetime
    path: str
    """The folder of its files: `/meetings/2026-11-28/review`."""
    owner: str
    learned: Learned
    conversation: str
    """Key of the conversation in which it was made."""
    people: tuple[str, ...] = ()
    """The names as people gave them."""


class KnowsMeetings(Protocol):
    """Lists coming meetings, for those who prepare them."""

    async def between(self, start: datetime, end: datetime) -> Sequence[KnownMeeting]:
        """All meetings that begin in [start, end), earliest first, whoever may see them.

        Raises StorageError.
        """
        ...
