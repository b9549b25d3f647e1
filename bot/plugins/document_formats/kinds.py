"""Which of these formats a file has. Its content decides; its name only tells the like apart."""

from bot.plugin.readers import STILL, ending_of, is_text

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
_OOXML = "application/vnd.openxmlformats-officedocument."
_ZIPS = {
    f"{_OOXML}wordprocessingml.document": "docx",
    f"{_OOXML}spreadsheetml.sheet": "xlsx",
    f"{_OOXML}presentationml.presentation": "pptx",
    "docx": "docx",
    "docm": "docx",
    "xlsx": "xlsx",
    "xlsm": "xlsx",
    "pptx": "pptx",
    "pptm": "pptx",
}
_TEXTS = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "message/rfc822": "eml",
    "html": "html",
    "htm": "html",
    "eml": "eml",
}
"""By stated types and endings of names."""
_BEGINNINGS = (
    (b"{\\rtf", "rtf"),
    (b"\x89PNG\r\n\x1a\n", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"GIF87a", "picture"),
    (b"GIF89a", "picture"),
    (b"BM", "picture"),
    (b"II*\0", "picture"),
    (b"MM\0*", "picture"),
    (b"\xd0\xcf\x11\xe0", "old"),
    *((head, "archive") for head, name in ARCHIVE_FORMATS if name != "zip"),
)
_OPEN = {b"text": "odt", b"spreadsheet": "ods", b"presentation": "odp"}
_PDF_WITHIN = 1_024


def kind_of(head: bytes, name: str, media_type: str) -> str:
    """The kind of its reader (`plugin.py`) by its first bytes; empty if it is another's."""
    if b"%PDF-" in head[:_PDF_WITHIN]:
        return "pdf"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _of_zip(head, name, media_type)
    if head[:4] == b"RIFF":
        return "picture" if head[8:12] == b"WEBP" else ""
    if head[4:8] == b"ftyp":
        return "heic" if head[8:12] in STILL else ""
    if head[257:262] == b"ustar":
        return "archive"
    for beginning, kind in _BEGINNINGS:
        if head.startswith(beginning) and (beginning != b"BM" or b"\0" in head[:32]):
            return kind
    return _of_text(head, name, media_type) if is_text(head) else ""


def _of_text(head: bytes, name: str, media_type: str) -> str:
    begins = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:200].lower()
    if begins.startswith((b"<!doctype html", b"<html")):
        return "html"
    return _TEXTS.get(media_type) or _TEXTS.get(ending_of(name), "")


def _of_zip(head: bytes, name: str, media_type: str) -> str:
    """By the names of the first entries, else what it says it is."""
    stored = head.partition(b"mimetypeapplication/")[2]
    if stored.startswith(b"epub+zip"):
        return "epub"
    if stored.startswith(b"vnd.oasis.opendocument."):
        what = stored.removeprefix(b"vnd.oasis.opendocument.")
        return next((kind for of, kind in _OPEN.items() if what.startswith(of)), "archive")
    office = b"[Content_Types].xml" in head or b"_rels/.rels" in head
    for folder, kind in ((b"word/", "docx"), (b"xl/", "xlsx"), (b"ppt/", "pptx")):
        if office and folder in head:
            return kind
    return _ZIPS.get(media_type) or _ZIPS.get(ending_of(name), "archive")
