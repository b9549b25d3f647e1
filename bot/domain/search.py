"""What `search` looks through. Who keeps something that can be found implements `SearchSource`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin
from bot.domain.tool_context import ToolContext


class EntityType(StrEnum):
    """What can be found."""

    CHAT = "chat"
    DOCUMENT = "document"
    PERSON = "person"
    MEETING = "meeting"
    TODO = "todo"


@dataclass(frozen=True)
class SearchQuery:
    """What is looked for.

    Only chat knows people and places; the others find nothing where one is named.
    """

    query: str
    limit: int
    author: str = ""
    """A name, a mention, an id, or `me`."""
    place: str = ""
    """A channel's name, mention or id, `here` or `dm`."""
    after: datetime | None = None
    before: datetime | None = None
    """Exclusive."""

    @property
    def is_about_chat(self) -> bool:
        """Whether it names who said something, or where."""
        return bool(self.author or self.place)


@dataclass(frozen=True)
class Hit:
    """One thing that was found, as its person may see it where they ask."""

    type: EntityType
    ref: str
    """Its id or path, for the tool that opens it."""
    title: str
    snippet: str
    origin: Origin
    at: datetime
    private: bool = False
    """It is not for everybody."""
    more: JsonObject = field(default_factory=dict[str, object])
    """What else is told of it, such as the link to a message."""


@dataclass(frozen=True)
class SearchHits:
    """The hits, best first.

    `left_out`: so many more are private and not shown here. `notes`: what to know of them.
    """

    hits: Sequence[Hit] = ()
    left_out: int = 0
    notes: tuple[str, ...] = ()


@runtime_checkable
class SearchSource(Protocol):
    """Keeps things of one type.

    It shows nothing that the asking person may not see where they ask.
    """

    finds: EntityType
    found_with: str
    """The tool that shows these things: where it is closed to the person, none is found.

    Empty: no tool does.
    """

    async def find(self, context: ToolContext, wanted: SearchQuery) -> SearchHits:
        """At most `wanted.limit` hits.

        Raises StorageError, and ToolError for what the model can act on.
        """
        ...
