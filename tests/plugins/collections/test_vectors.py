"""Vectors: made in batches, kept across restarts, remade for another model, on time."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.domain.database import Database
from bot.domain.places import Location, Reach
from bot.domain.privacy import Viewer
from bot.errors import EmbedderError
from bot.knowledge.reading import RawDocument
from bot.memory.embedding import OllamaEmbedder
from bot.memory.settings import EmbedderSettings
from bot.plugin.meaning import VectorModel
from bot.plugins.collections.documents import DocumentCollections
from bot.plugins.collections.search import DocumentFinder, DocumentsFound
from bot.plugins.collections.vectors import AT_ONCE, DocumentVectors
from bot.testing.contexts import a_place, make_person
from bot.testing.hashing_embedder import HashingEmbedder
from bot.testing.ollama import ollama

SYNONYMS = {"automobile": "car"}


class Shrinking(HashingEmbedder):
    """Answers under the same name with vectors of another length from now on."""

    length = 256

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [vector[: self.length] for vector in await super().embed(texts)]


async def filled(collections: DocumentCollections, count: int) -> None:
    headings = [
        f"# Part {number}\nthis part speaks of matter {number}" for number in range(count - 1)
    ]
    await collections.add(
        RawDocument("a.md", "\n".join([*headings, "# Cars\nthe car is red"]).encode()), "/a.md"
    )


async def all_made(vectors: DocumentVectors) -> list[int]:
    done: list[int] = []
    while some := await vectors.embed_some():
        done.append(some)
    return done


async def find(
    collections: DocumentCollections, vectors: DocumentVectors, query: str
) -> DocumentsFound:
    person = make_person()
    viewer = Viewer.at(Location.of(a_place(Reach.PUBLIC)), person)
    return await DocumentFinder(collections.rows, vectors).find(person, viewer, query, 3)


async def test_other_words_are_found_through_the_server_and_batches_stay_small(
    collections: DocumentCollections, database: Database
):
    await filled(collections, 2 * AT_ONCE + 1)
    async with ollama(synonyms=SYNONYMS) as server:
        embedder = OllamaEmbedder(EmbedderSettings(base_url=server.url))
        vectors = DocumentVectors(database, VectorModel("nomic-embed-text", embedder), 5.0)
        assert await all_made(vectors) == [AT_ONCE, AT_ONCE, 1]
        found = await find(collections, vectors, "which automobile")
        assert not server.refusals
    assert found.how == "by words and meaning"
    assert found.parts[0].part.place == "Cars"
    assert 0 < found.parts[0].score <= 1
    assert max(map(len, server.batches)) == AT_ONCE


async def test_finished_vectors_are_never_made_again(
    collections: DocumentCollections, database: Database
):
    await filled(collections, 2 * AT_ONCE)
    first = HashingEmbedder()
    assert await DocumentVectors(database, VectorModel("m", first), 5.0).embed_some() == AT_ONCE
    # As after the end of the process: nothing but the database is left.
    second = HashingEmbedder()
    vectors = DocumentVectors(database, VectorModel("m", second), 5.0)
    assert await vectors.pending() == AT_ONCE
    assert await all_made(vectors) == [AT_ONCE]
    assert not set(first.asked) & set(second.asked)
    again = DocumentVectors(database, VectorModel("m", HashingEmbedder(SYNONYMS)), 5.0)
    assert (await find(collections, again, "car")).how == "by words and meaning"


async def test_vectors_that_another_process_made_are_compared(
    collections: DocumentCollections, database: Database
):
    await filled(collections, 3)
    one, other = (
        DocumentVectors(database, VectorModel("m", HashingEmbedder(SYNONYMS)), 5.0)
        for _ in range(2)
    )
    before = await find(collections, one, "automobile")
    assert before.how == "by words and meaning; 3 parts still wait for their meaning"
    await all_made(other)
    found = await find(collections, one, "automobile")
    assert found.how == "by words and meaning"
    assert found.parts[0].part.place == "Cars"


async def test_another_model_makes_all_anew_and_meanwhile_words_count(
    collections: DocumentCollections, database: Database
):
    await filled(collections, AT_ONCE + 5)
    await all_made(DocumentVectors(database, VectorModel("m", HashingEmbedder()), 5.0))
    other = DocumentVectors(database, VectorModel("n", HashingEmbedder()), 5.0)
    assert await other.pending() == AT_ONCE + 5
    found = await find(collections, other, "red car")
    assert found.parts[0].part.place == "Cars"
    assert found.how == f"by words and meaning; {AT_ONCE + 5} parts still wait for their meaning"
    assert await all_made(other) == [AT_ONCE, 5]


async def test_another_length_under_the_same_name_is_another_model(
    collections: DocumentCollections, database: Database
):
    await filled(collections, AT_ONCE + 5)
    embedder = Shrinking(SYNONYMS)
    vectors = DocumentVectors(database, VectorModel("m", embedder), 5.0)
    await all_made(vectors)
    embedder.length = 128
    assert (await find(collections, vectors, "red car")).parts[
        0
    ].part.place == "Cars"  # by its words
    assert await all_made(vectors) == [AT_ONCE, 5]
    embedder.length = 192
    await collections.add(RawDocument("b.md", b"one more"), "/b.md")
    assert await all_made(vectors) == [1, AT_ONCE, 5]
    assert (await find(collections, vectors, "automobile")).parts[0].part.place == "Cars"


async def test_an_embedder_that_is_silent_or_broken_leaves_words(
    collections: DocumentCollections, database: Database
):
    await filled(collections, 3)

    class Silent(HashingEmbedder):
        async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
            await asyncio.Event().wait()
            return []

    for embedder in (HashingEmbedder(broken=True), Silent()):
        found = await find(
            collections, DocumentVectors(database, VectorModel("m", embedder), 0.01), "red car"
        )
        assert found.how == "by words alone: the embedder did not answer"
        assert found.parts[0].part.place == "Cars"


async def test_a_removed_document_is_no_longer_near(
    collections: DocumentCollections, database: Database
):
    await filled(collections, 3)
    vectors = DocumentVectors(database, VectorModel("m", HashingEmbedder(SYNONYMS)), 5.0)
    await all_made(vectors)
    await collections.remove("team")
    assert list((await find(collections, vectors, "automobile")).parts) == []


async def test_vectors_of_one_batch_that_differ_in_length_are_refused(
    collections: DocumentCollections, database: Database
):
    await filled(collections, 3)

    class Uneven(HashingEmbedder):
        async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
            return [[1.0] * (number + 1) for number, _ in enumerate(texts)]

    vectors = DocumentVectors(database, VectorModel("m", Uneven()), 5.0)
    with pytest.raises(EmbedderError, match="differ in number or length"):
        await vectors.embed_some()
    assert await vectors.pending() == 3
