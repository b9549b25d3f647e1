"""All SQL of collections, their documents, and the vectors of parts of these."""

import json
import sys
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from bot.plugin.files import Chunk
from bot.plugin.tables import (
    Database,
    Row,
    Unit,
    Write,
    indexed,
    insert_into,
    made_of,
    read_number,
    row_of,
    taken_in,
)
from bot.plugin.tools import CLOSED, Access, Learned, Origin, Person, Viewer

_PENDING = (
    "SELECT {what} FROM document_parts AS p JOIN collected_documents AS d ON d.seq = p.document"
    " LEFT JOIN document_vectors AS v ON v.part = p.id WHERE v.part IS NULL OR v.model <> ?"
)
# A part that was removed meanwhile gets none.
_PUT = (
    "INSERT INTO document_vectors (part, model, dimensions, vector) SELECT id, ?, ?, ? FROM "
    "document_parts WHERE id = ? ON CONFLICT (part) DO UPDATE SET model = excluded.model, "
    "dimensions = excluded.dimensions, vector = excluded.vector"
)


@dataclass(frozen=True)
class Collection:
    """Documents under one name; `roles` as a tool file's Access has them.

    What can't be read is open to nobody.
    """

    name: str
    roles: str
    documents: int = 0
    parts: int = 0

    @property
    def access(self) -> Access:
        try:
            return Access.parse(self.roles)
        except ValueError:
            return CLOSED


@dataclass(frozen=True)
class CollectedDocument:
    """A document of a collection. `owner`: who added it; empty for what an operator added."""

    id: str
    collection: str
    owner: str
    name: str
    source: str
    digest: str
    added_at: str
    learned: Learned
    origin: Origin
    parts: int = 0

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return made_of(cls, row, learned=Learned.of(row), origin=Origin.parse(row["origin"]))


@dataclass(frozen=True)
class CollectedPart:
    """A part and its document."""

    id: int
    document: CollectedDocument
    place: str
    text: str
    words: str = ""
    """Its words in all their forms (`indexed`), if it was found by words."""
    around: str = ""
    """Those of its name and heading."""


@dataclass(frozen=True)
class OpenDocuments:
    """Which documents somebody may see, as a condition on `collected_documents AS d`."""

    sql: str
    params: tuple[str, ...]
    count: int = 0
    left_out: int = 0
    """Documents of their own that may not be shown where they ask."""


AROUND_WEIGHT = 2
"""Weight of a word in a document's name or heading, relative to its text (`bench/knowledge.py`)."""
_RANKING = f"bm25(1.0, {AROUND_WEIGHT})"
_PART = "p.id AS part, p.place, p.text, d.*"
_COLLECTIONS = (
    "SELECT c.name, c.roles, count(d.seq) AS documents, coalesce(sum(d.parts), 0) AS parts FROM "
    "collections AS c"
    " LEFT JOIN collected_documents AS d ON d.collection = c.name GROUP BY c.name ORDER BY c.name"
)


