"""Cuts a document into parts of about 1,000 characters that overlap and never cross a heading."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

CHUNK_CHARS = 1_000
OVERLAP_CHARS = 200
PLACE_CHARS = 160
_BREAKS = ("\n\n", "\n", ". ", "。", "; ", ", ", " ")
"""Where a part may end, the best first."""
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")


@dataclass(frozen=True)
class DocumentSection:
    """A stretch of text below one heading, or on one page.

    `first_line` (from 1) is set where lines are cited.
    """

    place: str
    text: str
    first_line: int = 0


@dataclass(frozen=True)
class Chunk:
    """A part of a document. `place` is how it is cited: `page 3`, `Setup > Keys`, `lines 10-42`."""

    place: str
    text: str


def chunked(sections: Sequence[DocumentSection]) -> Iterator[Chunk]:
    """The parts of a document in order; a section without words has none."""
    for section in sections:
        for begins, ends in _spans(section.text):
            text = section.text[begins:ends].strip("\n").rstrip()
            if not text.strip():
                continue
            place = section.place
            if section.first_line:
                first = section.first_line + section.text.count("\n", 0, begins)
                lines = f"lines {first}-{first + text.count(chr(10))}"
                place = f"{place}, {lines}" if place else lines
            yield Chunk(place[:PLACE_CHARS], text)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each part; each starts up to OVERLAP_CHARS before the end of the last."""
    begins = 0
    while begins < len(text):
        if len(text) - begins <= CHUNK_CHARS:
            yield begins, len(text)
            return
        ends = _break(text, begins + CHUNK_CHARS // 2, begins + CHUNK_CHARS)
        yield begins, ends
        # A part that begins at a word reads better than one that begins in the middle of it.
        again = _break(text, ends - OVERLAP_CHARS, ends)
        begins = again if again < ends else ends - OVERLAP_CHARS


def _break(text: str, first: int, last: int) -> int:
    """Where to cut between two positions: after the last of the best breaks, else at `last`."""
    for mark in _BREAKS:
        spot = text.rfind(mark, first, last - 1)
        if spot >= 0:
            return spot + len(mark)
    return last


def markdown_sections(text: str) -> list[DocumentSection]:
    """The sections of a Markdown text by its `#` headings; those inside fenced code are none."""
    found: list[DocumentSection] = []
    path: list[str] = []
    lines: list[str] = []
    fence = ""

    def close() -> None:
        if any(line.strip() for line in lines):
            found.append(
                DocumentSection(" > ".join(part for part in path if part), "\n".join(lines))
            )
        lines.clear()

    for line in text.splitlines():
        if mark := _FENCE.match(line):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence):
                fence = ""
        heading = None if fence else _HEADING.fullmatch(line)
        if heading is None:
            lines.append(line)
            continue
        close()
        level = len(heading[1])
        path = [*path[: level - 1], *[""] * (level - 1 - len(path)), heading[2]]
    close()
    return found


def line_sections(text: str) -> list[DocumentSection]:
    """Plain text, code or a log: one section whose parts are cited by their lines."""
    return [DocumentSection("", "\n".join(text.splitlines()), first_line=1)]
