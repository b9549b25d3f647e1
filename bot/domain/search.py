"""Sources of the `search` tool: a package with searchable things implements `SearchSource`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin
from bot.domain.tool_context import ToolContext


class EntityType(StrEnum):
    """The types of things that `search` finds."""

    CHAT = "chat"
    DOCUMENT = "document"
    PERSON = "person"
    MEETING = "meeting"
    TODO = "todo"


@dataclass(frozen=True)
class SearchQuery:
    """A query of the `search` tool.

    Only chat messages have people and places; other sources find nothing if one is named.
    """

    query: str
    limit: int
    author: str = ""
    """A name, a mention, an id, or `me`."""
    place: str = ""
    """The name, mention or id of a channel, `here` or `dm`; or the path of a document."""
    after: datetime | None = None
    before: datetime | None = None
    """Exclusive."""
    here_alone: bool = False
    """Only the very conversation of the request: its thread, not the channel of that."""

    @property
    def is_about_chat(self) -> bool:
        """Whether it names a speaker or a place."""
        return bool(self.author or self.place)

    @property
    def document(self) -> str:
        """The path of the one document to look through; empty for everything else."""
        return self.place if self.place.startswith("/") else ""

    def covers(self, at: datetime) -> bool:
        """Whether a moment lies within `after` and `before`."""
        return (self.after is None or at >= self.after) and (
            self.before is None or at < self.before
        )


@dataclass(frozen=True)
class Hit:
    """One result, as the asking person may see it in this place."""

    type: EntityType
    ref: str
    """Its id or path, for the tool that opens it."""
    title: str
    snippet: str
    origin: Origin
    at: datetime
    private: bool = False
    """Whether not everybody may see it."""
    more: JsonObject = field(default_factory=dict[str, object])
    """More about it, such as the link to a message."""


@dataclass(frozen=True)
class SearchHits:
    """The hits, best first.

    `left_out`: so many more are private and not shown here. `notes`: what to know of them.
    """

    hits: Sequence[Hit] = ()
    left_out: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class HeardSince:
    """What others said since somebody was last there, oldest first."""

    since: datetime | None
    """None: from the beginning."""
    hits: Sequence[Hit]
    more: bool = False
    """Whether earlier ones were left out, because there are so many."""
    left_out: int = 0
    """So many more are private and not shown here."""


class KnowsWhatHappened(Protocol):
    async def since_last_here(
        self, context: ToolContext, place: str, since: datetime | None
    ) -> HeardSince:
        """What the asking person may read of it in this place. Raises StorageError.

        `place` is a channel as in `SearchQuery`, or empty: here, and in a direct message every
        channel. Without `since` it begins when they last wrote there.
        """
        ...


@runtime_checkable
class SearchSource(Protocol):
    """A source of things of one type.

    It returns only what the asking person may see in this place.
    """

    finds: EntityType
    found_with: str
    """The tool that shows these things. If the person may not use it, nothing is found.

    Empty: no tool shows them.
    """

    async def find(self, context: ToolContext, wanted: SearchQuery) -> SearchHits:
        """At most `wanted.limit` hits.

        Raises StorageError, and ToolError for what the model can act on.
        """
        ...
