"""Bounds of archives, and what is said of files that can't be read."""

import io
import zipfile

from bot.plugin.readers import BROKEN, FoundText, ReadingLimits, UnreadableDocument

UNPACKED_BYTES = 128 * 1024 * 1024
"""The most bytes of all files inside a .docx, .xlsx or the like."""
LOCKED = "it is protected by a password; save it without one and add it again"
OLD = "it has a password or an old format; save it as .docx, .xlsx or .pptx without a password"


def require_small(data: bytes, kind: str) -> zipfile.ZipFile:
    """The archive, if its stated sizes are in bounds: they limit its reader."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        size = sum(one.file_size for one in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise UnreadableDocument(BROKEN.format(kind)) from error
    if size > UNPACKED_BYTES:
        raise UnreadableDocument(
            f"it unpacks to {size // 1024**2:,} MB and the most is {UNPACKED_BYTES // 1024**2} MB"
        )
    return archive


def read_old(_data: bytes, _limits: ReadingLimits) -> FoundText:
    """Word, Excel or PowerPoint before 2007, or one with a password."""
    raise UnreadableDocument(OLD)
