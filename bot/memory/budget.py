"""Selects the entries for a prompt when not all fit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from bot.domain.memory import MemoryEntry


@dataclass(frozen=True)
class Fitted:
    """The part of a tier that fits: `lines` by importance, their entries, the number left out."""

    lines: tuple[str, ...]
    entries: tuple[MemoryEntry, ...]
    left_out: int


def by_importance(entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """Significance 4 and 5 first, then 3, then 1 and 2; within a band the newest first.

    On one day the more significant entry comes first, then the one further down in the file. An
    entry without a date counts as oldest.
    """
    newest_first = list(enumerate(entries))
    newest_first.sort(key=lambda numbered: _rank(*numbered), reverse=True)
    return [entry for _, entry in newest_first]


def _rank(position: int, entry: MemoryEntry) -> tuple[int, date, int, int]:
    band = 3 if entry.significance >= 4 else 2 if entry.significance == 3 else 1
    return band, entry.day or date.min, entry.significance, position


def fit(entries: Sequence[MemoryEntry], room: int, line_of: Callable[[MemoryEntry], str]) -> Fitted:
    """Take whole entries by importance while their lines (with line feeds) fit into `room`.

    `room` counts characters. An entry that doesn't fit is skipped for smaller ones after it. Only
    the most important entry is ever cut, and only if it is larger than the whole room.
    """
    lines: list[str] = []
    taken: list[MemoryEntry] = []
    left = room
    for entry in by_importance(entries):
        line = line_of(entry)
        if not taken and room > 1 and len(line) + 1 > room:
            line = f"{line[: room - 2]}…"
            lines, taken, left = [line], [entry], 0
            break
        if len(line) + 1 <= left:
            lines.append(line)
            taken.append(entry)
            left -= len(line) + 1
    return Fitted(tuple(lines), tuple(taken), len(entries) - len(taken))
