"""The log of the house, searched from its end. Its lines hold no secrets."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.plugin.views import LogRow, Looker, Rows
from bot.storage.log_files import log_files
from bot.views.sight import RowKind, may_see

PAGE = 200
MOST_BYTES = 4 * 2**20
"""Read for one page; the next page goes on there."""
BLOCK = 64 * 1024
LINE_CHARS = 2_000
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


@dataclass(frozen=True)
class HouseLog:
    """Implements `bot.plugin.views.ShowsLog`."""

    data: Path
    """Where the log files lie."""

    async def search(
        self, who: Looker, words: str, level: str, *, behind: str = ""
    ) -> Rows[LogRow]:
        if not may_see(who, RowKind.HOUSE):
            return Rows()
        wanted = [word.casefold() for word in words.split()]
        least = LEVELS.index(level) if level in LEVELS else 0
        return await asyncio.to_thread(_search, self.data, wanted, least, behind)


def _search(data: Path, words: Sequence[str], least: int, behind: str) -> Rows[LogRow]:
    """`behind`: `<file>:<byte>`, as the page before gave it. Blocking."""
    name, _, at = behind.rpartition(":")
    found: list[LogRow] = []
    looked = 0
    files = log_files(data)
    names = [one.name for one in files]
    for path in files[names.index(name) if name in names else 0 :]:
        end = int(at) if path.name == name and at.isdigit() and len(at) < 16 else None
        for begin, line in _backwards(path, end):
            looked += len(line) + 1
            level = _level(line)
            folded = line.casefold()
            if LEVELS.index(level) >= least and all(word in folded for word in words):
                found.append(LogRow(line[:LINE_CHARS], level))
            if len(found) >= PAGE or looked >= MOST_BYTES:
                return Rows(found, f"{path.name}:{begin}")
    return Rows(found)


def _level(line: str) -> str:
    """As both formats of the log write it near the beginning of the line; else INFO."""
    head = line[:120]
    return next((one for one in reversed(LEVELS) if one in head), "INFO")


def _backwards(path: Path, end: int | None) -> Iterator[tuple[int, str]]:
    """The lines of a file before a byte, the last one first, each with where it begins."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:  # it turned over meanwhile
        return
    with os.fdopen(descriptor, "rb") as file:
        at = file.seek(0, os.SEEK_END)
        at = at if end is None else min(at, end)
        rest = b""
        while at:
            size = min(BLOCK, at)
            at -= size
            file.seek(at)
            first, *lines = (file.read(size) + rest).split(b"\n")
            place = at + len(first) + 1
            starts: list[tuple[int, bytes]] = []
            for line in lines:
                starts.append((place, line))
                place += len(line) + 1
            yield from ((begin, _text(line)) for begin, line in reversed(starts) if line)
            rest = first
        if rest:
            yield 0, _text(rest)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")
