"""Texts of any encoding, and CSV."""

import csv
import io

from bot.knowledge.chunks import DocumentSection, line_sections, markdown_sections
from bot.knowledge.file_text import NO_TEXT, FoundText, ReadingLimits, UnreadableDocument, sheet

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
