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
