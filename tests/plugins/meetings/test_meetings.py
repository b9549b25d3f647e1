"""meetings: made of transcripts, seen where they were made, found by what was decided."""

import json
from dataclasses import replace
from typing import Any

import pytest

from bot.clock import parse_utc
from bot.domain.access import Role
from bot.domain.files import TakesBack
from bot.domain.memory import RecallQuery
from bot.domain.messages import Conversation
from bot.domain.origins import Origin, Trust
from bot.domain.people import PersonFile
from bot.domain.places import Reach
from bot.domain.privacy import Viewer
from bot.domain.tool_context import NativeTool
from bot.errors import ToolError, UnitRejected
from bot.files.database_files import DatabaseFiles
from bot.plugins.meetings.plugin import MeetingsConnector
from bot.testing.contexts import a_place, make_context, make_person
from bot.testing.desk import Desk

OFFICE = a_place(Reach.PUBLIC, "office")
BOARD = a_place(Reach.PRIVATE, "board")
DM = a_place(Reach.DM)
SAID = (
    "Ann: Shall we buy the blue house?\nBen: Yes, the blue house.\nAnn: Then I call the "
    "bank.\nBen: Good.\n"
)
DECIDED = {
    "decisions": ["Buy the blue house"],
    "tasks": [
        {"what": "Call the bank", "owner": "Ann", "due": "tomorrow"},
        {"what": "Paint", "owner": "Bo"},
    ],
    "questions": ["Who pays?"],
}


class _TwoBos:
    async def named(self, viewer: Viewer, name: str) -> list[PersonFile]:
        found = {"Ann": ["ann-lee"], "Bo": ["bo-a", "bo-b"]}
        return [PersonFile(one.title(), f"/people/{one}.md") for one in found.get(name, [])]


@pytest.fixture
def documents(desk: Desk) -> DatabaseFiles:
    return DatabaseFiles(desk.database, desk.clock, "/documents", "person")


@pytest.fixture
def house(desk: Desk, documents: DatabaseFiles) -> MeetingsConnector:
    return MeetingsConnector(desk.database, people=_TwoBos(), documents=documents)


@pytest.fixture
def tool(desk: Desk, house: MeetingsConnector) -> NativeTool[Any]:
    return desk.tool(house, "meetings")


async def attach(
    desk: Desk, documents: DatabaseFiles, name: str, text: str, at: Conversation = OFFICE
) -> str:
    path = f"/documents/incoming/{name}"
    context = make_context(at=at, origin=Origin(Trust.EXTERNAL, f"file:{name}"))
    await desk.database.write(await documents.write(context, path, text, None))
    return path


async def add(
    desk: Desk,
    tool: NativeTool[Any],
    title: str,
    at: Conversation = OFFICE,
    when: str = "",
    **how: Any,
) -> str:
    given = {"action": "add", "title": title, "when": when}
    return (await desk.call(tool, given, at=at, **how))["meeting"]


async def found(desk: Desk, tool: NativeTool[Any], query: str = "", **how: Any) -> set[str]:
    answer = await desk.call(tool, {"action": "find", **({"query": query} if query else {})}, **how)
    return {meeting["title"] for meeting in answer["meetings"]}


@pytest.mark.parametrize(
    ("when", "day"),
    [
        ("gestern", "2026-11-20"),
        ("18 November", "2026-11-18"),
        ("18.11. um 10", "2026-11-18"),
        ("last Friday", "2026-11-20"),
        ("two days ago", "2026-11-19"),
        ("15 December", "2026-12-15"),
        ("Tuesday", "2026-11-24"),
    ],
)
async def test_a_day_without_its_year_is_the_nearest(
    desk: Desk, tool: NativeTool[Any], when: str, day: str
):
    assert f"/{day}/" in await add(desk, tool, "House", when=when)


