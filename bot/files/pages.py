"""Cuts a long text into pages of whole lines for a model."""

from dataclasses import dataclass
from itertools import accumulate

PAGE_CHARS = 15_800
"""The default size of a page; with its header it fits a tool's result."""
HEADER_CHARS = 200
"""The longest header that a page has."""


@dataclass(frozen=True)
class TextPage:
    text: str
    first: int
    """Number of the first line, counted from 1."""
    last: int
    total: int
    """Lines of the whole text."""
    cut: int = 0
    """Length at which this page's only line was cut, because it is longer than a page."""
    skipped: int = 0
    """How many characters of the first line come before this page."""

    @property
    def whole(self) -> bool:
        return self.first == 1 and self.last == self.total and not self.cut and not self.skipped

    @property
    def header(self) -> str:
        """Which lines of how many, and how to go on."""
        shown = f"lines {self.first}-{self.last} of {self.total}"
        if self.skipped:
            shown += f", the first without {self.skipped} characters"
        if self.cut:
            shown += (
                f", the last one cut after {self.cut} characters (rest: offset {self.last}, skip "
                f"{self.cut})"
            )
        return (
            f"[{shown}; go on with offset {self.last + 1}]"
            if self.last < self.total
            else f"[{shown}]"
        )


def page_of(
    text: str,
    offset: int | None = None,
    limit: int | None = None,
    chars: int = PAGE_CHARS,
    skip: int = 0,
) -> TextPage | None:
    """Lines from `offset` (1-based), at most `limit` and `chars` characters; None past the end.

    `skip` leaves out characters of the first line, so that a line longer than a page can be read
    on.
    """
    lines = _lines(text)
    first = offset or 1
    if first > max(len(lines), 1):
        return None
    wanted = lines[first - 1 : None if limit is None else first - 1 + limit]
    if skip:
        if not wanted or skip >= len(wanted[0]):
            return None
        wanted[0] = wanted[0][skip:]
    ends = list(accumulate(len(line) for line in wanted))
    count = sum(end <= chars for end in ends)
    if wanted and count == 0:
        return TextPage(wanted[0][:chars], first, first, len(lines), cut=skip + chars, skipped=skip)
    return TextPage("".join(wanted[:count]), first, first + count - 1, len(lines), skipped=skip)


def _lines(text: str) -> list[str]:
    """Lines end at line feeds only, so that offsets agree with every editor."""
    pieces = text.split("\n")
    lines = [f"{piece}\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines
