"""The offline model without understanding, without a tool, with a file, or when removing."""

import pytest

from bot.domain.json_types import JsonObject
from bot.plugins.offline_model.answering import request_of
from bot.plugins.offline_model.situation import Situation
from bot.testing.offline_house import Failed, House, user


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("bread", "add a todo: bread"),
        ("ad a todo: bread", "add a todo: bread"),
        ("my tsaks", "list my todos"),
        ("is there something in a document", "list my files"),
        ("ring an alarm", "remind me in 10 minutes to call Ann"),
    ],
)
async def test_a_miss_is_two_lines_that_name_the_nearest_wish(house: House, text: str, meant: str):
    answer = await house.tell(text)
    assert f"Did you mean: *{meant}*?" in answer
    assert len(answer.splitlines()) == 2


async def test_only_what_can_be_stored_is_offered_for_a_question(house: House):
    answer = await house.tell("Who is the president of France?")
    assert "Did you mean: *what do you know about the president of France?*\n" in answer
    for asked in ("how does a black hole form?", "why is the sky blue?", "can cats swim?"):
        assert "Did you mean" not in await house.tell(asked)
    assert "know about" not in await house.tell(
        "when somebody reports a bug here, sort it by severity"
    )


@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        (
            "every monday at 9 water the plants",
            "manage_todos",
            {"title": "water the plants", "repeats": "every monday at 9"},
        ),
        ("Every monday at 9, remind me to water plants", "manage_todos", {"title": "water plants"}),
        ("send a message to Ben: hello there", "send", {"text": "hello there", "to": "Ben"}),
        ("send hello to Ben", "send", {"text": "hello", "to": "Ben"}),
        ("post lunch is here in #general", "send", {"text": "lunch is here", "to": "#general"}),
        ("search for the budget", "search", {"query": "the budget"}),
        ("show my daily note", "read_file", {"path": "/daily-notes/today.md"}),
        ("what's in yesterday's note?", "read_file", {"path": "/daily-notes/yesterday.md"}),
        ("add to my daily note: met Ann", "write_file", {"path": "/daily-notes/today.md"}),
    ],
)
async def test_later_abilities_are_understood(
    house: House, text: str, tool: str, arguments: JsonObject
):
    house.tools["search"] = lambda _: {"hits": []}
    house.tools["send"] = lambda _: "sent"
    house.tools["read_file"] = lambda _: "- lunch"
    assert "I don't understand" not in await house.tell(text)
    name, given = house.made[-1]
    assert (name, {key: given.get(key) for key in arguments}) == (tool, arguments)


async def test_a_daily_note_that_is_not_there_yet_is_said_so(house: House):
    def missing(_: JsonObject) -> str:
        raise Failed(
            "there is no file /daily-notes/today.md; write_file makes it, list_directory shows "
            "others"
        )

    house.tools["read_file"] = missing
    assert (await house.tell("show my daily note")).startswith("There is no daily note for today.")


async def test_a_folder_that_is_to_be_read_is_listed(house: House):
    def folder(_: JsonObject) -> str:
        raise Failed("/todos is a folder; list_directory shows what is in it")

    house.tools["read_file"] = folder
    house.tools["list_directory"] = lambda _: "call-marie.md"
    assert await house.tell("show the file /todos") == "In `/todos`:\n\n- call-marie.md"


async def test_it_names_nothing_that_the_role_has_no_tool_for(house: House):
    del house.tools["manage_todos"]
    assert "Did you mean" not in await house.tell("bread")
    about = await house.tell("what can you do?")
    assert "todo" not in about
    assert "sums:" in about


def test_tools_listed_as_locked_exist_for_the_role():
    catalogue = {
        "type": "text",
        "text": (
            "Rules.\n\n# More tools (call them, too)\n- manage_todos(action): The todo list.\n"
            "- mcp__x__* (3): echo\n\n- send: no"
        ),
    }
    body: JsonObject = {"system": [catalogue], "messages": [user("bread")]}
    assert Situation.read(request_of(body)).listed == {"manage_todos"}


async def test_a_wish_of_yes_or_no_without_a_question_does_nothing(house: House):
    assert "needs a yes" in await house.tell("yes please")
    assert await house.tell("No.") == "All right, I do nothing."
    assert house.made == []


