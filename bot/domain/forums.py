"""Posts of a forum: threads with tags that are solved one day."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from bot.domain.messages import Conversation

MOST_TAGS = 5
"""The most tags of one post, on every platform that is known to have them."""


@dataclass(frozen=True)
class PostTag:
    """A tag that a forum offers."""

    name: str
    moderated: bool = False
    """Whether only moderators set it and take it off."""


@dataclass(frozen=True)
class ForumPost:
    """A post as it stands now."""

    place: Conversation
    title: str
    author: str
    """Platform id of who opened it."""
    tags: tuple[str, ...]
    offered: tuple[PostTag, ...]
    closed: bool = False
    """Whether it is put away, or will be after an hour of silence."""
    locked: bool = False
    """Whether only moderators write in it."""


@runtime_checkable
class HasForums(Protocol):
    """An adapter whose platform has forums. Its traits say so, too."""

    @property
    def forums(self) -> "KnowsForums":
        """Reads and changes posts."""
        ...


class KnowsForums(Protocol):
    """Reads and changes posts of forums."""

    async def moderates(self, person: str, place: Conversation) -> bool:
        """Whether a person (platform id) may change posts of others there. Never raises."""
        ...

    async def find(self, place: Conversation) -> ForumPost | None:
        """The post that a thread is; None for every other place. Raises DeliveryError."""
        ...

    async def change(
        self, post: ForumPost, tags: Sequence[str], *, closed: bool, locked: bool
    ) -> None:
        """Give a post exactly these tags, and close or open it. Raises DeliveryError.

        A closed post is put away after an hour of silence, so that what is answered now still
        reaches it. `tags` are offered ones.
        """
        ...
