"""Cuts a tool file into its title and `##` sections, minding fenced code; names their problems."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from bot.errors import DefinitionError


@dataclass(frozen=True)
class ToolProblem:
    """A problem of a tool file. `line` is 0 when it concerns the whole file."""

    path: Path
    line: int
    message: str
    warning: bool = False

    def __str__(self) -> str:
        where = f"{self.path}, line {self.line}" if self.line else str(self.path)
        return f"{where}: {self.message}"


class ToolFileError(DefinitionError):
    """A DefinitionError that knows its line."""

    def __init__(self, problem: ToolProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem


_HEADING = re.compile(r" {0,3}(#{1,6})(?!#)[ \t]*(\S.*?)(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_NONE = frozenset[int]()


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
    lines = text.split("\n")
    code = _code(text, lines)
    titles: list[tuple[str, int]] = []
    sections: list[FileSection] = []
    deep: list[tuple[str, int]] = []
    for at in [at for at, line in enumerate(lines) if "#" in line]:
        if at in code or (heading := _heading(lines[at])) is None:
            continue
        level, title = heading
        if level == 2:
            sections.append(FileSection(title, at + 1, []))
        else:
            (titles if level == 1 else deep).append((title, at + 1))
    named = titles[0][1] if titles else 0
    ends = [*(section.line - 1 for section in sections), len(lines)]
    preamble = [(line, at) for at, line in enumerate(lines[: ends[0]], 1) if at != named]
    for section, end in zip(sections, ends[1:], strict=True):
        section.lines = lines[section.line : end]
        if section.line < named <= end:
            del section.lines[named - section.line - 1]
        section.fenced = bool(code) and not code.isdisjoint(range(section.line, end))
    return Document(titles, sections, deep, preamble, "allowed" in text.lower())


@lru_cache(maxsize=256)
def _heading(line: str) -> tuple[int, str] | None:
    """The level and the title of a heading; None for any other line."""
    heading = _HEADING.fullmatch(line)
    return None if heading is None else (len(heading[1]), heading[2])


def without_code(section: FileSection) -> Iterable[tuple[int, str]]:
    """The lines of a section that stand outside code fences, behind their number in the file."""
    if not section.fenced:
        return enumerate(section.lines, section.line + 1)
    code = _code("\n".join(section.lines), section.lines)
    numbered = enumerate(section.lines)
    return ((section.line + 1 + at, line) for at, line in numbered if at not in code)


def _code(text: str, lines: list[str]) -> frozenset[int]:
    """The positions of the lines that belong to a code fence, its markers included."""
    return frozenset(_fenced(lines)) if "```" in text or "~~~" in text else _NONE


def _fenced(lines: list[str]) -> Iterator[int]:
    fence = ""
    for at, line in enumerate(lines):
        marker = _FENCE.fullmatch(line) if "```" in line or "~~~" in line else None
        if fence:
            yield at
            if (
                marker
                and marker[1][0] == fence[0]
                and len(marker[1]) >= len(fence)
                and not marker[2].strip()
            ):
                fence = ""
        elif marker and not (marker[1][0] == "`" and "`" in marker[2]):
            fence = marker[1]
            yield at


def unfenced(body: str) -> tuple[str, int]:
    """The content of a body that is one fenced block, or itself; and the lines cut before it."""
    if "```" not in body and "~~~" not in body:
        return body, 0
    lines = body.split("\n")
    opening = _FENCE.fullmatch(lines[0])
    if opening is None:
        return body, 0
    closing = _FENCE.fullmatch(lines[-1])
    end = -1 if len(lines) > 1 and closing and closing[1].startswith(opening[1]) else len(lines)
    return "\n".join(lines[1:end]), 1