async def test_a_transcript_becomes_a_meeting_with_a_summary_that_links_people(
    desk: Desk, tool: NativeTool[Any], house: MeetingsConnector, documents: DatabaseFiles
):
    path = await attach(desk, documents, "house.txt", SAID)
    made = await desk.call(
        tool, {"action": "add", "transcript": path, "when": "yesterday"}, at=OFFICE
    )
    assert made["meeting"] == "/meetings/2026-11-20/house"
    assert made["people"] == made["speakers"] == ["Ann", "Ben"]
    [files] = house.file_sources()
    context = make_context(at=OFFICE)
    transcript = await files.read(context, "/meetings/2026-11-20/house/transcript.md")
    assert transcript is not None
    assert transcript.text == SAID
    assert transcript.origin.trust is Trust.EXTERNAL
    saved = await desk.result(
        tool, {"action": "summarise", "meeting": made["meeting"], **DECIDED}, at=OFFICE
    )
    assert "Bo may be /people/bo-a.md or /people/bo-b.md" in saved.content
    summary = await files.read(context, "/meetings/2026-11-20/house/summary.md")
    assert summary is not None
    assert summary.text == (
        "# House\n\n2026-11-20, with Ann, Ben\n\n## Decisions\n\n- Buy the blue house\n\n## To "
        "do\n\n"
        "- [ ] Call the bank ([Ann-Lee](/people/ann-lee.md), due 2026-11-22)\n- [ ] Paint (Bo)\n\n"
        "## Open questions\n\n- Who pays?\n"
    ).replace("# House", "# house", 1)
    assert summary.origin.trust is Trust.EXTERNAL  # made of a file that somebody sent
    answer = await desk.call(tool, {"action": "find", "query": "house decided"}, at=OFFICE)
    [meeting] = answer["meetings"]
    assert meeting["decisions"] == ["Buy the blue house"]
    assert meeting["tasks"][0].startswith("Call the bank ([Ann-Lee]")
    assert meeting["said"] == ["Ann: Shall we buy the blue house?", "Ben: Yes, the blue house."]
    assert meeting["files"] == ["summary.md", "transcript.md"]


async def test_a_meeting_is_seen_where_it_was_made(desk: Desk, tool: NativeTool[Any]):
    await add(desk, tool, "open day")
    await add(desk, tool, "board day", BOARD)
    mine = await add(desk, tool, "my day", DM)
    assert mine.startswith(
        "/meetings/2026-11-21/my-day-"
    )  # its name is no hint for anybody who looks for a free one
    assert await found(desk, tool, at=OFFICE) == {"open day"}
    assert await found(desk, tool, at=BOARD) == {"open day", "board day"}
    assert await found(desk, tool, at=DM) == {"open day", "board day", "my day"}
    assert await found(desk, tool, "day", person="ben", at=DM) == {"open day"}
    assert await found(desk, tool, "day", person="ben", at=BOARD) == {"open day", "board day"}
    answer = await desk.call(tool, {"action": "find"}, at=OFFICE)
    assert answer["left_out"] == "2 more are private; ask me in a DM"
    with pytest.raises(ToolError, match="ask for it in a DM"):
        await desk.result(tool, {"action": "summarise", "meeting": mine, **DECIDED}, at=OFFICE)
    with pytest.raises(ToolError, match="there is no meeting"):
        await desk.result(
            tool, {"action": "summarise", "meeting": mine, **DECIDED}, person="ben", at=DM
        )


async def test_files_are_listed_and_read_by_the_same_rule(
    desk: Desk, tool: NativeTool[Any], house: MeetingsConnector
):
    await add(desk, tool, "open day")
    mine = await add(desk, tool, "my day", DM)
    [files] = house.file_sources()
    ben, guest = make_person("ben"), make_person("guest", Role.GUEST)
    assert await files.read(make_context(ben, at=DM), f"{mine}/notes.md") is None
    assert await files.list(make_context(ben, at=DM), mine) is None
    days = await files.list(make_context(at=OFFICE), "/meetings")
    assert days is not None
    assert [(entry.path, entry.private) for entry in days] == [
        ("/meetings/2026-11-21", False),
        ("/meetings/0", True),
    ]
    assert await files.list(make_context(guest, at=OFFICE), "/meetings") == ()
    assert (
        await files.read(make_context(guest, at=OFFICE), "/meetings/2026-11-21/open-day/notes.md")
        is None
    )


