"""Finds parts of documents: by words first, plus a bounded score for meaning if configured.

The program's own log files are searched without an index, newest lines first.
"""

import asyncio
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import fmean

from bot.plugin.folders import log_files
from bot.plugin.tables import StemmedQuery, indexed
from bot.plugin.tools import Person, Viewer
from bot.plugins.collections.store import (
    AROUND_WEIGHT,
    CollectedPart,
    DocumentRows,
    OpenDocuments,
)
from bot.plugins.collections.vectors import Compared, DocumentVectors

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


CANDIDATES = 100
"""How many parts are scored, of those that share most words and of the nearest in meaning."""
MEANING = 0.4
"""The most that meaning adds to a score of words from 0 to 1."""
ALIKE = 0.3
"""From this cosine on, two texts are about the same thing for an embedder."""
_K1, _B = 1.2, 0.75
"""The usual parameters of BM25, which the index has as well."""
WORDS_ALONE_NONE_SET = "by words alone: no embedder is set"
WORDS_ALONE_SILENT = "by words alone: the embedder did not answer"
BY_BOTH = "by words and meaning"


@dataclass(frozen=True)
class ScoredPart:
    """A part that fits, with a score from 0 to 1."""

    part: CollectedPart
    score: float


@dataclass(frozen=True)
class DocumentsFound:
    """The best parts.

    `how`: by what they were found; `left_out`: own documents that may not be shown here.
    """

    parts: Sequence[ScoredPart]
    how: str
    left_out: int = 0


class DocumentFinder:
    """Searches the documents that a person may see. Raises StorageError."""

    def __init__(self, rows: DocumentRows, vectors: DocumentVectors | None) -> None:
        self._rows = rows
        self._vectors = vectors

    async def find(
        self, person: Person, viewer: Viewer, query: str, limit: int, collection: str | None = None
    ) -> DocumentsFound:
        """The parts that fit best; of one collection where it is named."""
        seen = await self._rows.open_to(person, viewer, collection)
        words = await asyncio.to_thread(StemmedQuery.of, query)
        found: list[CollectedPart] = []
        rarity: dict[str, float] = {}
        if words and seen.count:
            found = await self._rows.match(seen, words.any_word, CANDIDATES)
            rarity = _rarity(words, await self._rows.holding(words.groups))
        how, compared = await self._compared(query, seen, [part.id for part in found])
        if compared is not None:
            known = {part.id for part in found}
            further = [part for part in compared.cosines if part not in known]
            found = [*found, *(await self._rows.among(seen, further))]
        scored = await asyncio.to_thread(_scored, rarity, found, compared)
        return DocumentsFound(scored[:limit], how, seen.left_out)

    async def _compared(
        self, query: str, seen: OpenDocuments, also: Sequence[int]
    ) -> tuple[str, Compared | None]:
        if self._vectors is None:
            return WORDS_ALONE_NONE_SET, None
        if not seen.count or not query.strip():
            return BY_BOTH, None
        compared = await self._vectors.near(
            query, await self._rows.parts_seen(seen), also, CANDIDATES
        )
        if compared is None:
            return WORDS_ALONE_SILENT, None
        waiting = (
            f"; {compared.pending:,} parts still wait for their meaning" if compared.pending else ""
        )
        return BY_BOTH + waiting, compared


def _scored(
    rarity: Mapping[str, float], parts: Sequence[CollectedPart], compared: Compared | None
) -> list[ScoredPart]:
    """Scores from 0 to 1 by relevance to the words; meaning adds up to MEANING."""
    relevant = _relevances(rarity, parts)
    best = max(relevant, default=0.0) or 1.0
    bound = 1 + MEANING if compared is not None else 1.0
    scored: list[ScoredPart] = []
    for part, relevance in zip(parts, relevant, strict=True):
        score = relevance / best
        if compared is not None:
            score += MEANING * max(0.0, compared.cosines.get(part.id, 0.0) - ALIKE) / (1 - ALIKE)
        if score > 0:
            scored.append(ScoredPart(part, round(score / bound, 3)))
    return sorted(scored, key=lambda one: -one.score)


def _rarity(words: StemmedQuery, holding: Sequence[int]) -> dict[str, float]:
    """How much each word of a query tells: the fewer parts hold it, the more."""
    *counts, parts = holding
    return {
        group: math.log(1 + (max(parts, held) - held + 0.5) / (held + 0.5))
        for group, held in zip(words.groups, counts, strict=True)
    }


def _relevances(rarity: Mapping[str, float], parts: Sequence[CollectedPart]) -> list[float]:
    """BM25 of each part, with each word once.

    The index counts each form of a word as a word. So one that five languages stem in three ways
    would weigh three times as much as another.
    """
    texts = [(part.words.split(), part.around.split()) for part in parts]
    usual = fmean([len(words) + len(around) for words, around in texts if words] or [1])
    found: list[float] = []
    for words, around in texts:
        counted = Counter([*words, *around * AROUND_WEIGHT])
        norm = _K1 * (1 - _B + _B * (len(words) + len(around)) / usual)
        often = {group: _often(group, counted) for group in rarity}
        found.append(
            sum(rare * often[group] / (often[group] + norm) for group, rare in rarity.items())
        )
    return found


def _often(group: str, counted: Counter[str]) -> int:
    """How often a text holds a word of a query: a group of `StemmedQuery`."""
    if group.endswith("*"):  # one Chinese character, which begins pairs
        begins = group.strip('"*')
        return sum(often for form, often in counted.items() if form.startswith(begins))
    return max(counted[form.strip('"')] for form in group.strip("()").split(" OR "))
