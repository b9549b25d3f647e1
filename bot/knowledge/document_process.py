"""Turns a document into text in its own process: `python -m bot.knowledge.document_process`.

Documents come from strangers. Here their parsers have no secrets and no files to write, and limited
memory and time. Standard input: a line of JSON, then the bytes. Standard output: JSON.
"""

import json
import sys
import warnings
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any

from bot.knowledge.chunks import DocumentSection, chunked
from bot.knowledge.formats.archives import member_of, read_archive
from bot.knowledge.formats.mail import read_eml
from bot.knowledge.formats.office import MOST_CHARS, read_docx, read_pptx, read_xlsx
from bot.knowledge.formats.packed import read_epub, read_odp, read_ods, read_odt
from bot.knowledge.formats.pdf import read_pdf
from bot.knowledge.formats.pictures import read_picture
from bot.knowledge.formats.reading import BROKEN, OLD, FoundText, ReadingLimits, UnreadableDocument
from bot.knowledge.formats.texts import (
    NO_TEXT,
    read_csv,
    read_html,
    read_markdown,
    read_rtf,
    read_text,
)
from bot.knowledge.kinds import FileKind, kind_of
from bot.knowledge.more_readers import found_by
from bot.web.page_process import limit_itself

MEMORY_BYTES = 256 * 1024 * 1024
HEIC_BYTES = 512 * 1024 * 1024
"""Phones make HEIC photos of 48 megapixels, and their decoder holds one twice, unpacked."""
MOST_NESTED = 2
"""A mail in a mail is read, and not what is attached to that."""
_Reader = Callable[[bytes, ReadingLimits], FoundText]

READERS: Mapping[FileKind, _Reader] = {
    FileKind.PDF: read_pdf,
    FileKind.DOCX: read_docx,
    FileKind.XLSX: read_xlsx,
    FileKind.PPTX: read_pptx,
    FileKind.ODT: read_odt,
    FileKind.ODS: read_ods,
    FileKind.ODP: read_odp,
    FileKind.RTF: read_rtf,
    FileKind.HTML: read_html,
    FileKind.EPUB: read_epub,
    FileKind.CSV: read_csv,
    FileKind.MARKDOWN: read_markdown,
    FileKind.TEXT: read_text,
    FileKind.PICTURE: read_picture,
    FileKind.ARCHIVE: read_archive,
}


def found_in(data: bytes, kind: FileKind, limits: ReadingLimits, depth: int = 0) -> FoundText:
    """The sections and pictures of a document. Raises UnreadableDocument."""
    try:
        return _reader_of(kind, limits, depth)(data, limits)
    except (UnreadableDocument, MemoryError):
        raise
    except Exception as error:
        # A parser that trips over a hostile file raises whatever it likes.
        raise UnreadableDocument(BROKEN.format(kind)) from error


def _reader_of(kind: FileKind, limits: ReadingLimits, depth: int) -> _Reader:
    if kind is FileKind.OLD_OFFICE:
        raise UnreadableDocument(OLD)
    if limits.member:
        return _read_member if kind is FileKind.ARCHIVE else _no_archive
    if kind is FileKind.MAIL:
        return partial(read_eml, read=partial(_attached, limits, depth + 1))
    reader = READERS.get(kind)
    if reader is None:
        raise UnreadableDocument(NO_TEXT)
    return reader


def _no_archive(_data: bytes, _limits: ReadingLimits) -> FoundText:
    raise UnreadableDocument("it is no archive, so nothing is in it")


def _read_member(data: bytes, limits: ReadingLimits) -> FoundText:
    found, name = member_of(data, limits.member, limits), limits.member
    kind = kind_of(found, name)
    if kind is FileKind.ARCHIVE:
        raise UnreadableDocument("it is an archive within an archive; send it on its own")
    return found_in(found, kind, replace(limits, name=name, member=""), depth=1)


def _attached(
    limits: ReadingLimits, depth: int, data: bytes, name: str, media_type: str
) -> FoundText:
    if depth >= MOST_NESTED:
        raise UnreadableDocument("it is a file within a file within a file")
    return found_in(data, kind_of(data, name, media_type), replace(limits, name=name), depth)


def _within(sections: list[DocumentSection]) -> Iterator[DocumentSection]:
    left = MOST_CHARS
    for section in sections:
        if left <= 0:
            return
        yield DocumentSection(section.place, section.text[:left], section.first_line)
        left -= len(section.text)


def parts_of(data: bytes, head: Mapping[str, Any]) -> dict[str, Any]:
    """`parts` (place and text of each) with a `note` on what was cut; or `problem`.

    With `whole` they are the sections as they are, and there may be `pictures`.
    """
    limits = ReadingLimits(
        **{one.name: head[one.name] for one in fields(ReadingLimits) if one.name in head}
    )
    try:
        if read := head.get("reader"):
            found = found_by(read, data, limits.name)
        else:
            found = found_in(data, FileKind(head["kind"]), limits)
        note, sections = found.note, list(found.sections)
        kept = list(_within(sections))
        parts = kept if limits.whole else chunked(kept)
    except UnreadableDocument as error:
        return {"problem": str(error)}
    except MemoryError:
        return {"problem": "it takes more memory than a document may"}
    if sum(len(section.text) for section in sections) > MOST_CHARS:
        note = f"only its first {MOST_CHARS:,} characters were read"
    return {
        "parts": [[one.place, one.text] for one in parts],
        "note": note,
        "pictures": [
            {"type": one.media_type, "data": b64encode(one.data).decode(), "what": one.what}
            for one in found.pictures
        ],
    }


def limit_to(data: bytes, head: Mapping[str, Any]) -> None:
    """Limit this process to the memory and time of one document; the time is set in `head`."""
    heic = head["kind"] == FileKind.PICTURE and data[4:8] == b"ftyp"
    limit_itself(
        HEIC_BYTES if heic or head["kind"] == FileKind.MAIL else MEMORY_BYTES, head["cpu_s"]
    )


def main() -> None:
    """Read one document from standard input and write its parts."""
    warnings.simplefilter("ignore")
    head = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    limit_to(data, head)
    sys.stdout.buffer.write(
        json.dumps(parts_of(data, head), ensure_ascii=False).encode("utf-8", "replace")
    )


if __name__ == "__main__":
    main()
