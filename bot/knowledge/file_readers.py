"""Readers of files: which one takes a file, and what it finds in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from importlib import import_module
from typing import Any, TypeAlias

from bot.knowledge.file_text import BROKEN, FoundText, ReadingLimits, UnreadableDocument
from bot.knowledge.kinds import HEAD_BYTES, ending_of

Recognise: TypeAlias = Callable[[bytes, str, str], str]
_MEGABYTE = 1024 * 1024


class Holds(StrEnum):
    """What people want of a file."""

    WORDS = "words"
    MARKUP = "markup"
    """Words, and the file itself is a text that can be shown."""
    PICTURE = "picture"
    FILES = "files"
    """Others, by their names: `ReadingLimits.member` is one of them."""


@dataclass(frozen=True)
class FileReader:
    """Reads one kind of files.

    `read` names a function as `package.module:function`. It gets the bytes and `ReadingLimits`, and
    returns `FoundText`; it raises UnreadableDocument. It runs in a process of its own, without
    secrets and with limits of time and memory, because files come from strangers. Its module is
    imported there, after the limits are set.
    """

    read: str
    endings: tuple[str, ...] = ()
    """In small letters, without the dot."""
    media_types: tuple[str, ...] = ()
    kind: str = ""
    """What `recognise` calls its files."""
    recognise: Recognise | None = None
    """Tells the kind by the first bytes, the name and the stated type; empty for others' files.

    A function of a module; many readers may share it. Without it, ending and type decide.
    """
    title: str = ""
    """What it reads, for people: `Word`."""
    holds: Holds = Holds.WORDS
    megabytes: int = 256
    """The most memory of its process."""

    def fits(self, name: str, media_type: str) -> bool:
        """Whether it reads a file, by the ending of its name or its type."""
        return ending_of(name) in self.endings or media_type in self.media_types

    @property
    def memory_bytes(self) -> int:
        return self.megabytes * _MEGABYTE

    @property
    def has_words(self) -> bool:
        return self.holds in {Holds.WORDS, Holds.MARKUP}


class FileReaders:
    """All readers of a house. The first that takes a file reads it."""

    def __init__(self, readers: Sequence[FileReader] = ()) -> None:
        self._by_name = [one for one in readers if one.recognise is None]
        self._by_kind: dict[Recognise, dict[str, FileReader]] = {}
        for one in readers:
            if one.recognise is not None:
                self._by_kind.setdefault(one.recognise, {})[one.kind] = one
        self._readers = tuple(readers)

    def of(self, data: bytes, name: str = "", media_type: str = "") -> FileReader | None:
        """By the first bytes of a file; None where the house shows it as a text, or nobody can."""
        for one in self._by_name:
            if one.fits(name, media_type):
                return one
        head = data[:HEAD_BYTES]
        for recognise, readers in self._by_kind.items():
            if found := readers.get(recognise(head, name, media_type)):
                return found
        return None

    @property
    def titles(self) -> str:
        """The kinds that can be read, for people."""
        titled = (one.title for one in self._readers if one.title)
        return ", ".join(dict.fromkeys((*titled, "Markdown", "text")))

    def to_json(self) -> list[dict[str, Any]]:
        """For the process that reads."""
        return [
            {**asdict(replace(one, recognise=None)), "recognise": _where(one.recognise)}
            for one in self._readers
        ]

    @classmethod
    def from_json(cls, rows: Sequence[Mapping[str, Any]]) -> "FileReaders":
        """Imports what recognises files."""
        return cls([_reader_from(row) for row in rows])


NO_READERS = FileReaders()
"""For a house that shows texts alone."""


def _reader_from(row: Mapping[str, Any]) -> FileReader:
    lists = {name: tuple(row[name]) for name in ("endings", "media_types")}
    recognise = _function(row["recognise"]) if row["recognise"] else None
    given: dict[str, Any] = {**row, **lists, "recognise": recognise, "holds": Holds(row["holds"])}
    return FileReader(**given)


def _where(function: Recognise | None) -> str:
    return f"{function.__module__}:{function.__name__}" if function is not None else ""


def _function(where: str) -> Any:
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


def found_by(reader: FileReader, data: bytes, limits: ReadingLimits) -> FoundText:
    """What a reader finds, in the process of this one file. Raises UnreadableDocument."""
    kind = reader.kind or ending_of(limits.name)
    return or_broken(kind, lambda: _function(reader.read)(data, limits))


def or_broken(kind: str, read: Callable[[], FoundText]) -> FoundText:
    """What `read` finds. Raises UnreadableDocument, and MemoryError, whatever a parser raises."""
    try:
        return read()
    except (UnreadableDocument, MemoryError):
        raise
    except Exception as error:
        # A parser that trips over a hostile file raises whatever it likes.
        raise UnreadableDocument(BROKEN.format(kind)) from error
