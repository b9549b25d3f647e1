"""For readers of files: a kind of document, and the function that finds its text."""

from bot.knowledge.chunks import DocumentSection
from bot.knowledge.formats.reading import UnreadableDocument
from bot.knowledge.more_readers import FileReader

__all__ = ["DocumentSection", "FileReader", "UnreadableDocument"]
