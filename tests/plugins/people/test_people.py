"""people: files about members, notes that stay in their place, guests who see themselves."""

import json
import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.clock import parse_utc
from bot.domain.access import Role
from bot.domain.messages import Conversation
from bot.domain.origins import Origin, Trust
from bot.domain.people import KnownPerson, LastTalk, Profile
from bot.domain.places import Reach
from bot.domain.privacy import Viewer
from bot.domain.search import SearchQuery
from bot.domain.tool_context import NativeTool, ToolContext
from bot.errors import ToolError
from bot.plugins.people import store
from bot.plugins.people.plugin import PeopleConnector
from bot.plugins.people.store import PeopleRows
from bot.testing.contexts import a_place, make_context, make_person
from bot.testing.desk import Desk
from bot.testing.fake_directory import FakeDirectory

OFFICE, BOARD, DM = (
    a_place(Reach.PUBLIC, "office"),
    a_place(Reach.PRIVATE, "board"),
    a_place(Reach.DM),
)
TALKED = LastTalk(
    parse_utc("2026-11-20T10:00:00+00:00"), parse_utc("2026-11-19T09:00:00+00:00"), "#roof"
)


@pytest.fixture
def directory() -> FakeDirectory:
    return FakeDirectory(
        [
            KnownPerson("ann", "Ann Lee", 2),
            KnownPerson("ben", "Ben", 2),
            KnownPerson("discord-7", "Visitor", 1),
        ],
        {"ben": Profile("Ben Okri", ("benny",), "Roofer <@1>", "Asia/Tokyo")},
        {"ben": TALKED},
    )


@pytest.fixture
def house(desk: Desk, directory: FakeDirectory) -> PeopleConnector:
    return PeopleConnector(PeopleRows(desk.database), directory)


@pytest.fixture
def tool(desk: Desk, house: PeopleConnector) -> NativeTool[Any]:
    return desk.tool(house, "people")


async def find(
    desk: Desk, tool: NativeTool[Any], query: str = "", at: Conversation = OFFICE, **how: Any
) -> Any:
    arguments = {"action": "find", **({"query": query} if query else {})}
    return (await desk.call(tool, arguments, at=at, **how))["people"]


def guest(at: Conversation = OFFICE) -> ToolContext:
    return make_context(make_person("discord-7", Role.GUEST), at=at)


async def write(
    desk: Desk, house: PeopleConnector, context: ToolContext, path: str, text: str
) -> None:
    [files] = house.file_sources()
    before = await files.read(context, path)
    await desk.database.write(
        await files.write(context, path, text, before.version if before else None)
    )


async def read(house: PeopleConnector, context: ToolContext, path: str) -> str | None:
    [files] = house.file_sources()
    file = await files.read(context, path)
    return file.text if file else None


async def test_a_person_is_described_from_their_profile(
    desk: Desk, tool: NativeTool[Any], house: PeopleConnector, directory: FakeDirectory
):
    [ben] = await find(desk, tool, "ben")
    assert ben == {
        "file": "/people/ben.md",
        "name": "Ben Okri",
        "also": ["benny", "Ben"],
        "title": "Roofer 1",  # without what reads as a mention
        "timezone": "Asia/Tokyo",
        "their_time": "Saturday 18:00",
        "last_wrote": "Friday 2026-11-20 11:00",
        "last_talked": "Thursday 2026-11-19 10:00",
        "where": "#roof",
    }
    assert [one["name"] for one in await find(desk, tool, "okri")] == ["Ben Okri"]
    assert directory.asked == ["ben"]  # not again within a day
    await desk.clock.advance(timedelta(days=2).total_seconds())
    directory.profiles["ben"] = Profile("Ben Okri", (), "Architect")
    assert (await find(desk, tool, "ben"))[0]["title"] == "Architect"
    text = await read(house, make_context(at=OFFICE, now=desk.clock.now()), "/people/ben.md")
    assert text is not None
    assert 'name: "Ben Okri"\n' in text
    assert 'title: "Architect"\n' in text


async def test_a_platform_that_is_away_hides_nobody(
    desk: Desk, tool: NativeTool[Any], directory: FakeDirectory
):
    directory.away = True
    assert (await find(desk, tool, "ben"))[0]["name"] == "Ben"
    directory.away = False
    assert (await find(desk, tool, "ben"))[0]["name"] == "Ben Okri"


async def test_somebody_who_was_mentioned_and_never_wrote_is_looked_up(
    desk: Desk, tool: NativeTool[Any], directory: FakeDirectory
):
    directory.profiles["slack-T-U9"] = Profile("Dana Rex", (), "Lawyer")
    [dana] = await find(desk, tool, "<@slack-T-U9>")
    assert (dana["file"], dana["title"]) == ("/people/dana-rex.md", "Lawyer")
    assert await find(desk, tool, "<@slack-T-U10>") == []


