"""What a file is that no reader takes. Its name and its stated type only tell texts apart."""

from enum import StrEnum
from pathlib import PurePosixPath


class FileKind(StrEnum):
    CSV = "csv"
    MARKDOWN = "markdown"
    TEXT = "text"
    RECORDING = "recording"
    """Sound or video."""
    BINARY = "binary"


TEXTS = frozenset({FileKind.TEXT, FileKind.MARKDOWN, FileKind.CSV})
"""Shown as they are."""
HEAD_BYTES = 64 * 1024
"""So much of a file tells its kind."""
STILL = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1", b"avif", b"avis")
"""How the type of a picture begins in a container that mostly holds recordings."""
_BY_TYPE = {
    "text/markdown": FileKind.MARKDOWN,
    "text/csv": FileKind.CSV,
    "text/tab-separated-values": FileKind.CSV,
}
_BY_ENDING = {
    "md": FileKind.MARKDOWN,
    "markdown": FileKind.MARKDOWN,
    "csv": FileKind.CSV,
    "tsv": FileKind.CSV,
}
_RECORDINGS = (
    *(b"OggS", b"ID3", b"fLaC", b"\x1aE\xdf\xa3", b"#!AMR"),
    *(b"\xff" + end for end in (b"\xfb", b"\xf3", b"\xf2", b"\xf1", b"\xf9")),
)
_CONTROLS = bytes({*range(9), *range(14, 27), *range(28, 32), 127} - {0})
"""Those that no text needs; a wide one has zeros."""
_MOST_CONTROLS = 0.02
_WIDE = (b"\xff\xfe", b"\xfe\xff")


def kind_of(data: bytes, name: str = "", media_type: str = "") -> FileKind:
    """The kind of a file by its first bytes, at least HEAD_BYTES of them."""
    head = data[:HEAD_BYTES]
    if _is_recording(head):
        return FileKind.RECORDING
    if b"\0" in head and not head.startswith(_WIDE) and not _looks_wide(head):
        return FileKind.BINARY
    if _is_packed(head):
        return FileKind.BINARY
    stated = _BY_TYPE.get(media_type) or _BY_ENDING.get(ending_of(name))
    return stated or FileKind.TEXT


def ending_of(name: str) -> str:
    """In small letters, without the dot."""
    return PurePosixPath(name.casefold()).suffix.removeprefix(".")


def is_text(head: bytes) -> bool:
    """Whether the beginning of a file is that of a text, in whatever encoding."""
    return kind_of(head) in TEXTS


def _is_recording(head: bytes) -> bool:
    if head[:4] == b"RIFF":
        return head[8:12] != b"WEBP"
    if head[4:8] == b"ftyp":
        return head[8:12] not in STILL
    return head.startswith(_RECORDINGS)


def _is_packed(head: bytes) -> bool:
    """Whether it has more control characters than any text, such as a PDF that nothing reads."""
    return len(head) - len(head.translate(None, _CONTROLS)) > len(head) * _MOST_CONTROLS


def _looks_wide(head: bytes) -> bool:
    """Whether it is UTF-16 without a mark: every other byte of a European text is 0."""
    half = max(1, len(head) // 2)
    first, second = head[::2].count(0), head[1::2].count(0)
    return max(first, second) > half * 0.7 and min(first, second) < half * 0.05
