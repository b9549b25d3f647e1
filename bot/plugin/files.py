"""For files: the text of a document, what a person has and sends.

`read_front_matter` reads a text with keys at its top.
"""

from bot.domain.files import AttachedFile as AttachedFile
from bot.domain.files import AttachedFiles as AttachedFiles
from bot.domain.files import FileEntry as FileEntry
from bot.domain.files import FileSource as FileSource
from bot.domain.files import FileText as FileText
from bot.domain.files import TakesTranscripts as TakesTranscripts
from bot.errors import DefinitionError as DefinitionError
from bot.errors import DocumentError as DocumentError
from bot.files.incoming import IncomingFiles as IncomingFiles
from bot.files.incoming import free_name as free_name
from bot.files.pages import page_of as page_of
from bot.knowledge.chunks import Chunk as Chunk
from bot.knowledge.reading import MOST_BYTES as MOST_BYTES
from bot.knowledge.reading import DocumentReader as DocumentReader
from bot.knowledge.reading import RawDocument as RawDocument
from bot.knowledge.reading import ReadDocument as ReadDocument
from bot.skills.front_matter import FENCE as FENCE
from bot.skills.front_matter import FrontMatter as FrontMatter
from bot.skills.front_matter import read_front_matter as read_front_matter
