"""Collections: changes leave nothing behind; roles and places decide who finds what."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.domain.access import Role
from bot.domain.database import Database, Unit, Write
from bot.domain.origins import Origin, Trust
from bot.domain.places import Location, Reach
from bot.domain.privacy import Learned, Viewer
from bot.errors import DocumentError
from bot.knowledge.chunks import Chunk
from bot.knowledge.reading import RawDocument
from bot.plugins.collections import store
from bot.plugins.collections.documents import DocumentCollections
from bot.plugins.collections.store import CollectedDocument
from bot.testing.contexts import a_place, make_person
from bot.testing.web_site import Asked, answer, web_site

PUBLIC, PRIVATE, DM = (a_place(reach) for reach in (Reach.PUBLIC, Reach.PRIVATE, Reach.DM))


async def found(
    collections: DocumentCollections,
    query: str,
    role: Role = Role.FRIEND,
    *,
    who: str = "ann",
    at: object = PUBLIC,
) -> Sequence[tuple[str, str]]:
    person = make_person(who, role)
    location = replace(Location.of(at), homes=frozenset({"terminal:local"}))  # pyright: ignore[reportArgumentType]
    viewer = Viewer.at(location, person)
    answered = await collections.finder.find(person, viewer, query, 5)
    return [(one.part.document.name, one.part.place) for one in answered.parts]


async def rows(database: Database) -> list[int]:
    tables = ("collected_documents", "document_parts", "document_part_words", "document_vectors")
    return [(await database.read(f"SELECT count(*) AS n FROM {table}"))[0]["n"] for table in tables]  # noqa: S608


def text(name: str, words: str) -> RawDocument:
    return RawDocument(name, words.encode())


async def test_a_document_is_found_by_word_forms_and_by_its_heading(
    collections: DocumentCollections,
):
    await collections.add(
        text("manual.md", "# Warranty\nPumps are serviced in spring."), "/manual.md"
    )
    assert await found(collections, "servicing a pump") == [("manual.md", "Warranty")]
    assert await found(collections, "warranty") == [("manual.md", "Warranty")]
    assert await found(collections, "bicycle") == []
    assert await found(collections, "???") == []


async def test_chinese_text_is_found(collections: DocumentCollections):
    await collections.add(text("指南.md", "# 保修\n水泵每年春天保养一次。"), "/guide.md")
    assert await found(collections, "春天保养") == [("指南.md", "保修")]


async def test_one_chinese_character_is_found_at_the_beginning_of_a_word(
    collections: DocumentCollections,
):
    await collections.add(text("a.md", "# 一\n我们买猫粮。\n# 二\n天气很好。"), "/a.md")
    assert await found(collections, "猫") == [("a.md", "一")]


async def test_a_newer_version_takes_the_place_of_the_older(
    collections: DocumentCollections, database: Database
):
    first = await collections.add(text("a.md", "old words"), "/a.md")
    again = await collections.add(text("a.md", "old words"), "/a.md")
    assert (again.id, again.known) == (first.id, True)
    newer = await collections.add(text("a.md", "new words"), "/a.md")
    assert (newer.id, newer.known) == (first.id, False)
    assert await found(collections, "old") == []
    assert await rows(database) == [1, 1, 1, 0]


async def test_equal_words_from_two_sources_are_two_documents(collections: DocumentCollections):
    first = await collections.add(text("a.md", "same words"), "/a.md")
    second = await collections.add(text("b.md", "same words"), "/b.md")
    assert first.id != second.id
    assert len(await collections.rows.documents()) == 2
    assert (await collections.add(text("a.md", "same words"), "/a.md")).known


async def test_removing_a_document_leaves_nothing(
    collections: DocumentCollections, database: Database
):
    added = await collections.add(text("a.md", "some words"), "/a.md")
    await collections.add(text("b.md", "more words"), "/b.md")
    put = "INSERT INTO document_vectors SELECT id, 'm', 1, ? FROM document_parts"
    await database.write(Unit.of(Write(put, (bytes(4),))))
    assert await collections.remove(added.id) == "removed a.md from team"
    assert await rows(database) == [1, 1, 1, 1]
    assert await collections.remove("team") == "removed the collection team with 1 document"
    assert await rows(database) == [0, 0, 0, 0]
    assert Role.MASTER_ADMIN not in collections.open_to
    with pytest.raises(DocumentError, match="no collection and no document 'team'"):
        await collections.remove("team")


async def test_a_name_that_two_have_is_asked_about(collections: DocumentCollections):
    ids = [
        (await collections.add(text("a.md", "words"), source)).id
        for source in ("/x/a.md", "/y/a.md")
    ]
    with pytest.raises(DocumentError, match=r"2 documents are called 'a\.md'") as failed:
        await collections.remove("a.md")
    assert all(one in str(failed.value) for one in ids)
    assert await collections.remove("/y/a.md") == "removed a.md from team"


async def test_a_collection_is_there_for_its_roles_alone(collections: DocumentCollections):
    await collections.add(text("pay.md", "salary of everybody"), "/pay.md", "board", "Partner+")
    assert await found(collections, "salary", Role.PARTNER)
    assert await found(collections, "salary", Role.FRIEND) == []
    assert [role in collections.open_to for role in (Role.PARTNER, Role.FRIEND)] == [True, False]
    assert collections.open_names(Role.FRIEND) == []
    await collections.add(text("pay.md", "salary of everybody"), "/pay.md", "board", "Friend+")
    assert await found(collections, "salary", Role.FRIEND)
    assert await found(collections, "salary", Role.GUEST) == []


async def test_roles_that_cant_be_read_open_it_to_nobody_else(
    collections: DocumentCollections, database: Database
):
    await collections.add(text("a.md", "words"), "/a.md")
    await database.write(store.roles_unit("team", "Freind+"))
    await collections.load()
    assert await found(collections, "words", Role.PARTNER) == []
    assert Role.PARTNER not in collections.open_to
    with pytest.raises(DocumentError, match="unknown role 'Freind'"):
        await collections.add(text("a.md", "words"), "/a.md", roles="Freind+")


@pytest.mark.parametrize("name", ["", "Team", "a b", "-a", "../a", "x" * 41, "logs"])
async def test_a_collection_needs_a_plain_name(collections: DocumentCollections, name: str):
    with pytest.raises(DocumentError, match="can't name a collection"):
        await collections.add(text("a.md", "words"), "/a.md", name)


@pytest.mark.parametrize(
    ("learned", "seen_at"),
    [
        (Learned(Reach.DM), {"ann": [DM]}),
        (Learned.at(Location.of(PRIVATE)), {"ann": [DM, PRIVATE], "bob": [PRIVATE]}),
        (
            Learned.at(Location.of(PUBLIC)),
            {"ann": [DM, PRIVATE, PUBLIC], "bob": [DM, PRIVATE, PUBLIC]},
        ),
    ],
)
async def test_documents_are_shown_where_they_were_added(
    collections: DocumentCollections,
    database: Database,
    learned: Learned,
    seen_at: dict[str, list[object]],
):
    added = CollectedDocument(
        "d1",
        "team",
        "ann",
        "plan.md",
        "",
        "digest",
        "2026-11-20T12:00:00Z",
        learned,
        Origin(Trust.EXTERNAL, "x"),
    )
    unit = store.collection_unit("team", "Friend+", added.added_at)
    await database.write(unit + store.document_unit(added, [Chunk("Plan", "the secret plan")]))
    for who in ("ann", "bob"):
        for place in (DM, PRIVATE, PUBLIC):
            expected = [("plan.md", "Plan")] if place in seen_at.get(who, []) else []
            assert await found(collections, "secret plan", who=who, at=place) == expected


async def test_one_who_asks_in_public_is_told_how_much_of_theirs_is_left_out(
    collections: DocumentCollections, database: Database
):
    added = CollectedDocument(
        "d1",
        "team",
        "ann",
        "a.md",
        "",
        "x",
        "2026-11-20T12:00:00Z",
        Learned(Reach.DM),
        Origin(Trust.EXTERNAL, "x"),
    )
    unit = store.collection_unit("team", "Friend+", added.added_at)
    await database.write(unit + store.document_unit(added, [Chunk("", "words")]))
    for who, count in (("ann", 1), ("bob", 0)):
        person = make_person(who)
        viewer = Viewer.at(Location.of(PUBLIC), person)
        answered = await collections.finder.find(person, viewer, "words", 5)
        assert (list(answered.parts), answered.left_out) == ([], count)


async def test_parts_keep_their_own_words_however_many_there_are(
    collections: DocumentCollections, database: Database
):
    added = CollectedDocument(
        "d1",
        "team",
        "",
        "a.md",
        "/a",
        "x",
        "2026-11-20T12:00:00Z",
        Learned(Reach.PUBLIC),
        Origin(Trust.MEMBER, "x"),
    )
    parts = [Chunk(f"page {number}", f"word{number} and others") for number in range(500)]
    await database.write(
        store.collection_unit("team", "Friend+", added.added_at) + store.document_unit(added, parts)
    )
    second = replace(added, id="d2", name="b.md", source="/b")
    await database.write(store.document_unit(second, parts[:3]))
    assert await found(collections, "word321") == [("a.md", "page 321")]
    assert sorted(await found(collections, "word2")) == [("a.md", "page 2"), ("b.md", "page 2")]


async def test_a_page_of_the_web_is_external_and_a_file_is_a_members(
    collections: DocumentCollections,
):
    def site(asked: Asked) -> bytes:
        if asked.path == "/guide":
            return answer("# Guide\nTurn the key.", content_type="text/markdown")
        return answer("gone", "404 Not Found")

    async with web_site(site) as server:
        raw = await collections.fetch(f"{server.url}/guide")
        await collections.add(raw, raw.url)
        with pytest.raises(DocumentError, match="HTTP 404"):
            await collections.fetch(f"{server.url}/gone")
    await collections.add(text("b.md", "Turn it off."), "/b.md")
    trust = {one.name: one.origin.trust for one in await collections.rows.documents()}
    assert trust == {"guide": Trust.EXTERNAL, "b.md": Trust.MEMBER}
    with pytest.raises(DocumentError, match="could not be fetched"):
        await collections.fetch("http://169.254.169.254/latest")


async def test_the_best_part_holds_all_words(collections: DocumentCollections, database: Database):
    await collections.add(text("a.md", "# One\npump pump pump\n# Two\npump and valve"), "/a.md")
    person = make_person()
    answered = await collections.finder.find(
        person, Viewer.at(Location.of(PUBLIC), person), "pump valve", 5
    )
    assert [one.part.place for one in answered.parts] == ["Two", "One"]
    assert all(0 < one.score <= 1 for one in answered.parts)
    assert answered.how == "by words alone: no embedder is set"


async def test_a_word_with_several_stems_weighs_no_more_than_another(
    collections: DocumentCollections,
):
    """Five languages stem `animals` in three ways and `pump` in one."""
    await collections.add(text("a.md", "# One\npump\n# Two\nanimals\n# Three\nred"), "/a.md")
    person = make_person()
    answered = await collections.finder.find(
        person, Viewer.at(Location.of(PUBLIC), person), "pump animals", 5
    )
    assert {one.part.place for one in answered.parts} == {"One", "Two"}
    assert min(one.score for one in answered.parts) > 0.7