async def test_a_note_is_seen_where_it_was_written(
    desk: Desk, tool: NativeTool[Any], house: PeopleConnector
):
    await find(desk, tool)
    for note, at in (("likes tea", OFFICE), ("may be promoted", BOARD), ("is a bit slow", DM)):
        await desk.call(tool, {"action": "note", "person": "/people/ben.md", "note": note}, at=at)
    assert (await find(desk, tool, "ben"))[0]["notes"] == ["likes tea"]
    assert (await find(desk, tool, "ben"))[0]["left_out"] == "2 more are private; ask me in a DM"
    hits = {
        reader: await house.find(
            make_context(make_person(reader), at=DM), SearchQuery("slow promoted tea", 5)
        )
        for reader in ("ann", "ben")
    }
    assert [hit.snippet for hit in hits["ann"].hits] == [
        "Roofer 1; likes tea; may be promoted; is a bit slow"
    ]
    assert [(hit.ref, hit.snippet) for hit in hits["ben"].hits] == [
        ("/people/ben.md", "Roofer 1; likes tea")
    ]
    assert (await find(desk, tool, "ben", BOARD))[0]["notes"] == ["likes tea", "may be promoted"]
    assert (await find(desk, tool, "ben", DM))[0]["notes"] == [
        "likes tea",
        "may be promoted",
        "is a bit slow",
    ]
    for reader, at, shown in (("ben", DM, 1), ("cleo", DM, 1), ("cleo", BOARD, 2)):
        assert len((await find(desk, tool, "ben", at, person=reader))[0]["notes"]) == shown
    text = await read(house, make_context(at=DM), "/people/ben.md")
    assert text is not None
    assert text.endswith(
        "---\n\n- likes tea\n\n## Notes that are not for everybody\n\n- may be promoted\n- is "
        "a bit slow\n"
    )


async def test_a_guest_sees_nobody_but_themself(
    desk: Desk, tool: NativeTool[Any], house: PeopleConnector
):
    await find(desk, tool)
    await desk.call(
        tool, {"action": "note", "person": "/people/visitor.md", "note": "pays late"}, at=OFFICE
    )
    [files] = house.file_sources()
    entries = await files.list(guest(), "/people")
    assert entries is not None
    assert [entry.path for entry in entries] == ["/people/visitor.md"]
    assert await read(house, guest(), "/people/ben.md") is None
    own = await read(house, guest(), "/people/visitor.md")
    assert own == '---\nname: "Visitor"\n---\n'
    with pytest.raises(ToolError, match="guests can't write"):
        await write(desk, house, guest(), "/people/visitor.md", own + "\n- a note\n")
    with pytest.raises(ToolError, match="guests can't write"):
        await write(desk, house, guest(), "/people/visitor.md", own.replace("Visitor", "Boss"))
    with pytest.raises(ToolError, match="guests can't write"):
        await write(desk, house, guest(), "/people/new.md", "---\nname: New\n---\n")


async def test_a_file_is_changed_by_hand_and_a_profile_keeps_off(
    desk: Desk, tool: NativeTool[Any], house: PeopleConnector
):
    await find(desk, tool, "ben")
    context = make_context(at=OFFICE, now=desk.clock.now())
    text = await read(house, context, "/people/ben.md")
    assert text is not None
    await write(
        desk,
        house,
        context,
        "/people/ben.md",
        text.replace("Roofer 1", "Master") + "\n- likes tea\n- has a dog\n",
    )
    await desk.clock.advance(timedelta(days=2).total_seconds())
    [ben] = await find(desk, tool, "ben")
    assert ben["title"] == "Master"
    assert sorted(ben["notes"]) == ["has a dog", "likes tea"]
    text = await read(house, context, "/people/ben.md")
    assert text is not None
    await write(desk, house, context, "/people/ben.md", text.replace("- has a dog\n", ""))
    assert (await find(desk, tool, "ben"))[0]["notes"] == ["likes tea"]
    with pytest.raises(ToolError, match="add a note line instead"):
        await write(
            desk, house, make_context(at=DM), "/people/ben.md", text.replace("Master", "Spy")
        )


async def test_somebody_is_added_by_hand_and_offered_as_the_same(
    desk: Desk, tool: NativeTool[Any], house: PeopleConnector
):
    await find(desk, tool, "ben")
    made = await desk.call(
        tool, {"action": "add", "name": "Ben Okri", "note": "met in Rome"}, at=OFFICE
    )
    assert made == {
        "file": "/people/ben-okri.md",
        "maybe_the_same": ["/people/ben.md"],
        "offer": "/people merge ben-okri ben",
    }
    hidden = await desk.call(tool, {"action": "add", "name": "Ben Okri"}, at=DM)
    assert hidden["file"].startswith("/people/ben-okri-")  # no name tells others that it is there
    assert {one["file"] for one in await find(desk, tool, "okri", person="cleo", at=DM)} == {
        "/people/ben.md",
        "/people/ben-okri.md",
    }
    rows = house.roster.rows
    gone, kept = await rows.at("ben-okri"), await rows.at("ben")
    assert gone is not None
    assert kept is not None
    await desk.database.write(store.merge(gone, kept, "2026-11-22"))
    [ben] = await find(desk, tool, "/people/ben-okri.md")
    assert (ben["file"], ben["notes"]) == ("/people/ben.md", ["met in Rome"])


