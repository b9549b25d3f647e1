"""Long-term memory: three tiers of markdown entries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

from bot.domain.database import Unit
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import PUBLICLY, Learned
from bot.domain.tool_context import ToolContext


class Tier(StrEnum):
    SHARED = "shared"
    AGENT = "agent"
    USER = "user"


@dataclass(frozen=True)
class MemoryEntry:
    """One bullet of a tier file: `- [S4][2026-11-20][src:abc12345] text`.

    Without an S tag its significance is 1.
    """

    text: str
    significance: int = 1
    """1 transient to 5 foundational."""
    day: date | None = None
    source: str | None = None
    """Id of the summary that it was distilled from."""
    learned: Learned = PUBLICLY
    """Where it was learned: as a tag, `[private]` (a DM) or `[channel:<key>]` (private channel)."""
    trust: Trust = Trust.PERSON
    """The least trusted text in its conversations: written as the tag `[from:external]`."""
    superseded: date | None = None
    """Since when a newer entry counts in its place. Such entries stand in the archive."""

    @property
    def private(self) -> bool:
        """Whether it may not be shown everywhere."""
        return self.learned.private

    @property
    def untrusted(self) -> bool:
        """Whether it may contain text from outside: no prompt takes it, and `remember` marks it."""
        return self.trust >= Trust.OUTSIDER


@dataclass(frozen=True)
class RecallQuery:
    """What `remember` looks for: words, a time, or both."""

    query: str = ""
    since: datetime | None = None
    until: datetime | None = None
    """Not included; both in UTC."""
    meant: bool = False
    """Compare meanings with an embedder, to match things that share no word with the query."""
    about: tuple[tuple[datetime, datetime], ...] = ()
    """Periods in the query: what was said in one, or names one, matches without its words."""

    @property
    def timed(self) -> bool:
        return self.since is not None or self.until is not None


@dataclass(frozen=True)
class Recollection:
    """Something that is kept of a person outside the tiers, as `remember` finds it."""

    id: str
    """Known to its source alone; the part before a colon says which source that is."""
    kind: str
    """What it is, for the model: `knowledge`, `note`, `their request`, `your answer`."""
    text: str
    origin: Origin
    at: datetime | None = None
    """When it was said or written."""
    weight: int = 1
    """Ranks things that match equally well, on the scale of `MemoryEntry.significance`."""
    learned: Learned = PUBLICLY
    """Where it was learned: it is shown where its audience is."""
    where: str = ""
    """In words, for the model: `#planning`, `direct message`."""
    around: tuple[str, ...] = ()
    """Who said it, and what was said before and after it: helps to find it, and is not shown."""
    thread: str = ""
    """Key of the conversation that it is a message of; empty for what is none."""
    by_agent: bool = False
    """The assistant's own words, which count less."""
    superseded: bool = False
    """A newer one has taken its place."""


@runtime_checkable
class Recalls(Protocol):
    """Keeps personal things that `remember` searches beside the tiers, and `forget` removes."""

    id: str
    """What the ids of its things begin with, before a colon."""
    recalled_by: str
    """The tool that shows these things; `remember` shows none to people who may not use it."""

    async def recall(self, context: ToolContext, wanted: RecallQuery) -> Sequence[Recollection]:
        """What is kept of `context.person` and may fit, wherever it was learned.

        Raises StorageError.
        """
        ...

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        """`context.person`'s thing with this id, wherever it was learned; None if there is none."""
        ...

    def removal(self, context: ToolContext, id_: str) -> Unit:
        """The writes that remove it for good; nothing when it is gone already."""
        ...


@runtime_checkable
class KeepsForPerson(Protocol):
    """Keeps things that belong to one person, which `/memory` shows and forgets without a model."""

    id: str
    """What the ids of its things begin with, before a colon."""

    async def kept_of(self, person: str) -> Sequence[Recollection]:
        """All of a person's things, wherever they were learned, oldest first.

        Raises StorageError.
        """
        ...

    def forgetting(self, person: str, id_: str) -> Unit:
        """The writes that remove one for good; nothing when it is gone already."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors whose directions are close where the texts mean something alike."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector for each text. Raises EmbedderError when it can't be asked."""
        ...
