"""Finds parts of documents: by words first, plus a bounded score for meaning if configured."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.access import Person
from bot.domain.privacy import Viewer
from bot.knowledge.store import CollectedPart, DocumentRows, OpenDocuments
from bot.knowledge.vectors import Compared, DocumentVectors
from bot.storage.stems import StemmedQuery

CANDIDATES = 100
"""How many parts are scored, of those that share most words and of the nearest in meaning."""
MEANING = 0.4
"""The most that meaning adds to a score of words from 0 to 1."""
ALIKE = 0.3
"""From this cosine on, two texts are about the same thing for an embedder."""
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
        found = (
            await self._rows.match(seen, " OR ".join(words.groups), CANDIDATES)
            if words and seen.count
            else []
        )
        how, compared = await self._compared(query, seen, [part.id for part in found])
        if compared is not None:
            known = {part.id for part in found}
            further = [part for part in compared.cosines if part not in known]
            found = [*found, *(await self._rows.among(seen, further))]
        scored = await asyncio.to_thread(_scored, words, found, compared)
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
    words: StemmedQuery, parts: Sequence[CollectedPart], compared: Compared | None
) -> list[ScoredPart]:
    """Scores from 0 to 1 by relevance and matched words; meaning adds up to MEANING."""
    best = max((part.relevance for part in parts), default=0.0) or 1.0
    bound = 1 + MEANING if compared is not None else 1.0
    scored: list[ScoredPart] = []
    for part in parts:
        score = _covered(words, part) * part.relevance / best if part.relevance > 0 else 0.0
        if compared is not None:
            score += MEANING * max(0.0, compared.cosines.get(part.id, 0.0) - ALIKE) / (1 - ALIKE)
        if score > 0:
            scored.append(ScoredPart(part, round(score / bound, 3)))
    return sorted(scored, key=lambda one: -one.score)


def _covered(words: StemmedQuery, part: CollectedPart) -> float:
    """From 0.5 to 1: how many of the query's words the part has, with its name and heading."""
    found = sum(
        any(form.strip('"*') in part.held for form in group.strip("()").split(" OR "))
        for group in words.groups
    )
    return 0.5 + 0.5 * found / len(words.groups) if words.groups else 0.0