class DocumentRows:
    """Reads collections, documents and parts."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.taken = taken_in(database, "collected_documents")

    async def collections(self) -> list[Collection]:
        return [Collection(**row) for row in await self._database.read(_COLLECTIONS)]

    async def documents(self, collection: str | None = None) -> list[CollectedDocument]:
        """All of one collection, or of all, in the order of their names."""
        rows = await self._database.read(
            "SELECT * FROM collected_documents WHERE ?1 IS NULL OR collection = ?1 ORDER BY "
            "collection, name, seq",
            (collection,),
        )
        return [CollectedDocument.from_row(row) for row in rows]

    async def owned(self, owner: str) -> list[CollectedDocument]:
        rows = await self._database.read(
            "SELECT * FROM collected_documents WHERE owner = ? ORDER BY seq", (owner,)
        )
        return [CollectedDocument.from_row(row) for row in rows]

    async def same(
        self, collection: str, owner: str, digest: str, learned: Learned
    ) -> CollectedDocument | None:
        """The very document, if it was added there by the same person at the same place already."""
        row = await self._database.read_one(
            "SELECT * FROM collected_documents WHERE collection = ? AND owner = ? AND digest = ? "
            "AND reach = ? AND channel = ?",
            (collection, owner, digest, learned.reach, learned.channel),
        )
        return CollectedDocument.from_row(row) if row else None

    async def open_to(
        self, person: Person, viewer: Viewer, collection: str | None = None
    ) -> OpenDocuments:
        """The documents that this person may see in the place where they ask."""
        rows = await self._database.read(
            "SELECT c.name, c.roles, d.owner, d.reach, d.channel, count(*) AS n FROM "
            "collected_documents AS d JOIN collections AS c ON c.name = d.collection WHERE ?1 IS "
            "NULL OR c.name = ?1 GROUP BY 1, 2, 3, 4, 5",
            (collection,),
        )
        shown: list[tuple[str, str, str, str]] = []
        count = left_out = 0
        for row in rows:
            if not Collection(row["name"], row["roles"]).access.allows(person.role):
                continue
            learned = Learned.of(row)
            # The roles of a collection say who in the workspace reads what was added in public; the
            # rest stays where it was added. People of other companies have no role.
            everybodys = not learned.private and viewer.shares(learned)
            if everybodys or viewer.sees(row["owner"], learned):
                shown.append((row["name"], row["owner"], learned.reach, learned.channel))
                count += row["n"]
            elif row["owner"] == person.id:
                left_out += row["n"]
        marks = ", ".join("(?, ?, ?, ?)" for _ in shown)
        sql = (
            f"(d.collection, d.owner, d.reach, d.channel) IN (VALUES {marks})" if shown else "FALSE"
        )
        return OpenDocuments(sql, tuple(value for one in shown for value in one), count, left_out)

    async def match(self, seen: OpenDocuments, expression: str, limit: int) -> list[CollectedPart]:
        """Parts that hold any of the words, those first that hold most of the rarest."""
        # A common word stands in thousands of parts, so only the best are read. The order is that
        # of the index alone (`rank`): any other would look up the document of every part first.
        rows = await self._database.read(
            f"SELECT {_PART}, w.words, w.around FROM"  # noqa: S608 - constants, and a condition of ours
            " (SELECT w.rowid AS part, -w.rank AS relevance FROM document_part_words(?, ?) AS w "
            "CROSS JOIN document_parts AS p ON p.id = w.rowid CROSS JOIN collected_documents AS d "
            f"ON d.seq = p.document WHERE {seen.sql} ORDER BY w.rank LIMIT ?) AS best CROSS JOIN "
            "document_parts AS p ON p.id = best.part CROSS JOIN document_part_words AS w ON "
            "w.rowid = best.part CROSS JOIN collected_documents AS d ON d.seq = p.document ORDER "
            "BY best.relevance DESC, p.id",
            (expression, _RANKING, *seen.params, limit),
        )
        return [_part(row, row["words"], row["around"]) for row in rows]

    async def holding(self, expressions: Sequence[str]) -> list[int]:
        """How many parts hold each of these words, whoever may see them; last how many there are.

        A word's rarity is that of the whole index, as `match` takes it.
        """
        counts = ["document_part_words(?, ?)"] * len(expressions)
        sql = " UNION ALL ".join(
            f"SELECT {at} AS at, count(*) AS n FROM {source}"  # noqa: S608 - ours
            for at, source in enumerate((*counts, "document_parts"))
        )
        given = [value for one in expressions for value in (one, _RANKING)]
        rows = await self._database.read(f"{sql} ORDER BY at", given)
        return [int(row["n"]) for row in rows]

    async def among(self, seen: OpenDocuments, parts: Sequence[int]) -> list[CollectedPart]:
        """Those of these parts that may be seen."""
        rows = await self._database.read(
            f"SELECT {_PART} FROM json_each(?) AS wanted JOIN document_parts AS p"  # noqa: S608 - ours
            " ON p.id = CAST(wanted.value AS BIGINT)"
            f" JOIN collected_documents AS d ON d.seq = p.document WHERE {seen.sql}",
            (json.dumps(list(parts)), *seen.params),
        )
        return [_part(row) for row in rows]

    async def parts_seen(self, seen: OpenDocuments) -> dict[str, int]:
        """How many parts each document has that may be seen, by its id."""
        rows = await self._database.read(
            f"SELECT d.id, d.parts FROM collected_documents AS d WHERE {seen.sql}",  # noqa: S608 - ours
            seen.params,
        )
        return {row["id"]: row["parts"] for row in rows}


def _part(row: Row, words: str = "", around: str = "") -> CollectedPart:
    document = CollectedDocument.from_row(row)
    return CollectedPart(row["part"], document, row["place"], row["text"], words, around)


def collection_unit(name: str, roles: str, at: str) -> Unit:
    """Make a collection; one that is there keeps its roles."""
    sql = (
        "INSERT INTO collections (name, roles, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO "
        "NOTHING"
    )
    return Unit.of(Write(sql, (name, roles, at)))


def roles_unit(name: str, roles: str) -> Unit:
    return Unit.of(Write("UPDATE collections SET roles = ? WHERE name = ?", (roles, name), rows=1))


def remove_collection_unit(name: str) -> Unit:
    """A collection with its documents, their parts, words and vectors."""
    return Unit.of(
        Write("DELETE FROM collected_documents WHERE collection = ?", (name,)),
        Write("DELETE FROM collections WHERE name = ?", (name,)),
    )


def remove_document_unit(id_: str, owner: str | None = None) -> Unit:
    """A document with its parts, words and vectors; with an owner, only one of theirs."""
    return Unit.of(
        Write(
            "DELETE FROM collected_documents WHERE id = ?1 AND (?2 IS NULL OR owner = ?2)",
            (id_, owner),
        )
    )


def replaced_unit(document: CollectedDocument) -> Unit:
    """Removes what an operator added earlier from the same source."""
    return Unit.of(
        Write(
            "DELETE FROM collected_documents WHERE collection = ? AND source = ? AND owner = ''",
            (document.collection, document.source),
        )
    )


def document_unit(document: CollectedDocument, parts: Sequence[Chunk]) -> Unit:
    """Store a document with its parts and their words.

    Stemming takes a while: call it in a thread.
    """
    origin = json.dumps(document.origin.to_json(), sort_keys=True)
    columns = {"parts": len(parts), "origin": origin, **vars(document.learned)}
    given = json.dumps([_given(document, one) for one in parts], ensure_ascii=False)
    return Unit.of(
        insert_into("collected_documents", row_of(document, "learned", **columns), rows=1),
        Write(
            "INSERT INTO document_parts (document, place, text)"
            " SELECT d.seq, json_extract(value, '$.place'), json_extract(value, '$.text')"
            " FROM collected_documents AS d, json_each(?2) WHERE d.id = ?1 ORDER BY json_each.key",
            (document.id, given),
        ),
        Write(
            "INSERT INTO document_part_words (rowid, words, around) SELECT p.id, "
            "json_extract(value, '$.words'), json_extract(value, '$.around') FROM json_each(?2) AS "
            "given CROSS JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS at FROM "
            "document_parts WHERE document = (SELECT seq FROM collected_documents WHERE id = ?1)) "
            "AS p ON p.at = given.key",
            (document.id, given),
        ),
    )


def _given(document: CollectedDocument, part: Chunk) -> Mapping[str, str]:
    around = indexed(f"{document.name} {part.place}")
    return {"place": part.place, "text": part.text, "words": indexed(part.text), "around": around}


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
        return await read_number(
            self._database, _PENDING.format(what="count(*) AS n"), (self._model,)
        )

    async def unmade(self, limit: int) -> list[Unmade]:
        sql = _PENDING.format(what="p.id AS part, d.id, d.name, p.place, p.text") + " LIMIT ?"
        rows = await self._database.read(sql, (self._model, limit))
        return [made_of(Unmade, row, document=row["id"]) for row in rows]

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
            "SELECT part, vector FROM document_vectors WHERE model = ? AND part IN (SELECT "
            "CAST(value AS BIGINT) FROM json_each(?))",
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
