"""For readers of files. Little is imported here: readers run in processes with little memory."""

from bot.knowledge.chunks import DocumentSection as DocumentSection
from bot.knowledge.chunks import line_sections as line_sections
from bot.knowledge.chunks import markdown_sections as markdown_sections
from bot.knowledge.file_readers import FileReader as FileReader
from bot.knowledge.file_readers import FileReaders as FileReaders
from bot.knowledge.file_readers import Holds as Holds
from bot.knowledge.file_text import BROKEN as BROKEN
from bot.knowledge.file_text import MOST_CHARS as MOST_CHARS
from bot.knowledge.file_text import FoundText as FoundText
from bot.knowledge.file_text import Picture as Picture
from bot.knowledge.file_text import ReadingLimits as ReadingLimits
from bot.knowledge.file_text import UnreadableDocument as UnreadableDocument
from bot.knowledge.file_text import plain_name as plain_name
from bot.knowledge.file_text import safe_name as safe_name
from bot.knowledge.file_text import sheet as sheet
from bot.knowledge.file_text import table as table
from bot.knowledge.kinds import HEAD_BYTES as HEAD_BYTES
from bot.knowledge.kinds import STILL as STILL
from bot.knowledge.kinds import ending_of as ending_of
from bot.knowledge.kinds import is_text as is_text
from bot.web.page_process import limit_itself as limit_itself
from bot.web.page_process import read_mail as read_mail
from bot.web.page_process import read_page as read_page
