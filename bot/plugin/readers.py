"""For readers of files. Little is imported here: readers run in processes with little memory."""

from bot.knowledge.chunks import DocumentSection, line_sections, markdown_sections
from bot.knowledge.file_readers import FileReader, FileReaders, Holds
from bot.knowledge.file_text import (
    BROKEN,
    MOST_CHARS,
    FoundText,
    Picture,
    ReadingLimits,
    UnreadableDocument,
    plain_name,
    safe_name,
    sheet,
    table,
)
from bot.knowledge.kinds import HEAD_BYTES, STILL, ending_of, is_text
from bot.web.page_process import limit_itself, read_mail, read_page
