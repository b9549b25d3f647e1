"""Searches the program's own log files without an index, newest lines first."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from bot.plugin.folders import log_files
from bot.plugin.tables import StemmedQuery, indexed

LOGS = "logs"
"""The name of this collection."""
MOST_BYTES = 16 * 1024 * 1024
"""The bytes at the end of each file that are searched."""
_AROUND = 2
"""Lines that are shown before and after one that fits."""
_LINE_CHARS = 500


@dataclass(frozen=True)
class LogLines:
    """Some lines in a row.

    `place` names the file and the first of them, counted from its end where it is large.
    """

    place: str
    text: str
    score: float


class LogSearch:
    """Reads the files of one home at each search. Lines are redacted when they are written."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def exists(self) -> bool:
        return bool(log_files(self._data))

    async def find(self, query: str, limit: int) -> list[LogLines]:
        """Lines that hold most of the words, the newest first among equals.

        A file that goes meanwhile has none.
        """
        return await asyncio.to_thread(self._find, query, limit)

    def _find(self, query: str, limit: int) -> list[LogLines]:
        words = [word.casefold() for word in query.split()]
        forms = StemmedQuery.of(query).forms
        found = list(
            chain.from_iterable(_fitting(one, words, forms) for one in log_files(self._data))
        )
        best = sorted(found, key=lambda one: -one.score)  # stable: the newest first among equals
        return best[:limit]


def _fitting(path: Path, words: Sequence[str], forms: frozenset[str]) -> Iterator[LogLines]:
    lines = _lines(path)
    shown = len(lines)
    for at in range(len(lines) - 1, -1, -1):
        if at >= shown:
            continue
        folded = lines[at].casefold()
        # Looking for the plain words is quick; stemming every line would take seconds.
        held = sum(word in folded for word in words)
        if not held:
            continue
        exact = len(forms & set(indexed(lines[at]).split())) if len(words) > 1 else 0
        first, last = max(0, at - _AROUND), min(shown, at + _AROUND + 1)
        text = "\n".join(line[:_LINE_CHARS] for line in lines[first:last])
        score = round(min(1.0, (held + 0.1 * exact) / (1.1 * len(words))), 3)
        yield LogLines(f"{path.name}, lines {first + 1}-{last}", text, score)
        shown = first


def _lines(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - MOST_BYTES))
            return file.read(MOST_BYTES).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []
