"""Attached files as blocks of a request: images as images, text as quoted text."""

import base64
import codecs
from collections.abc import Sequence
from dataclasses import replace

from bot.agents.prompt.notes import quote
from bot.domain.origins import Origin, Trust
from bot.domain.sessions import StoredBlock
from bot.lazy_dataclass import dataclass
from bot.sessions.opening.excerpts import WHOLE_CHARS

IMAGE_BYTES = 4_000_000
KEPT_BYTES = 8 * 1024 * 1024
"""A larger text is not stored whole."""
TEXT_ENDINGS = (".txt", ".md", ".csv", ".vtt", ".srt", ".log")
IMAGE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})


@dataclass(frozen=True)
class FetchedFile:
    """A fetched attachment (the first of `size` bytes if large), or the reason for none."""

    name: str
    mime: str
    data: bytes | None
    problem: str = ""
    size: int = 0
    blob: str = ""
    kept: str = ""
    """The document with the whole text of a cut file or of a transcript."""
    shown: str = ""
    """The text that is shown of a cut file, once its whole text was read."""
    unkept: str = ""
    """The reason why such a document is missing."""


def file_blocks(files: Sequence[FetchedFile], private: bool) -> list[StoredBlock]:
    """Images as images, text as quoted text, other files by name. Files count as external."""
    return [block for file in files for block in _file_blocks(file, private)]


def _file_blocks(file: FetchedFile, private: bool) -> list[StoredBlock]:
    file = replace(file, name=" ".join(file.name.split()))
    origin = Origin(Trust.EXTERNAL, f"file:{file.name}")
    if file.data is None:
        told = f"{file.name} could not be read: {file.problem}\n[it was not kept]"
        return [quote("file", told, origin, private=private)]
    if file.mime in IMAGE_TYPES and file.size <= len(file.data):
        source = {
            "type": "base64",
            "media_type": file.mime,
            "data": base64.b64encode(file.data).decode(),
        }
        name = quote("file", f"The next image is {file.name}.", origin, private=private)
        return [name, StoredBlock({"type": "image", "source": source}, origin, private)]
    whole = file.size <= len(file.data)
    text = text_of(file.data, whole=whole)
    if text is None:
        described = (
            f"{file.name} ({file.mime}, {max(file.size, len(file.data))} bytes): {_no_text(file)}"
        )
        return [quote("file", described, origin, private=private)]
    if whole and not text.strip():
        return [quote("file", f"{file.name} is empty.", origin, private=private)]
    if file.shown:
        return [quote("file", file.shown, origin, private=private)]
    shown = text if not is_cut(file) else text[:WHOLE_CHARS]
    return [quote("file", f"{file.name}:\n{shown}{_goes_on(file)}", origin, private=private)]


def _no_text(file: FetchedFile) -> str:
    """Why the content is not shown; people can fix the encoding of a text."""
    if file.mime.startswith("text/") or file.name.casefold().endswith(TEXT_ENDINGS):
        return "its characters can't be read. They can save it as UTF-8 and send it again."
    return "its content can't be shown as text."


def _goes_on(file: FetchedFile) -> str:
    """What became of the whole file, where only its beginning was read."""
    if not is_cut(file):
        return f"\n[a transcript, kept as {file.kept}]" if file.kept else ""
    why = f"the most is {KEPT_BYTES // 1024**2} MB" if file.size > KEPT_BYTES else file.unkept
    return f"\n[cut: the file has {file.size} bytes]\n[its rest was not kept: {why}]"


def is_cut(file: FetchedFile) -> bool:
    """Whether a request holds only a part of a file's text."""
    if file.data is None or file.mime in IMAGE_TYPES:
        return False
    whole = file.size <= len(file.data)
    text = text_of(file.data, whole=whole)
    return text is not None and (not whole or len(text) > WHOLE_CHARS)


def text_of(data: bytes, *, whole: bool) -> str | None:
    """The text of a file's first bytes; None if they are not text.

    The last character may be cut off.
    """
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if b"\0" in data and not wide:
        return None
    try:
        text = codecs.getincrementaldecoder("utf-16" if wide else "utf-8-sig")().decode(
            data, final=whole
        )
        return None if "\0" in text else text
    except UnicodeDecodeError:
        return None
