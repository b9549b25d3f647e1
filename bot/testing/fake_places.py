"""A platform's forum with one post, and the events of its server, kept in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.domain.forums import ForumPost
from bot.domain.messages import Conversation
from bot.domain.server_events import NewServerEvent, PlannedEvent


@dataclass
class FakeForums:
    """Implements `domain.forums.KnowsForums`."""

    post: ForumPost | None = None
    moderators: set[str] = field(default_factory=set[str])

    async def moderates(self, person: str, place: Conversation) -> bool:
        return person in self.moderators

    async def find(self, place: Conversation) -> ForumPost | None:
        return self.post if self.post is not None and self.post.place == place else None

    async def change(
        self, post: ForumPost, tags: Sequence[str], *, closed: bool, locked: bool
    ) -> None:
        self.post = replace(post, tags=tuple(tags), closed=closed, locked=locked)


@dataclass
class FakeServerEvents:
    """Implements `domain.server_events.KnowsServerEvents`."""

    known: list[PlannedEvent] = field(default_factory=list[PlannedEvent])
    organisers: set[str] = field(default_factory=set[str])

    async def may_make(self, person: str, place: Conversation) -> bool:
        return person in self.organisers

    async def may_cancel(self, person: str, place: Conversation) -> bool:
        return person in self.organisers

    async def ahead(self, place: Conversation) -> Sequence[PlannedEvent]:
        return list(self.known)

    async def make(self, place: Conversation, event: NewServerEvent) -> PlannedEvent:
        made = PlannedEvent(
            str(len(self.known) + 1), event.name, event.starts_at, event.ends_at, event.where
        )
        self.known.append(made)
        return made

    async def cancel(self, place: Conversation, event: PlannedEvent) -> None:
        self.known.remove(event)