async def test_readers_of_a_place_do_not_learn_of_other_places(
    desk: Desk, tool: NativeTool[Any], house: MeetingsConnector
):
    path = f"{await add(desk, tool, 'open day')}/notes.md"
    [files] = house.file_sources()
    context = make_context(at=DM)
    before = await files.read(context, path)
    assert before is not None
    with pytest.raises(
        ToolError, match="people who can't read this conversation can read this meeting"
    ):
        await files.write(context, path, "secret", before.version)
    with pytest.raises(ToolError, match="only who made a meeting"):
        await files.delete(make_context(make_person("ben"), at=OFFICE), path, before.version)


async def test_the_second_of_two_writers_is_told(
    desk: Desk, tool: NativeTool[Any], house: MeetingsConnector
):
    path = f"{await add(desk, tool, 'open day')}/notes.md"
    [files] = house.file_sources()
    ann, ben = make_context(at=OFFICE), make_context(make_person("ben"), at=OFFICE)
    before = await files.read(ann, path)
    assert before is not None
    first, second = [
        await files.write(who, path, f"by {who.person.id}", before.version) for who in (ann, ben)
    ]
    await desk.database.write(first)
    with pytest.raises(UnitRejected):
        await desk.database.write(second)
    with pytest.raises(ToolError, match="was changed meanwhile"):
        await files.write(ben, path, "again", before.version)


async def test_writing_a_file_makes_its_meeting_and_deleting_the_last_removes_it(
    desk: Desk, tool: NativeTool[Any], house: MeetingsConnector
):
    [files] = house.file_sources()
    context, path = make_context(at=OFFICE), "/meetings/2026-12-01/roof/summary.md"
    await desk.database.write(await files.write(context, path, "## Decisions\n1. New roof\n", None))
    answer = await desk.call(tool, {"action": "find", "query": "roof"}, at=OFFICE)
    assert answer["meetings"][0]["decisions"] == ["New roof"]
    ben = make_context(make_person("ben"), at=OFFICE)
    [recalled] = await house.recall(ben, RecallQuery("roof"))
    assert recalled.text == "Decided in the meeting Roof on 2026-12-01: New roof"
    assert await house.recollection(ben, recalled.id) is None  # not theirs to have forgotten
    assert await house.recollection(context, recalled.id) == replace(
        recalled, origin=Origin(Trust.PERSON, "person:ann")
    )
    await desk.database.write(house.removal(ben, recalled.id))
    made = await files.read(context, path)
    assert made is not None
    await desk.database.write(await files.delete(context, path, made.version))
    assert await found(desk, tool, at=OFFICE) == set()
    await desk.database.write(await files.write(context, path, "## Decisions\n1. New roof\n", None))
    [recalled] = await house.recall(context, RecallQuery("roof"))
    await desk.database.write(house.removal(context, recalled.id))
    assert await found(desk, tool, "roof", at=OFFICE) == set()
    for wrong, words in (
        ("/meetings/2026-13-01/roof/notes.md", "is no day"),
        ("/meetings/2026-12-01/Roof Top/notes.md", "named like roof-top"),
        ("/meetings/2026-12-01/roof/plan.md", "is no file of a meeting"),
        ("/meetings/2026-12-01/roof/deep/notes.md", "is no file of a meeting"),
    ):
        with pytest.raises(ToolError, match=words):
            await files.write(context, wrong, "x", None)


