"""For files: the text of a document, what a person has and sends.

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
from bot.files.incoming import IncomingFiles, free_name
from bot.files.pages import page_of
from bot.knowledge.chunks import Chunk
from bot.knowledge.reading import MOST_BYTES, DocumentReader, RawDocument, ReadDocument
from bot.skills.front_matter import FENCE, FrontMatter, read_front_matter

__all__ = [
    "FENCE",
    "MOST_BYTES",
    "AttachedFile",
    "AttachedFiles",
    "Chunk",
    "DefinitionError",
    "DocumentError",
    "DocumentReader",
    "FileEntry",
    "FileSource",
    "FileText",
    "FrontMatter",
    "IncomingFiles",
    "RawDocument",
    "ReadDocument",
    "TakesTranscripts",
    "free_name",
    "page_of",
    "read_front_matter",
]
