"""For files: readers of a kind of document, the text of a file, what a person has and sends.

`read_front_matter` reads a text with keys at its top.
"""

from bot.domain.files import (
    AttachedFile,
    AttachedFiles,
    FileEntry,
    FileSource,
    FileText,
    TakesTranscripts,
)
from bot.errors import DefinitionError, DocumentError
from bot.files.incoming import IncomingFiles
from bot.files.pages import page_of
from bot.knowledge.chunks import Chunk, DocumentSection
from bot.knowledge.formats.reading import UnreadableDocument
from bot.knowledge.kinds import DOCUMENTS, FileKind
from bot.knowledge.more_readers import FileReader
from bot.knowledge.reading import MOST_BYTES, DocumentReader, RawDocument, ReadDocument
from bot.skills.front_matter import FENCE, FrontMatter, read_front_matter

__all__ = [
    "DOCUMENTS",
    "FENCE",
    "MOST_BYTES",
    "AttachedFile",
    "AttachedFiles",
    "Chunk",
    "DefinitionError",
    "DocumentError",
    "DocumentReader",
    "DocumentSection",
    "FileEntry",
    "FileKind",
    "FileReader",
    "FileSource",
    "FileText",
    "FrontMatter",
    "IncomingFiles",
    "RawDocument",
    "ReadDocument",
    "TakesTranscripts",
    "UnreadableDocument",
    "page_of",
    "read_front_matter",
]
