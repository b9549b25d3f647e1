"""The interface to virtual files: each source owns a path prefix."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from bot.domain.confinement import Confinement
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.languages import Translations
from bot.domain.lasting import Makes
from bot.domain.origins import BELLHOP, Origin
from bot.domain.tool_context import ToolContext


@dataclass(frozen=True)
class FileText:
    """A text file as its source gives it."""

    path: str
    text: str
    version: str
    """Changes with the content; a write with a stale version is refused."""
    origin: Origin = BELLHOP
    private: bool = False
    updated: datetime | None = None
    confinement: Confinement | None = None
    """The limits that hold for the reader from then on, as a skill's text states them."""
    outsiders: bool = False
    """Whether all of it was written beside text from outside, so that no person loses own words."""
    blocks: tuple[JsonObject, ...] = ()
    """Pictures that are shown with it."""


@dataclass(frozen=True)
class FileEntry:
    """One line of a directory listing."""

    path: str
    directory: bool = False
    size: int | None = None
    """In bytes of UTF-8, like the limit of a file."""
    note: str = ""
    origin: Origin = BELLHOP
    """The origin of the file and of its name, which somebody chose."""
    private: bool = False
    """Must not be shown here: listings count it and don't name it."""


class FileSource(Protocol):
    """Owns one namespace (`/preferences`, `/skills`).

    Paths arrive absolute and normalised. Raises ToolError.

    It acts for `context.person`, and never shows one person's files to another.
    """

    @property
    def prefix(self) -> str:
        """`/preferences`; the longest matching prefix owns a path."""
        ...

    @property
    def writable(self) -> bool: ...

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        """The file, or None when there is none."""
        ...

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        """Create or replace; `version` as read before, None for a new file.

        The returned unit makes it durable. A source that writes elsewhere is durable on return,
        with an empty unit.
        """
        ...

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit: ...

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        """Children of a directory, or None when it doesn't exist."""
        ...


@runtime_checkable
class TakesTranscripts(Protocol):
    """A connector with a tool for transcripts of talk: an attached one is kept whole."""

    def is_transcript(self, name: str, text: str) -> bool:
        """Whether a file with this name and text is one."""
        ...


@runtime_checkable
class Verbatim(Protocol):
    """A source that returns files exactly as written. Versions are hashes of the text."""

    @property
    def verbatim(self) -> bool: ...


@runtime_checkable
class Aliases(Protocol):
    """A source with aliases of its own files (`today.md`)."""

    def resolved(self, context: ToolContext, path: str) -> str:
        """The path that an alias stands for."""
        ...


@runtime_checkable
class TakesBack(Protocol):
    """A source whose changes can be taken back."""

    async def take_back(self, context: ToolContext, path: str, text: str | None) -> Unit | None:
        """The writes that put back what is at a path now, once `text` is there (None: nothing).

        They are rejected if something else is there by then. None: this can't be taken back.
        """
        ...


@runtime_checkable
class MakesLasting(Protocol):
    """A source of which a file can mean more than its text: something that acts later."""

    def makes(self, path: str, text: str | None) -> Sequence[Makes]:
        """What it makes to give a file this text; None deletes it."""
        ...


@runtime_checkable
class BeginsWork(Protocol):
    """A source whose files begin to work, so that their person says yes to each.

    Its `write` and `delete` only make units: they can be tried before anybody is asked.
    """

    def tells(self, path: str, text: str | None) -> str | Translations:
        """What giving a file this text (None deletes it) would do, behind "Ann asks to"."""
        ...

    async def began(self, context: ToolContext, path: str, text: str) -> str:
        """What is true now that the file has this text: "on from now; next …"."""
        ...


@runtime_checkable
class HoldsBytes(Protocol):
    """A source whose files need not be text."""

    async def data(self, context: ToolContext, path: str) -> bytes | None:
        """The whole file, or None when there is none. Raises ToolError."""
        ...


@runtime_checkable
class Reschedules(Protocol):
    """A source whose writes change the schedule."""

    @property
    def reschedules(self) -> bool: ...


@dataclass(frozen=True)
class AttachedFile:
    """A file that came with a message, whole."""

    name: str
    media_type: str
    data: bytes


class AttachedFiles(Protocol):
    """Files of the answered message, of the one it replies to, and of earlier ones."""

    async def of(self, context: ToolContext, name: str) -> AttachedFile | None:
        """The newest file of that name near the message; None if there is none.

        Raises ToolError when it can't be read now, StorageError.
        """
        ...

    async def names(self, context: ToolContext) -> tuple[str, ...]:
        """The names of these files, newest first."""
        ...