async def test_to_be_forgotten_leaves_the_name_alone(
    desk: Desk, tool: NativeTool[Any], house: PeopleConnector
):
    await find(desk, tool, "ben")
    await desk.call(
        tool, {"action": "note", "person": "/people/ben.md", "note": "likes tea"}, at=OFFICE
    )
    await desk.call(tool, {"action": "note", "person": "/people/ben.md", "note": "mine"}, at=DM)
    await desk.call(tool, {"action": "forget"}, person="ben", at=DM)
    assert await find(desk, tool, "ben") == []
    assert await read(house, make_context(at=OFFICE), "/people/ben.md") is None
    assert 'name: "Ben Okri"' in (
        await read(house, make_context(make_person("ben")), "/people/ben.md") or ""
    )
    assert await find(desk, tool, "ben", person="cleo") == []
    with pytest.raises(ToolError, match="no file is kept"):
        await desk.call(tool, {"action": "forget"}, person="ben", at=DM)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: X", "line 1: the front matter is missing"),
        (
            "---\nname: X\nphone: 1\n---\n",
            "line 3: phone is no field here; there are name, also, title, timezone",
        ),
        (
            "---\nname: X\ntimezone: Mars\n---\n",
            "line 3: Mars is no time zone; write one like Europe/Berlin",
        ),
        ("---\nname: X\nalso: Y\n---\n", "line 3: also is a list of names"),
        ("---\ntitle: X\n---\n", "name is missing"),
    ],
)
async def test_a_file_with_mistakes_is_refused_with_its_line(
    desk: Desk, house: PeopleConnector, text: str, words: str
):
    with pytest.raises(ToolError, match=words):
        await write(desk, house, make_context(at=OFFICE), "/people/x.md", text)


async def test_words_of_guests_keep_their_trust(desk: Desk, tool: NativeTool[Any]):
    seen = await desk.result(tool, {"action": "find", "query": "visitor"}, at=OFFICE)
    assert seen.origin.trust is Trust.OUTSIDER
    await desk.result(
        tool, {"action": "note", "person": "/people/ben.md", "note": "tall"}, at=OFFICE
    )
    for reader, trust in (
        ("ann", Trust.MEMBER),
        ("cleo", Trust.MEMBER),
    ):  # the profile is Ben's own words
        said = await desk.result(tool, {"action": "find", "query": "ben"}, at=OFFICE, person=reader)
        assert said.origin.trust is trust
    outside = Origin(Trust.EXTERNAL, "file:x")
    await desk.result(
        tool, {"action": "note", "person": "/people/ben.md", "note": "x"}, at=OFFICE, origin=outside
    )
    assert (
        await desk.result(tool, {"action": "find", "query": "ben"}, at=OFFICE)
    ).origin.trust is Trust.EXTERNAL


async def test_random_notes_are_never_shown_to_who_may_not_see_them(
    desk: Desk, tool: NativeTool[Any], house: PeopleConnector
):
    """600 readings after 60 notes: each shows exactly what the rule of privacy allows."""
    await find(desk, tool)
    dice = random.Random(14)  # noqa: S311 - no secret
    people, places = ["ann", "ben", "cleo"], [OFFICE, BOARD, DM, a_place(Reach.PRIVATE, "other")]
    written: list[tuple[str, str, Conversation]] = []
    for number in range(60):
        author, at = dice.choice(people), dice.choice(places)
        await desk.call(
            tool,
            {"action": "note", "person": "/people/visitor.md", "note": f"n{number}"},
            at=at,
            person=author,
        )
        written.append((f"n{number}", author, at))
    forbidden = 0
    for _ in range(600):
        context = make_context(make_person(dice.choice(people)), at=dice.choice(places))
        row = await house.roster.rows.at("visitor")
        assert row is not None
        notes, _left = await house.roster.rows.notes(row.id, context.viewer)
        allowed = {text for text, author, at in written if _may(context.viewer, author, at)}
        forbidden += len({note.text for note in notes} - allowed)
        assert {note.text for note in notes} == allowed
    assert forbidden == 0


def _may(viewer: Viewer, author: str, at: Conversation) -> bool:
    learned = replace(make_context(at=at)).learned
    same = learned.reach is Reach.PRIVATE and learned.channel == viewer.place.channel
    mine = author == viewer.person and (
        viewer.place.reach is Reach.DM or learned.reach is Reach.PUBLIC
    )
    return mine or learned.reach is Reach.PUBLIC or same


async def test_a_note_about_somebody_can_be_taken_back(desk: Desk, tool: NativeTool[Any]):
    await find(desk, tool, "ben")
    about = {"action": "note", "person": "/people/ben.md", "note": "likes tea"}
    noted = await desk.result(tool, about, at=OFFICE)
    assert "likes tea" in json.dumps(await find(desk, tool, "ben"))
    await desk.database.write(noted.undo[0].back)
    assert "likes tea" not in json.dumps(await find(desk, tool, "ben"))