async def test_meetings_that_lie_ahead_are_told_to_who_prepares_them(
    desk: Desk, tool: NativeTool[Any], house: MeetingsConnector
):
    await desk.call(
        tool,
        {"action": "add", "title": "Review", "when": "tomorrow at 9", "people": ["Ben"]},
        at=OFFICE,
    )
    await desk.call(tool, {"action": "add", "title": "Some day", "when": "2026-11-22"}, at=OFFICE)
    start, end = parse_utc("2026-11-22T00:00:00+00:00"), parse_utc("2026-11-23T00:00:00+00:00")
    [known] = await house.rows.between(start, end)
    assert (known.title, known.path, known.owner) == (
        "Review",
        "/meetings/2026-11-22/review",
        "ann",
    )
    assert known.begins == parse_utc("2026-11-22T08:00:00+00:00")
    assert known.people == ("Ben",)
    assert await house.rows.between(end, end.replace(day=24)) == []


async def test_impossible_calls_name_the_possible_ones(
    desk: Desk, tool: NativeTool[Any], documents: DatabaseFiles
):
    empty = await attach(desk, documents, "empty.vtt", " \n")
    for arguments, words in (
        ({"action": "add", "transcript": "/preferences/global.md"}, "is the path of a kept file"),
        (
            {"action": "add", "transcript": "gone.vtt"},
            "there is no file /documents/incoming/gone.vtt",
        ),
        ({"action": "add", "transcript": empty}, "empty.vtt is empty"),
        ({"action": "add"}, "add needs a title"),
        ({"action": "add", "title": "x", "when": "the day of the moon cat"}, "is no date or time"),
        (
            {"action": "summarise", "meeting": "/meetings/2026-01-01/none", "text": "x"},
            "there is no meeting /meetings",
        ),
    ):
        with pytest.raises(ToolError, match=words):
            await desk.result(tool, arguments, at=OFFICE)
    made = await add(desk, tool, "open day")
    with pytest.raises(ToolError, match="summarise needs text"):
        await desk.result(tool, {"action": "summarise", "meeting": made}, at=OFFICE)


async def test_two_meetings_of_one_name_and_day_are_two(desk: Desk, tool: NativeTool[Any]):
    assert await add(desk, tool, "Ünal & Söhne: 会議") == "/meetings/2026-11-21/ünal-söhne-会議"
    assert await add(desk, tool, "Ünal & Söhne: 会議") == "/meetings/2026-11-21/ünal-söhne-会議-2"


async def test_a_meeting_its_summary_and_its_own_files_can_be_taken_back(
    desk: Desk, tool: NativeTool[Any], house: MeetingsConnector
):
    [files] = house.file_sources()
    assert isinstance(files, TakesBack)
    made = await desk.result(tool, {"action": "add", "title": "Review"}, at=OFFICE)
    path = json.loads(made.content)["meeting"]
    about = {"action": "summarise", "meeting": path, **DECIDED}
    summed = await desk.result(tool, about, at=OFFICE)
    here = make_context(at=OFFICE)
    summary = f"{path}/summary.md"
    before = await files.read(here, summary)
    assert before is not None
    back = await files.take_back(here, summary, "Other.")
    await desk.database.write(await files.write(here, summary, "Other.", before.version))
    assert back is not None
    await desk.database.write(back)
    again = await files.read(here, summary)
    assert again is not None
    assert again.text == before.text

    others = make_context(make_person("ben"), at=OFFICE)
    assert await files.take_back(others, summary, "Other.") is None
    assert await files.take_back(here, "/meetings/2026-01-01/new/notes.md", "New.") is None
    for result, noun in ((summed, "summary"), (made, "meeting")):
        assert result.undo[0].noun == noun
        await desk.database.write(result.undo[0].back)
    assert await found(desk, tool, at=OFFICE) == set()
    with pytest.raises(UnitRejected):
        await desk.database.write(made.undo[0].back)