@pytest.mark.parametrize(
    ("text", "made", "told"),
    [
        (
            "delete the todo pay rent",
            {"action": "delete", "todoId": "ddd444"},
            "I deleted the todo: **pay rent**.",
        ),
        (
            "remove buy milk from my list",
            {"action": "delete", "todoId": "aaa111"},
            "I deleted the todo: **buy milk**.",
        ),
        (
            "dismiss buy milk",
            {"action": "dismiss", "todoId": "aaa111"},
            "I dismissed the todo: **buy milk**.",
        ),
    ],
)
async def test_todos_are_taken_away(house: House, text: str, made: JsonObject, told: str):
    assert await house.tell(text) == told
    assert house.made == [("manage_todos", {"action": "list"}), ("manage_todos", made)]


async def test_several_todos_are_not_taken_away_at_once(house: House):
    assert "one todo at a time" in await house.tell("delete all my todos")
    assert house.made == []


async def test_a_reminder_without_a_subject_asks_for_it(house: House):
    answer = await house.tell("remind me in 10 minutes")
    assert answer.startswith("Added to your todos: ")
    asked, made = house.made
    assert (asked[0], made[1]["dueDate"]) == ("ask_user_for_clarification", "in 10 minutes")


async def test_a_standing_wish_or_what_was_told_is_forgotten(house: House):
    house.tools["read_file"] = lambda _: "- Always answer in German\n- Never call me Sir\n"
    assert "“Never call me Sir”" in await house.tell("forget the rule never call me Sir")
    kept = {"path": "/preferences/global.md", "content": "- Always answer in German\n"}
    assert house.made[-1] == ("write_file", kept)
    assert await house.tell("forget that my bike is blue") == "I forgot: “My bike is blue.”."
    assert house.made[-1] == ("forget", {"ids": ["knowledge:k1"]})
    assert "nothing like “my car”" in await house.tell("forget my car")


async def test_of_several_matches_nothing_is_forgotten_unless_all_are_meant(house: House):
    kept = [
        {"id": "knowledge:k1", "text": "My bike is blue."},
        {"id": "notes:n1", "text": "My bike stands in the yard."},
        {"id": "talk:7", "text": "where is my bike?"},
    ]
    house.tools["remember"] = lambda _: kept
    house.tools["forget"] = lambda given: {
        "removed": [one for one in kept if one["id"] in given["ids"]]
    }
    answer = await house.tell("forget my bike")
    assert "Say in full which one" in answer
    assert "where is" not in answer
    assert all(name != "forget" for name, _ in house.made)
    await house.tell("forget everything about my bike")
    assert house.made[-1] == ("forget", {"ids": ["knowledge:k1", "notes:n1"]})


@pytest.mark.parametrize(
    "path", ["/daily-notes/today.md", "/todos/call-marie-k3m9x2.md", "/documents/notes.md"]
)
async def test_a_file_is_read_whatever_its_name_says(house: House, path: str):
    await house.tell(f"read {path}")
    assert house.made[0] == ("read_file", {"path": path})


async def test_past_talk_is_told_by_time(house: House):
    house.tools["remember"] = lambda _: [
        {
            "id": "talk:7",
            "kind": "their request",
            "date": "2026-11-20 09:30",
            "text": "where is my bike?",
        },
        {"id": "notes:n1", "kind": "note", "date": "2026-11-20 09:31", "text": "bike"},
    ]
    answer = await house.tell("what did I ask you last week?")
    assert answer.endswith("- 2026-11-20 09:30 you: where is my bike?")
    assert house.made[-1] == ("remember", {"since": "last week", "until": "last week"})
    assert "nothing that we said" not in await house.tell("summarise yesterday")


def file_block(told: str) -> JsonObject:
    return {
        "type": "text",
        "text": f'<quoted kind="file" from="file:report.txt">\n{told}\n</quoted>',
    }


async def test_a_file_that_came_is_kept_and_said_not_to_be_read(house: House):
    words = user("summarise this")
    words["content"].append(file_block("q3 report.txt:\nSales rose.\nCosts fell."))
    answer = await house.tell_message(words)
    path = "/documents/incoming/q3-report.txt"
    assert house.made[-1] == ("write_file", {"path": path, "content": "Sales rose.\nCosts fell."})
    assert "I can't summarise" in answer
    assert f"I kept it under `{path}`" in answer


