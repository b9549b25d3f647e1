"""Turns a document into text in its own process: `python -m bot.knowledge.document_process`.

Documents come from strangers. Here their parsers have no secrets and no files to write, and limited
memory and time. Standard input: a line of JSON, then the bytes. Standard output: JSON.

Texts of any encoding, and CSV, are read here itself; readers of plug-ins know other formats.
"""

import csv
import io
import json
import sys
import warnings
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any

from bot.knowledge.chunks import DocumentSection, chunked, line_sections, markdown_sections
from bot.knowledge.file_readers import FileReaders, Holds, found_by, or_broken
from bot.knowledge.file_text import (
    MOST_CHARS,
    NO_TEXT,
    FoundText,
    ReadingLimits,
    UnreadableDocument,
    nothing_within,
    sheet,
)
from bot.knowledge.kinds import FileKind, kind_of
from bot.web.page_process import limit_itself

_GUESSED_BYTES = 64 * 1024
_ENCODINGS = ["cp1252", "cp1251", "shift_jis", "gb18030", "big5", "euc_kr", "cp1250", "cp1253"]
_FURTHER = ["cp1254", "cp1255", "cp1256", "koi8_r"]
_WIDE = ["utf_16_le", "utf_16_be"]
_FEW = 12
"""With fewer letters beyond ASCII nothing can be guessed."""


def decoded(data: bytes) -> str:
    """A text in whatever encoding it has."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = ""
    if text and "\0" not in text:
        return text
    wide = b"\0" in data
    beyond = sum(1 for byte in data[:_GUESSED_BYTES] if byte > 127)
    if not data or (beyond < _FEW and not wide):
        return data.decode("cp1252", "replace")
    from charset_normalizer import from_bytes  # noqa: PLC0415 - after the limits are set

    known = _WIDE if wide else [*_ENCODINGS, *_FURTHER]
    best = from_bytes(data[: _GUESSED_BYTES // 2 * 2], cp_isolation=known).best()
    if best is None:
        if wide:
            raise UnreadableDocument(NO_TEXT)
        return data.decode("cp1252", "replace")
    text = data.decode(best.encoding, "replace")
    if "\0" in text:
        raise UnreadableDocument(NO_TEXT)
    return text


def read_text(data: bytes, limits: ReadingLimits) -> FoundText:
    text = decoded(data)
    return FoundText([DocumentSection("", text)] if limits.whole else line_sections(text))


def read_markdown(data: bytes, limits: ReadingLimits) -> FoundText:
    text = decoded(data)
    return FoundText([DocumentSection("", text)] if limits.whole else markdown_sections(text))


def read_csv(data: bytes, limits: ReadingLimits) -> FoundText:
    """As it is for a reader; for a collection in parts that begin with the names of the columns."""
    text = decoded(data)
    if limits.whole:
        return FoundText([DocumentSection("", text)])
    try:
        form = csv.Sniffer().sniff(text[:8_192], ",;\t|")
    except csv.Error:
        form = csv.excel
    try:
        rows = list(csv.reader(io.StringIO(text), form))
    except csv.Error:
        return FoundText(line_sections(text))
    return FoundText(sheet(limits.name, rows, limits))


MOST_NESTED = 2
"""A mail in a mail is read, and not what is attached to that."""
_TEXTS: Mapping[FileKind, Callable[[bytes, ReadingLimits], FoundText]] = {
    FileKind.CSV: read_csv,
    FileKind.MARKDOWN: read_markdown,
    FileKind.TEXT: read_text,
}


def found_in(
    data: bytes, media_type: str, limits: ReadingLimits, readers: FileReaders, depth: int = 0
) -> FoundText:
    """The sections and pictures of a document. Raises UnreadableDocument."""
    reader = readers.of(data, limits.name, media_type)
    if limits.member and (reader is None or reader.holds is not Holds.FILES):
        raise UnreadableDocument("it is no archive, so nothing is in it")
    if reader is not None:
        deeper = partial(_found_within, limits, readers, depth + 1)
        within = deeper if depth + 1 < MOST_NESTED else nothing_within
        return found_by(reader, data, replace(limits, within=within))
    kind = kind_of(data, limits.name, media_type)
    read = _TEXTS.get(kind)
    if read is None:
        raise UnreadableDocument(f"{NO_TEXT} ({readers.titles}); save it as one of these")
    return or_broken(kind, partial(read, data, limits))


def _found_within(
    limits: ReadingLimits,
    readers: FileReaders,
    depth: int,
    data: bytes,
    name: str,
    media_type: str,
) -> FoundText:
    inner = replace(limits, name=name, member="")
    return found_in(data, media_type, inner, readers, depth)


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
        readers = FileReaders.from_json(head["readers"])
        found = found_in(data, head["media_type"], limits, readers)
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


def main() -> None:
    """Read one document from standard input and write its parts."""
    warnings.simplefilter("ignore")
    head = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    limit_itself(head["memory_bytes"], head["cpu_s"])
    sys.stdout.buffer.write(
        json.dumps(parts_of(data, head), ensure_ascii=False).encode("utf-8", "replace")
    )


if __name__ == "__main__":
    main()
