"""Tidies a tier: weighs entries, merges duplicates, updates them, and fits the budget."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from bot.domain.memory import MemoryEntry
from bot.domain.places import Reach
from bot.memory.entries import (
    Block,
    clean,
    entry_block,
    format_tier,
    parse_entries,
    parse_tier,
    weighed,
)
from bot.memory.hydrate import fit

BY_HAND = 3
"""Significance of a bullet without a tag: handwritten, to last months rather than days."""
NEAR = 0.8
"""The least share of common words for two entries to say the same."""
_EDGES = ".,;:!?\"'()[]{}<>«»“”„`*_"
_LINE_ENDS = re.compile(r"[.!?;,:\s]+$")


@dataclass(frozen=True)
class Reflected:
    """A tier after reflection: the file, and the entries moved to the archive."""

    text: str
    archived: tuple[MemoryEntry, ...] = ()
    merged: int = 0
    """Entries with the same meaning as another one."""


def reflect(text: str, room: int, line_of: Callable[[MemoryEntry], str], today: date) -> Reflected:
    """Reflect on a tier file.

    Unchanged entries stay the same, byte for byte; a second pass changes nothing.

    `room`: characters that the lines of all entries may take; 0 leaves the tier as large as it is.
    """
    blocks = [weighed(block, BY_HAND) for block in parse_tier(text)]
    merged = _Merged()
    for position in _newest_first(blocks):
        merged.take(position, blocks[position])
    kept = merged.kept
    moved = _over_budget(kept, room, line_of)
    left = {position: block for position, block in kept.items() if position not in moved}
    after = [
        left.get(n, block) for n, block in enumerate(blocks) if block.entry is None or n in left
    ]
    archived = (
        *(replace(entry, superseded=today) for entry in merged.superseded),
        *(entry for position in sorted(moved) if (entry := kept[position].entry) is not None),
    )
    written = format_tier(after)
    if parse_entries(written) != tuple(block.entry for block in after if block.entry is not None):
        # Removing pieces would change the meaning of others, as with an open comment.
        return Reflected(text)
    return Reflected(written, archived, merged.gone)


def _newest_first(blocks: Sequence[Block]) -> list[int]:
    """Positions of entries; on one day, an entry further down is newer."""
    dated = [
        (block.entry.day or date.min, n)
        for n, block in enumerate(blocks)
        if block.entry is not None
    ]
    return [n for _, n in sorted(dated, reverse=True)]


@dataclass
class _Merged:
    """Entries so far, each meaning once; they are taken newest first."""

    kept: dict[int, Block] = field(default_factory=dict[int, Block])
    superseded: list[MemoryEntry] = field(default_factory=list[MemoryEntry])
    gone: int = 0
    _words: dict[int, "EntryWords"] = field(default_factory=dict[int, "EntryWords"])

    def take(self, position: int, block: Block) -> None:
        entry = block.entry
        if entry is None:
            return
        words = EntryWords.of(entry.text)
        for other, there in list(self.kept.items()):
            newer = there.entry
            if newer is None or not self._same(words, entry, self._words[other], newer):
                continue
            self.gone += 1
            if not _covers(newer, entry):
                del self.kept[other], self._words[other]
                continue
            if self._words[other].normal != words.normal:
                self.superseded.append(entry)
            if _is_alike(entry, newer) and entry.significance > newer.significance:
                self.kept[other] = entry_block(
                    clean(replace(newer, significance=entry.significance))
                )
            return
        self.kept[position], self._words[position] = block, words

    @staticmethod
    def _same(
        words: "EntryWords", entry: MemoryEntry, others: "EntryWords", other: MemoryEntry
    ) -> bool:
        if words.normal == others.normal:
            return _covers(entry, other) or _covers(other, entry)
        return _is_alike(entry, other) and words.near(others)


def _is_alike(one: MemoryEntry, other: MemoryEntry) -> bool:
    """Whether both are for the same people, as long as the channels of both are public."""
    same = one.learned == other.learned or not (one.private or other.private)
    return same and (one.trust, one.workspace) == (other.trust, other.workspace)


def _covers(one: MemoryEntry, other: MemoryEntry) -> bool:
    """Whether one is shown to everybody who sees the other, and is trusted as much."""
    widths = (Reach.DM, Reach.PRIVATE, Reach.PUBLIC)
    wider = (
        widths.index(one.learned.reach) > widths.index(other.learned.reach)
        or one.learned == other.learned
        or not (one.private or other.private)
    )
    return wider and one.trust <= other.trust and one.workspace in {"", other.workspace}


@dataclass(frozen=True)
class EntryWords:
    """A text in its form for comparisons."""

    normal: str
    """Without case, white space and the full stop at the end."""
    tokens: frozenset[str]
    telling: frozenset[str]
    """Names and numbers: texts with different ones are about different things."""

    @classmethod
    def of(cls, text: str) -> "EntryWords":
        plain = unicodedata.normalize("NFKC", text)
        parts = [part for word in plain.split() if (part := word.strip(_EDGES))]
        telling = {
            part.casefold()
            for n, part in enumerate(parts)
            if any(one.isdigit() for one in part) or (n and part[0].isupper())
        }
        normal = _LINE_ENDS.sub("", " ".join(plain.split())).casefold()
        return cls(
            normal or plain, frozenset(part.casefold() for part in parts), frozenset(telling)
        )

    def near(self, other: "EntryWords") -> bool:
        """Whether both say the same in nearly the same words. Other names or numbers: no.

        `Room 12 closes at six` and `Room 13 closes at six` share most words and are two things.
        """
        few, many = sorted((len(self.tokens), len(other.tokens)))
        if not many or few / many < NEAR or self.telling != other.telling:
            return False
        return len(self.tokens & other.tokens) / len(self.tokens | other.tokens) >= NEAR


def _over_budget(
    kept: dict[int, Block], room: int, line_of: Callable[[MemoryEntry], str]
) -> set[int]:
    """Positions of the least important entries, for which there is no room.

    What comes from outside enters no prompt, so it takes no room from the rest.
    """
    if room <= 0:
        return set()
    positions = sorted(kept)
    entries = [entry for n in positions if (entry := kept[n].entry) is not None]
    parts = (
        [one for one in entries if not one.untrusted],
        [one for one in entries if one.untrusted],
    )
    fitting = {id(entry) for part in parts for entry in fit(part, room, line_of).entries}
    return {n for n, entry in zip(positions, entries, strict=True) if id(entry) not in fitting}