async def test_a_file_that_was_cut_or_is_no_text_is_named_and_not_kept(house: House):
    words = user("what is in here?")
    words["content"] += [
        file_block("long.txt:\nSales\n[cut: 900 more characters]"),
        file_block(
            "photo.bin (application/octet-stream, 9 bytes): its content can't be shown as text."
        ),
        file_block(
            "minutes.txt:\nHello.\n[cut: 900 characters of the middle are missing here]\nGoodbye."
        ),
        file_block("log.txt:\nstart\n[cut: it goes on in /documents/incoming/log.txt]"),
    ]
    answer = await house.tell_message(words)
    assert "I got `long.txt`" in answer
    assert "I got `photo.bin`" in answer
    assert "I got `minutes.txt`" in answer
    assert "I kept it under `/documents/incoming/log.txt`" in answer
    assert house.made == []


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("manage_todos", "list my todos"),
        ("manage_notes", "show my notes"),
        ("knowledge_search", "what do you know about my car?"),
    ],
)
async def test_private_things_left_out_are_mentioned(house: House, tool: str, text: str):
    house.tools[tool] = lambda _: {"todos": [], "left_out": "3 more are private; ask me in a DM"}
    assert (await house.tell(text)).endswith("\n\n3 more are private; ask me in a DM.")


async def test_a_folder_whose_files_are_all_private_is_not_called_empty(house: House):
    house.tools["list_directory"] = lambda _: "[2 more are private; ask me in a DM]"
    assert "2 more are private" in await house.tell("list my files")


async def test_a_transcript_becomes_a_meeting(house: House):
    made = {
        "meeting": "/meetings/2026-11-21/a",
        "title": "a",
        "speakers": ["Ann"],
        "remarks": ["1 part had no words"],
    }
    house.tools["meetings"] = lambda _: made
    words = user("here")
    words["content"].append(
        file_block("a.vtt:\nWEBVTT\n[a transcript, kept as /documents/incoming/a.vtt]")
    )
    answer = await house.tell_message(words)
    assert house.made[-1] == (
        "meetings",
        {"action": "add", "transcript": "/documents/incoming/a.vtt"},
    )
    assert (
        "I made a meeting of `a.vtt`: **a** (with Ann), under `/meetings/2026-11-21/a`.\n- 1 "
        "part had no words"
    ) in answer


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("what did we decide?", {"action": "find"}),
        ("what was decided about the blue house?", {"action": "find", "query": "blue house"}),
        ("show my meetings", {"action": "find"}),
        (
            "add a meeting: review tomorrow at 9",
            {"action": "add", "title": "review", "when": "tomorrow at 9"},
        ),
    ],
)
async def test_meetings_are_found_and_noted(house: House, text: str, arguments: JsonObject):
    found = [
        {
            "title": "House",
            "when": "Friday",
            "decisions": ["Buy it"],
            "meeting": "/meetings/x/house",
        }
    ]
    house.tools["meetings"] = lambda _: {
        "meetings": found,
        "title": "review",
        "when": "Sunday",
        "meeting": "/m",
    }
    answer = await house.tell(text)
    assert house.made[-1] == ("meetings", arguments)
    assert "House" in answer or "review" in answer


@pytest.mark.parametrize(
    ("text", "arguments", "told"),
    [
        (
            "who is Ben?",
            {"action": "find", "query": "Ben"},
            "**Ben Okri** (benny): Roofer\nYou last talked Friday.",
        ),
        ("who am I?", {"action": "find", "query": "me"}, "**Ben Okri**"),
        (
            "when did we last talk to Ben?",
            {"action": "find", "query": "Ben"},
            "where you write, too: Friday in #roof",
        ),
        ("forget me", {"action": "forget"}, "I keep no file about you any more."),
    ],
)
async def test_people_are_asked_about(house: House, text: str, arguments: JsonObject, told: str):
    ben = {
        "name": "Ben Okri",
        "also": ["benny"],
        "title": "Roofer",
        "last_talked": "Friday",
        "where": "#roof",
    }
    house.tools["people"] = lambda _: {"people": [ben], "stays": "their name"}
    answer = await house.tell(text)
    assert house.made[-1] == ("people", arguments)
    assert told in answer
