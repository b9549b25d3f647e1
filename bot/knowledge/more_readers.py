"""Readers of kinds of files that the house doesn't know."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePosixPath

from bot.knowledge.chunks import DocumentSection
from bot.knowledge.formats.reading import BROKEN, FoundText, UnreadableDocument


@dataclass(frozen=True)
class FileReader:
    """Reads the files with certain endings or media types.

    `read` names a function as `package.module:function`. It gets the bytes and the name of a file
    and returns its `DocumentSection`s; it raises UnreadableDocument. It runs in a process of its
    own, without secrets and with limits of time and memory, because files come from strangers.
    """

    read: str
    endings: tuple[str, ...]
    """In small letters, without the dot."""
    media_types: tuple[str, ...] = ()

    def fits(self, name: str, media_type: str) -> bool:
        """Whether it reads a file, by the ending of its name or its type."""
        ending = PurePosixPath(name.casefold()).suffix.removeprefix(".")
        return ending in self.endings or media_type in self.media_types


def reader_of(readers: Sequence[FileReader], name: str, media_type: str) -> FileReader | None:
    """The first that reads a file; None for the house's own kinds."""
    return next((one for one in readers if one.fits(name, media_type)), None)


def found_by(read: str, data: bytes, name: str) -> FoundText:
    """What a reader finds, in the process of this one file. Raises UnreadableDocument."""
    module, _, function = read.partition(":")
    try:
        sections: Sequence[DocumentSection] = getattr(import_module(module), function)(data, name)
        return FoundText(list(sections))
    except (UnreadableDocument, MemoryError):
        raise
    except Exception as error:
        # The code of others, over a file that may be hostile, raises whatever it likes.
        raise UnreadableDocument(BROKEN.format(PurePosixPath(name).suffix or name)) from error
