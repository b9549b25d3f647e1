"""Long-term memory: three tiers of markdown entries."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

from bot.domain.database import Unit
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM, PUBLICLY, Learned
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
    """Id of the summary that it comes from."""
    learned: Learned = PUBLICLY
    """Where it was learned: as a tag, `[private]` (a DM), `[channel:<key>]` (private channel) or
    `[public:<key>]`; without a tag in public, nobody knows where.
    """
    trust: Trust = Trust.PERSON
    """The trust of the least trusted text in its conversations; the tag is `[from:external]`."""
    superseded: date | None = None
    """When a newer entry replaced it. Replaced entries are in the archive."""
    workspace: str = ""
    """In shared and agent memory: the `platform:workspace` whose members may know it.

    The tag is `[in:discord:1001]`. Empty: members everywhere.
    """

    @property
    def private(self) -> bool:
        """Whether it may not be shown everywhere."""
        return self.learned.private

    @property
    def untrusted(self) -> bool:
        """Whether it may contain outside text. No prompt includes it, and `remember` marks it."""
        return self.trust >= Trust.OUTSIDER


@dataclass(frozen=True)
class RecallQuery:
    """What `remember` looks for: words, a time, or both."""

    query: str = ""
    since: datetime | None = None
    until: datetime | None = None
    """Not included; both in UTC."""
    meant: bool = False
    """Also compare meanings with an embedder, to match things that share no word."""
    about: tuple[tuple[datetime, datetime], ...] = ()
    """Periods in the query. Things said in one, or that name one, match without its words."""

    @property
    def timed(self) -> bool:
        return self.since is not None or self.until is not None


@dataclass(frozen=True)
class Recollection:
    """A personal thing outside the tiers, as `remember` finds it."""

    id: str
    """Only its source can read the id. The part before the colon names the source."""
    kind: str
    """Its kind, for the model: `knowledge`, `note`, `their request`, `your answer`."""
    text: str
    origin: Origin
    at: datetime | None = None
    """When it was said or written."""
    weight: int = 1
    """Ranks things that match equally well, on the scale of `MemoryEntry.significance`."""
    learned: Learned = IN_DM
    """Where it was learned; it is shown to that audience only, without one in direct messages."""
    where: str = ""
    """The place in words, for the model: `#planning`, `direct message`."""
    around: tuple[str, ...] = ()
    """The speaker and the messages around it. Only searched, never shown."""
    thread: str = ""
    """Key of its conversation; empty for a thing that isn't a message."""
    by_agent: bool = False
    """The assistant's own words, which count less."""
    superseded: bool = False
    """A newer one has replaced it."""


@runtime_checkable
class Recalls(Protocol):
    """A store of personal things that `remember` searches and `forget` removes."""

    id: str
    """What the ids of its things begin with, before a colon."""
    recalled_by: str
    """The tool that shows these things; `remember` shows none to people who may not use it."""

    async def recall(self, context: ToolContext, wanted: RecallQuery) -> Sequence[Recollection]:
        """Things of `context.person` that may match, wherever they were learned.

        Raises StorageError.
        """
        ...

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        """The thing of `context.person` with this id, wherever it was learned, or None."""
        ...

    def removal(self, context: ToolContext, id_: str) -> Unit:
        """The writes that delete it; none if it is already gone."""
        ...


@runtime_checkable
class KeepsForPerson(Protocol):
    """A store of one person's things, which `/memory` shows and forgets without a model."""

    id: str
    """What the ids of its things begin with, before a colon."""

    async def kept_of(self, person: str) -> Sequence[Recollection]:
        """All things of a person, wherever they were learned, oldest first.

        Raises StorageError.
        """
        ...

    def forgetting(self, person: str, id_: str) -> Unit:
        """The writes that delete one; none if it is already gone."""
        ...


class Keeper(Protocol):
    """What keeps data of people outside the database."""

    async def holding(self, persons: Collection[str]) -> Collection[str]:
        """Those of these person ids that have data here, found in one look."""
        ...

    async def move(self, earlier: str, person: str) -> None:
        """Give the data of one person id to another; may be interrupted and repeated."""
        ...


@runtime_checkable
class KeepsFiles(Keeper, Protocol):
    """A connector that keeps files of people, which follow who gets another id."""

    def folders_of(self, person: str) -> Sequence[Path]:
        """Where files of a person lie, or would lie.

        Nothing cuts words out of them: who wants words forgotten hears which folders hold them.
        """
        ...


class Embedder(Protocol):
    """Turns texts into vectors. Texts with similar meanings have close directions."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector for each text. Raises EmbedderError when it can't be reached."""
        ...
