"""Documents of people, and the files of their messages."""

from dataclasses import dataclass

from bot.assembly.ground import Ground
from bot.domain.files import AttachedFiles, FileSource
from bot.files.search import DocumentIndex, DocumentSearch
from bot.knowledge.attached import AttachedSource
from bot.sessions.opening.attachments import Attachments, KeptAttachments


@dataclass(frozen=True)
class Documents:
    """The documents of people, what finds something in them, and files of messages."""

    attached: AttachedFiles
    opened: FileSource
    """`/attached`: the same files for the file tools."""
    index: DocumentIndex
    search: DocumentSearch


def build_documents(ground: Ground, attachments: Attachments) -> Documents:
    attached = KeptAttachments(ground.database, ground.engine, attachments)
    index = DocumentIndex(ground.database, ground.clock)
    return Documents(
        attached,
        AttachedSource(attached, ground.reader),
        index,
        DocumentSearch(ground.database, index),
    )
