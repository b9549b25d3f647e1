"""What a reader is asked and what it finds, and tables in it.

Strangers chose the names of files in archives.
"""

import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from bot.knowledge.chunks import DocumentSection

MOST_CHARS = 4_000_000
"""Of a document."""
BROKEN = "it is damaged, or no {}; open it, save it anew and add it again"
NO_TEXT = "it is no text and of no kind that can be read"
ROWS = 40
"""Of a sheet, in one section of a collection: each begins with the names of its columns."""
_SECTION_CHARS = 800
_USED = 0.6
"""Of the processor time; one more page, and writing it all down, need the rest."""
_NAME_CHARS = 200


class UnreadableDocument(Exception):
    """Why a document can't be read, in words for the person who added it."""


@dataclass(frozen=True)
class Picture:
    """A picture as a model takes it. `what` says which one it is: `page 3`."""

    media_type: str
    data: bytes
    what: str = ""


def nothing_within(_data: bytes, _name: str, _media_type: str) -> "FoundText":
    raise UnreadableDocument("it is a file within a file within a file")


@dataclass(frozen=True)
class ReadingLimits:
    """How a document is to be read.

    `whole`: for a reader, with tables as tables; else for a collection, in citable parts. `cpu_s`:
    seconds of processor time for all of it; long documents end with what was read by then.
    `member`: the file of an archive that is read instead of listing it. `within` reads a file that
    is in this one, by its bytes, its name and its stated type, and raises UnreadableDocument.
    """

    whole: bool = False
    pages: int = 2_000
    url: str = ""
    charset: str = ""
    name: str = ""
    cpu_s: int = 10
    member: str = ""
    within: Callable[[bytes, str, str], "FoundText"] = nothing_within

    @property
    def is_late(self) -> bool:
        """Whether to end here, so that what was read is still written."""
        return time.process_time() > self.cpu_s * _USED


@dataclass(frozen=True)
class FoundText:
    """The sections of a document; `note` says what was left out."""

    sections: Sequence[DocumentSection]
    note: str = ""
    pictures: Sequence[Picture] = field(default=())


def table(rows: Iterable[Sequence[str]]) -> str:
    """Rows as a table of Markdown; its first row names the columns."""
    cells = [[" ".join(cell.split()).replace("|", "\\|") for cell in row] for row in rows]
    cells = [row for row in cells if any(row)]
    if not cells:
        return ""
    width = max(len(row) - next((n for n, c in enumerate(reversed(row)) if c), 0) for row in cells)
    lines = [f"| {' | '.join([*row[:width], *[''] * (width - len(row))])} |" for row in cells]
    return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])


def sheet(name: str, rows: Iterable[Sequence[str]], limits: ReadingLimits) -> list[DocumentSection]:
    """The rows of a sheet: one table, or some at a time with the names of the columns."""
    numbered = [(number, row) for number, row in enumerate(rows, 1) if any(map(str.strip, row))]
    if not numbered:
        return []
    if limits.whole:
        return [DocumentSection(f"sheet {name}", table([row for _, row in numbered]))]
    lines = [(number, " | ".join(row).rstrip(" |")) for number, row in numbered]
    (top, head), rest = lines[0], lines[1:]
    if not rest:
        return [DocumentSection(f"sheet {name}, row {top}", head)]
    found: list[DocumentSection] = []
    part: list[tuple[int, str]] = []
    for at, line in enumerate(rest):
        part.append(line)
        full = len(part) == ROWS or sum(len(text) for _, text in part) + len(head) > _SECTION_CHARS
        if full or at == len(rest) - 1:
            text = "\n".join((head, *(text for _, text in part)))
            found.append(DocumentSection(f"sheet {name}, row {part[0][0]}", text))
            part = []
    return found


def plain_name(name: str) -> str:
    """As it is shown, on one line."""
    return " ".join(name.split())[:_NAME_CHARS]


def safe_name(name: str) -> str:
    """As it is asked for: without steps upwards, in one spelling."""
    plain = unicodedata.normalize("NFC", name.replace("\\", "/"))
    steps = " ".join(plain.split())[:_NAME_CHARS].split("/")
    shown = ("".join(c for c in step if c.isprintable()).strip() for step in steps)
    return "/".join(step for step in shown if step.strip(". "))
