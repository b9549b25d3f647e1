"""Embeddings of document parts: kept in the database, compared in two steps.

The sign of each value gives a signature of one bit per dimension. Comparing the signatures of
10,000 parts takes a few milliseconds; then the best are compared by their whole vectors.
"""

import asyncio
import heapq
import logging
from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import TypeAlias

from bot.plugin.meaning import EMBEDDER_WAIT_S, EmbedderError, VectorModel, unit_vector
from bot.plugin.tables import Database
from bot.plugins.collections.store import Unmade, VectorRows

log = logging.getLogger(__name__)

Signatures: TypeAlias = defaultdict[str, dict[int, int]]
"""By a document's id and a part's."""
AT_ONCE = 32
"""Texts of one request to the embedder, and of one unit."""


@dataclass(frozen=True)
class Compared:
    """Cosines by part, for those that came near; `pending` parts have no vector so far."""

    cosines: Mapping[int, float]
    pending: int


class DocumentVectors:
    """Makes, keeps and compares vectors.

    Made ones survive the process, so what was cut off goes on where it was.
    """

    def __init__(
        self, database: Database, model: VectorModel, wait_s: float = EMBEDDER_WAIT_S
    ) -> None:
        """Vectors of another model are made anew. `wait_s`: for one question."""
        self._rows = VectorRows(database, model.name)
        self._embedder = model.embedder
        self._wait_s = wait_s
        self._signatures: Signatures = defaultdict(dict)
        self._dimensions = 0
        self._one_at_a_time = asyncio.Lock()

    async def pending(self) -> int:
        """How many parts wait for their vector."""
        return await self._rows.pending()

    async def embed_some(self) -> int:
        """Make the vectors of some parts; says of how many. Raises EmbedderError, StorageError."""
        async with self._one_at_a_time:
            unmade = await self._rows.unmade(AT_ONCE)
            if not unmade:
                return 0
            vectors = [
                unit_vector(one)
                for one in await self._embedder.embed([_told(one) for one in unmade])
            ]
            lengths = {len(one) for one in vectors}
            if len(vectors) != len(unmade) or len(lengths) != 1 or 0 in lengths:
                raise EmbedderError(
                    "memory.embedder: its embeddings differ in number or length from what was asked"
                )
            await self._rows.keep([one.part for one in unmade], vectors, length := lengths.pop())
            self._require_length(length)
            for one, vector in zip(unmade, vectors, strict=True):
                self._signatures[one.document][one.part] = _signature(vector)
            return len(unmade)

    async def near(
        self, query: str, documents: Mapping[str, int], also: Sequence[int], limit: int
    ) -> Compared | None:
        """Cosines of the question with the parts in `also`, and the nearest `limit` of `documents`.

        `documents`: their numbers of parts by id. A part that was removed meanwhile may be among
        the nearest.
        None if the embedder did not answer in time. Raises StorageError.
        """
        try:
            async with asyncio.timeout(self._wait_s):
                asked = unit_vector((await self._embedder.embed([query]))[0])
        except (EmbedderError, TimeoutError, IndexError) as error:
            log.warning(
                "reason=<%s> | searched documents by words alone",
                str(error) or f"{self._wait_s:g} s are over",
            )
            return None
        await self._read_on(documents)
        if len(asked) != self._dimensions:
            await self._rows.drop_other_lengths(len(asked))
            self._require_length(len(asked))
        held = [list(self._signatures[id_].items()) for id_ in documents if id_ in self._signatures]
        nearest = await asyncio.to_thread(_nearest, _signature(asked), held, limit)
        vectors = await self._rows.of([*nearest, *also])
        pending = sum(documents.values()) - sum(map(len, held))
        return Compared(await asyncio.to_thread(_cosines, asked, vectors), pending)

    async def _read_on(self, documents: Mapping[str, int]) -> None:
        """Read the vectors of earlier processes, and those that another process makes meanwhile."""
        lacking = [
            id_ for id_, parts in documents.items() if len(self._signatures.get(id_, ())) < parts
        ]
        if lacking and (vectors := await self._rows.of_documents(lacking)):
            found = await asyncio.to_thread(_by_document, vectors)
            self._require_length(len(vectors[0][2]))
            for id_, signatures in found.items():
                self._signatures[id_].update(signatures)

    def _require_length(self, length: int) -> None:
        """Forget signatures of another length."""
        if length != self._dimensions:
            self._signatures.clear()
            self._dimensions = length


def _told(part: Unmade) -> str:
    """A part as the embedder reads it: what it stands in tells half of what it means."""
    return f"{part.name}, {part.place}\n{part.text}"


def _signature(vector: Sequence[float]) -> int:
    return int("".join("1" if value > 0 else "0" for value in vector) or "0", 2)


def _by_document(vectors: Sequence[tuple[str, int, "array[float]"]]) -> Signatures:
    found: Signatures = defaultdict(dict)
    for document, part, vector in vectors:
        found[document][part] = _signature(vector)
    return found


def _nearest(asked: int, signatures: Sequence[Sequence[tuple[int, int]]], limit: int) -> list[int]:
    distances = [
        ((asked ^ one).bit_count(), part) for document in signatures for part, one in document
    ]
    return [part for _, part in heapq.nsmallest(limit, distances)]


def _cosines(asked: "array[float]", vectors: Mapping[int, "array[float]"]) -> dict[int, float]:
    return {
        part: sum(map(mul, asked, vector))
        for part, vector in vectors.items()
        if len(vector) == len(asked)
    }
