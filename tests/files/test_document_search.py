"""Documents are found by each of their words, at any length, and by no former word."""

from collections.abc import Awaitable, Callable

import pytest

from bot.domain.database import Unit
from bot.domain.privacy import IN_DM
from bot.domain.search import SearchQuery
from bot.files import store
from bot.files.search import AT_ONCE, STEP, DocumentIndex, DocumentSearch
from bot.files.store import Owner, StoredText
from bot.files.words_store import next_unread, pieces_unit
from bot.storage.database import SqliteDatabase
from bot.testing.contexts import make_context, make_person
from bot.testing.fake_clock import FakeClock

LONG = "the meeting went on and on "
PATH = "/documents/long.md"
Find = Callable[..., Awaitable[list[str]]]


def stored(text: str, version: str) -> StoredText:
    origin = '{"trust": "person", "source": "person:ann"}'
    return StoredText(text, version, "2026-01-01T00:00:00+00:00", "ann", IN_DM, origin)


def put(text: str, *, owner: str = "ann", path: str = PATH) -> Unit:
    return store.put_new(Owner("person", owner), path, stored(text, "v1"))


@pytest.fixture
def index(database: SqliteDatabase) -> DocumentIndex:
    return DocumentIndex(database, FakeClock())


@pytest.fixture
def find(database: SqliteDatabase, index: DocumentIndex) -> Find:
    search = DocumentSearch(database, index)

    async def find(query: str, who: str = "ann", *, private: bool = True) -> list[str]:
        found = await search.find(
            make_context(make_person(who), private=private), SearchQuery(query, 10)
        )
        return [*(f"{hit.ref}: {hit.snippet}" for hit in found.hits), *found.notes]

    return find


async def test_a_late_word_in_a_long_document_is_found_with_its_context(
    database: SqliteDatabase, find: Find
):
    text = LONG * 20_000 + "and then somebody mentioned the zeppelins of Friedrichshafen"
    await database.write(put(text))
    await database.write(put("a zeppelin is an airship", path="/documents/short.md"))
    long, short = sorted(await find("zeppelin"))
    assert short.startswith("/documents/short.md: a zeppelin")
    assert "mentioned the zeppelins of" in long
    assert (await find("airship friedrichshafen"))[0].startswith("/documents/")
    assert await find("zeppelin", "ben") == []
    assert await find("zeppelin", private=False) == []


async def test_no_word_is_lost_where_two_parts_meet(database: SqliteDatabase, find: Find):
    marks: list[str] = []
    text = ""
    for number, end in enumerate(
        (STEP - 3, 2 * STEP - 5, AT_ONCE * STEP - 4, (AT_ONCE + 1) * STEP + 10)
    ):
        mark = f"qmark{number}x"
        text = text.ljust(end - len(mark) // 2, ".") + f" {mark} "
        marks.append(mark)
    await database.write(put(text))
    for mark in marks:
        assert [mark in hit for hit in await find(mark)] == [True], mark


async def test_a_changed_document_is_found_by_its_new_words_alone(
    database: SqliteDatabase, index: DocumentIndex, find: Find
):
    ann = Owner("person", "ann")
    await database.write(put(LONG * 10_000 + "zeppelin"))
    assert len(await find("zeppelin")) == 1
    await database.write(store.replace(ann, PATH, stored(LONG * 10_000 + "submarine", "v2"), "v1"))
    assert await find("zeppelin") == []
    assert len(await find("submarine")) == 1
    await database.write(store.delete(ann, PATH, "v2"))
    assert await find("submarine") == []
    assert (
        await database.read("SELECT id FROM file_pieces UNION SELECT rowid FROM file_words") == []
    )


async def test_words_that_were_read_before_a_change_are_not_kept(
    database: SqliteDatabase, index: DocumentIndex
):
    await database.write(put("zeppelin"))
    read = await next_unread(database, 100)
    assert read is not None
    await database.write(store.replace(read.owner, PATH, stored("submarine", "v2"), "v1"))
    await database.write(pieces_unit(read, (), None))
    assert await index.read_on()
    assert not await index.read_on()
    rows = await database.read("SELECT words FROM file_words")
    assert ["submarin" in row["words"] for row in rows] == [True]


async def test_a_huge_document_is_reported_as_unread_until_indexing_resumes(
    database: SqliteDatabase, find: Find
):
    await database.write(put(LONG * 60_000 + "zeppelin"))
    hit, note = await find("meetings zeppelin")
    assert hit.startswith(f"{PATH}: the meeting went on")
    assert (
        note == "documents that are still being read in: 1; search again later for all their words"
    )
    begun = await next_unread(database, 1)
    assert begun is not None
    assert begun.reached > 0
    again = DocumentIndex(database, FakeClock())
    while await again.read_on():
        pass
    assert len(await find("zeppelin")) == 1
