"""Embeddings of document parts: kept in the database, compared in two steps.

The sign of each value gives a signature of one bit per dimension. Comparing the signatures of
10,000 parts takes a few milliseconds; then the best are compared by their whole vectors.
"""

import asyncio
import heapq
import logging
import math
from array import array
from collections.abc import Mapping, Sequence
from operator import itemgetter, mul

from bot.domain.database import Database
from bot.domain.memory import Embedder
from bot.errors import EmbedderError
from bot.knowledge.vectors_store import Unmade, VectorRows
from bot.lazy_dataclass import dataclass

log = logging.getLogger(__name__)

AT_ONCE = 32
"""Texts of one request to the embedder, and of one unit."""


@dataclass(frozen=True)
class Compared:
    """Cosines by part, for those that came near; `pending` parts have no vector yet."""

    cosines: Mapping[int, float]
    pending: int


class DocumentVectors:
    """Makes, keeps and compares vectors.

    Made ones survive the process, so what was cut off goes on where it was.
    """

    def __init__(self, database: Database, embedder: Embedder, model: str, wait_s: float) -> None:
        """`model` names what made a vector; those of another are made anew.

        `wait_s`: for one question.
        """
        self._rows = VectorRows(database, model)
        self._embedder = embedder
        self._wait_s = wait_s
        self._signatures: dict[int, int] | None = None
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
            signatures = await self._loaded()
            parts = [one.part for one in unmade]
            await self._rows.keep(parts, vectors, length := lengths.pop())
            self._require_length(signatures, length)
            signatures.update(zip(parts, map(_signature, vectors), strict=True))
            return len(unmade)

    async def near(
        self, query: str, among: frozenset[int], also: Sequence[int], limit: int
    ) -> Compared | None:
        """Cosines of the question and the nearest `limit` parts of `among`, and those in `also`.

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
        signatures = await self._loaded()
        if len(asked) != self._dimensions:
            await self._rows.drop_other_lengths(len(asked))
            self._require_length(signatures, len(asked))
        nearest = await asyncio.to_thread(
            _nearest, _signature(asked), dict(signatures), among, limit
        )
        vectors = await self._rows.of([*nearest, *also])
        return Compared(await asyncio.to_thread(_cosines, asked, vectors), await self.pending())

    async def _loaded(self) -> dict[int, int]:
        """The signatures of all parts with a vector of this model: read once, then kept current."""
        if self._signatures is None:
            vectors = await self._rows.all()
            found = await asyncio.to_thread(
                lambda: {part: _signature(one) for part, one in vectors.items()}
            )
            if self._signatures is None:  # nobody else was faster
                self._signatures = found
                self._dimensions = len(next(iter(vectors.values()), ()))
        return self._signatures

    def _require_length(self, signatures: dict[int, int], length: int) -> None:
        """Forget signatures of another length."""
        if length != self._dimensions:
            signatures.clear()
            self._dimensions = length


def unit_vector(vector: Sequence[float]) -> "array[float]":
    """In the same direction, of length 1."""
    length = math.hypot(*vector)
    return array("f", (value / length for value in vector) if length else vector)


def _told(part: Unmade) -> str:
    """A part as the embedder reads it: what it stands in tells half of what it means."""
    return f"{part.document}, {part.place}\n{part.text}"


def _signature(vector: Sequence[float]) -> int:
    return int("".join("1" if value > 0 else "0" for value in vector) or "0", 2)


def _nearest(
    asked: int, signatures: Mapping[int, int], among: frozenset[int], limit: int
) -> list[int]:
    distances = (
        (part, (asked ^ one).bit_count()) for part, one in signatures.items() if part in among
    )
    return [part for part, _ in heapq.nsmallest(limit, distances, key=itemgetter(1))]


def _cosines(asked: "array[float]", vectors: Mapping[int, "array[float]"]) -> dict[int, float]:
    return {
        part: sum(map(mul, asked, vector))
        for part, vector in vectors.items()
        if len(vector) == len(asked)
    }
