"""The vectors of parts of documents: all SQL of `document_vectors`."""

import json
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.database import Database, Unit, Write

_PENDING = (
    "SELECT {what} FROM document_parts AS p JOIN collected_documents AS d ON d.seq = p.document"
    " LEFT JOIN document_vectors AS v ON v.part = p.id WHERE v.part IS NULL OR v.model <> ?"
)
# A part that was removed meanwhile gets none.
_PUT = (
    "INSERT INTO document_vectors (part, model, dimensions, vector) SELECT id, ?, ?, ? FROM "
    "document_parts WHERE id = ?"
    " ON CONFLICT (part) DO UPDATE SET model = excluded.model, dimensions = excluded.dimensions,"
    " vector = excluded.vector"
)


@dataclass(frozen=True)
class Unmade:
    """A part without a vector of this model, with what it stands in."""

    part: int
    document: str
    """The id of its document."""
    name: str
    """That of its document."""
    place: str
    text: str


class VectorRows:
    """Vectors that one model made."""

    def __init__(self, database: Database, model: str) -> None:
        self._database = database
        self._model = model

    async def pending(self) -> int:
        row = await self._database.read_one(_PENDING.format(what="count(*) AS n"), (self._model,))
        return int(row["n"]) if row else 0

    async def unmade(self, limit: int) -> list[Unmade]:
        sql = _PENDING.format(what="p.id AS part, d.id, d.name, p.place, p.text") + " LIMIT ?"
        rows = await self._database.read(sql, (self._model, limit))
        return [
            Unmade(row["part"], row["id"], row["name"], row["place"], row["text"]) for row in rows
        ]

    async def keep(
        self, parts: Sequence[int], vectors: Sequence["array[float]"], dimensions: int
    ) -> None:
        """Store vectors of length `dimensions`; those of another length go."""
        puts = [
            Write(_PUT, (self._model, dimensions, _packed(vector), part))
            for part, vector in zip(parts, vectors, strict=True)
        ]
        await self._database.write(Unit((self._of_other_lengths(dimensions), *puts)))

    async def drop_other_lengths(self, dimensions: int) -> None:
        await self._database.write(Unit.of(self._of_other_lengths(dimensions)))

    async def of_documents(self, ids: Sequence[str]) -> list[tuple[str, int, "array[float]"]]:
        """The id of a document, one of its parts, and that part's vector."""
        rows = await self._database.read(
            "SELECT d.id, v.part, v.vector FROM json_each(?) AS wanted JOIN collected_documents AS"
            " d ON d.id = wanted.value JOIN document_parts AS p ON p.document = d.seq"
            " JOIN document_vectors AS v ON v.part = p.id WHERE v.model = ?",
            (json.dumps(list(ids)), self._model),
        )
        return [(row["id"], row["part"], _unpacked(row["vector"])) for row in rows]

    async def of(self, parts: Sequence[int]) -> dict[int, "array[float]"]:
        rows = await self._database.read(
            (
                "SELECT part, vector FROM document_vectors WHERE model = ? AND part IN (SELECT "
                "CAST(value AS BIGINT) FROM json_each(?))"
            ),
            (self._model, json.dumps(list(parts))),
        )
        return {row["part"]: _unpacked(row["vector"]) for row in rows}

    def _of_other_lengths(self, dimensions: int) -> Write:
        """Drop vectors of other dimensions: another model now answers under the same name."""
        return Write(
            "DELETE FROM document_vectors WHERE dimensions <> ? AND model = ?",
            (dimensions, self._model),
        )


def _packed(vector: "array[float]") -> bytes:
    return _little_endian(vector).tobytes()


def _unpacked(data: bytes) -> "array[float]":
    return _little_endian(array("f", data))


def _little_endian(vector: "array[float]") -> "array[float]":
    if sys.byteorder == "big":
        vector = array("f", vector)
        vector.byteswap()
    return vector
