"""What a file is. Its content decides; its name and its stated type only tell texts apart."""

from enum import StrEnum
from pathlib import PurePosixPath


class FileKind(StrEnum):
    PDF = "pdf"
    DOCX = "docx"
    XLSX = "xlsx"
    PPTX = "pptx"
    ODT = "odt"
    ODS = "ods"
    ODP = "odp"
    RTF = "rtf"
    HTML = "html"
    MAIL = "eml"
    CSV = "csv"
    EPUB = "epub"
    MARKDOWN = "markdown"
    TEXT = "text"
    PICTURE = "picture"
    ARCHIVE = "archive"
    OLD_OFFICE = "old"
    """Word, Excel or PowerPoint before 2007, or one with a password."""
    RECORDING = "recording"
    """Sound or video."""
    BINARY = "binary"


TEXTS = frozenset({FileKind.TEXT, FileKind.MARKDOWN, FileKind.CSV})
"""Shown as they are."""
DOCUMENTS = frozenset(
    {
        FileKind.PDF,
        FileKind.DOCX,
        FileKind.XLSX,
        FileKind.PPTX,
        FileKind.ODT,
        FileKind.ODS,
        FileKind.ODP,
        FileKind.RTF,
        FileKind.HTML,
        FileKind.MAIL,
        FileKind.EPUB,
    }
)
"""Read by a reader of their own."""
HEAD_BYTES = 64 * 1024
"""So much of a file tells its kind."""
_OOXML = "application/vnd.openxmlformats-officedocument."
_BY_TYPE = {
    f"{_OOXML}wordprocessingml.document": FileKind.DOCX,
    f"{_OOXML}spreadsheetml.sheet": FileKind.XLSX,
    f"{_OOXML}presentationml.presentation": FileKind.PPTX,
    "text/html": FileKind.HTML,
    "application/xhtml+xml": FileKind.HTML,
    "text/markdown": FileKind.MARKDOWN,
    "text/csv": FileKind.CSV,
    "text/tab-separated-values": FileKind.CSV,
    "message/rfc822": FileKind.MAIL,
}
_BY_ENDING = {
    "docx": FileKind.DOCX,
    "docm": FileKind.DOCX,
    "xlsx": FileKind.XLSX,
    "xlsm": FileKind.XLSX,
    "pptx": FileKind.PPTX,
    "pptm": FileKind.PPTX,
    "html": FileKind.HTML,
    "htm": FileKind.HTML,
    "md": FileKind.MARKDOWN,
    "markdown": FileKind.MARKDOWN,
    "csv": FileKind.CSV,
    "tsv": FileKind.CSV,
    "eml": FileKind.MAIL,
}
_OF_TEXT = (FileKind.HTML, FileKind.MARKDOWN, FileKind.CSV, FileKind.MAIL)
_OF_ZIP = (FileKind.DOCX, FileKind.XLSX, FileKind.PPTX)
ARCHIVE_FORMATS = (
    (b"PK", "zip"),
    (b"\x1f\x8b", "gz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
)
"""How archives begin, and their endings. A tar has its mark later."""
_BEGINNINGS = (
    (b"{\\rtf", FileKind.RTF),
    (b"\x89PNG\r\n\x1a\n", FileKind.PICTURE),
    (b"\xff\xd8\xff", FileKind.PICTURE),
    (b"GIF87a", FileKind.PICTURE),
    (b"GIF89a", FileKind.PICTURE),
    (b"BM", FileKind.PICTURE),
    (b"II*\0", FileKind.PICTURE),
    (b"MM\0*", FileKind.PICTURE),
    (b"\xd0\xcf\x11\xe0", FileKind.OLD_OFFICE),
    *((head, FileKind.ARCHIVE) for head, name in ARCHIVE_FORMATS if name != "zip"),
    (b"OggS", FileKind.RECORDING),
    (b"ID3", FileKind.RECORDING),
    (b"fLaC", FileKind.RECORDING),
    (b"\x1aE\xdf\xa3", FileKind.RECORDING),
    (b"#!AMR", FileKind.RECORDING),
    *((b"\xff" + end, FileKind.RECORDING) for end in (b"\xfb", b"\xf3", b"\xf2", b"\xf1", b"\xf9")),
)
_OPEN = {b"text": FileKind.ODT, b"spreadsheet": FileKind.ODS, b"presentation": FileKind.ODP}
_STILL = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1", b"avif", b"avis")
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_PDF_WITHIN = 1_024


def kind_of(data: bytes, name: str = "", media_type: str = "") -> FileKind:
    """The kind of a file by its first bytes, at least HEAD_BYTES of them."""
    head = data[:HEAD_BYTES]
    if b"%PDF-" in head[:_PDF_WITHIN]:
        return FileKind.PDF
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _of_zip(head, name, media_type)
    if head[:4] == b"RIFF":
        return FileKind.PICTURE if head[8:12] == b"WEBP" else FileKind.RECORDING
    if head[4:8] == b"ftyp":
        return FileKind.PICTURE if head[8:12] in _STILL else FileKind.RECORDING
    if head[257:262] == b"ustar":
        return FileKind.ARCHIVE
    for beginning, kind in _BEGINNINGS:
        if head.startswith(beginning) and (beginning != b"BM" or b"\0" in head[:32]):
            return kind
    if b"\0" in head and not head.startswith(_WIDE) and not _looks_wide(head):
        return FileKind.BINARY
    return _of_text(head, name, media_type)


def _stated(name: str, media_type: str) -> FileKind | None:
    ending = PurePosixPath(name.casefold()).suffix.removeprefix(".")
    return _BY_TYPE.get(media_type) or _BY_ENDING.get(ending)


def _of_text(head: bytes, name: str, media_type: str) -> FileKind:
    stated = _stated(name, media_type)
    begins = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:200].lower()
    if begins.startswith((b"<!doctype html", b"<html")):
        return FileKind.HTML
    return stated if stated is not None and stated in _OF_TEXT else FileKind.TEXT


def _of_zip(head: bytes, name: str, media_type: str) -> FileKind:
    """By the names of the first entries, else what it says it is."""
    stored = head.partition(b"mimetypeapplication/")[2]
    if stored.startswith(b"epub+zip"):
        return FileKind.EPUB
    if stored.startswith(b"vnd.oasis.opendocument."):
        what = stored.removeprefix(b"vnd.oasis.opendocument.")
        return next((kind for of, kind in _OPEN.items() if what.startswith(of)), FileKind.ARCHIVE)
    office = b"[Content_Types].xml" in head or b"_rels/.rels" in head
    for folder, kind in (
        (b"word/", FileKind.DOCX),
        (b"xl/", FileKind.XLSX),
        (b"ppt/", FileKind.PPTX),
    ):
        if office and folder in head:
            return kind
    stated = _stated(name, media_type)
    return stated if stated is not None and stated in _OF_ZIP else FileKind.ARCHIVE


def _looks_wide(head: bytes) -> bool:
    """Whether it is UTF-16 without a mark: every other byte of a European text is 0."""
    half = max(1, len(head) // 2)
    first, second = head[::2].count(0), head[1::2].count(0)
    return max(first, second) > half * 0.7 and min(first, second) < half * 0.05
