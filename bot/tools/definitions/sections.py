"""Cuts a tool file into its title and `##` sections, minding fenced code."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import repeat

_HEADING = re.compile(r" {0,3}(#{1,6})(?!#)[ \t]*(\S.*?)(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


@dataclass
class FileSection:
    """One `## Title` with the lines below it.

    `line` is the heading's number in the file, from 1.
    """

    title: str
    line: int
    lines: list[str] = field(default_factory=list[str])
    fenced: bool = False
    """Whether some of the lines are a code fence."""

    @property
    def body(self) -> str:
        return "\n".join(self.lines).strip()

    @property
    def body_line(self) -> int:
        """The number of the first line that isn't blank (of the heading when there is none)."""
        for offset, text in enumerate(self.lines, 1):
            if text.strip():
                return self.line + offset
        return self.line


@dataclass
class Document:
    """A file cut at its headings.

    `titles`: every level-1 heading; `deep`: headings below level 2, with their line.
    """

    titles: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    sections: list[FileSection] = field(default_factory=list[FileSection])
    deep: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    preamble: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    """Lines that stand before the first section, with their number."""
    names_allowed: bool = False
    """Whether "allowed" stands anywhere in the file, in whatever case."""


def normalise(text: str) -> str:
    """Without byte-order mark, with a line feed as the only line end."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def cut(text: str) -> Document:
    """Cut normalised text. A `#` at the start of a line inside a code fence is no heading."""
    document = Document(names_allowed="allowed" in text.lower())
    section: FileSection | None = None
    for number, line, code in _marked(text):
        if not code and "#" in line and (heading := _HEADING.fullmatch(line)):
            level = len(heading[1])
            if level == 2:
                section = FileSection(heading[2], number)
                document.sections.append(section)
                continue
            found = document.titles if level == 1 else document.deep
            found.append((heading[2], number))
            if found is document.titles and len(found) == 1:
                continue
        if section is None:
            document.preamble.append((line, number))
        else:
            section.lines.append(line)
            if code:
                section.fenced = True
    return document


def without_code(section: FileSection) -> Iterable[tuple[int, str]]:
    """The lines of a section that stand outside code fences, behind their number in the file."""
    if not section.fenced:
        return enumerate(section.lines, section.line + 1)
    marked = _marked("\n".join(section.lines))
    return ((section.line + number, line) for number, line, code in marked if not code)


def _marked(text: str) -> Iterable[tuple[int, str, bool]]:
    """Each line with its number and whether it belongs to a code fence (its markers included)."""
    lines = text.split("\n")
    if "```" in text or "~~~" in text:
        return _marked_fences(lines)
    return zip(range(1, len(lines) + 1), lines, repeat(False))


def _marked_fences(lines: list[str]) -> Iterator[tuple[int, str, bool]]:
    fence = ""
    for number, line in enumerate(lines, 1):
        marker = _FENCE.fullmatch(line) if "```" in line or "~~~" in line else None
        if fence:
            yield number, line, True
            if (
                marker
                and marker[1][0] == fence[0]
                and len(marker[1]) >= len(fence)
                and not marker[2].strip()
            ):
                fence = ""
        elif marker and not (marker[1][0] == "`" and "`" in marker[2]):
            fence = marker[1]
            yield number, line, True
        else:
            yield number, line, False


def unfenced(body: str) -> tuple[str, int]:
    """The content of a body that is one fenced block, or itself; and the lines cut before it."""
    lines = body.split("\n")
    opening = _FENCE.fullmatch(lines[0])
    if opening is None:
        return body, 0
    closing = _FENCE.fullmatch(lines[-1])
    end = -1 if len(lines) > 1 and closing and closing[1].startswith(opening[1]) else len(lines)
    return "\n".join(lines[1:end]), 1
