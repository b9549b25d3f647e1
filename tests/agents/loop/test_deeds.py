"""What counts as a change for its person: writes of their things, never reading."""

from typing import Any

import pytest

from bot.agents.loop.calls import deeds_of
from bot.domain.database import Unit, Write
from bot.domain.deeds import Deed, Done, Noun, ToolDeed
from bot.domain.tool_outcomes import ToolResult, Undoable
from bot.domain.tools import NativeImplementation, Risk, ToolDefinition
from bot.testing.shipped_tools import shipped_natives

SHIPPED = {tool.name: tool.deed for tool in shipped_natives().tools}


def a_tool(name: str, risk: Risk | None = None) -> ToolDefinition:
    return ToolDefinition(name, "", {}, "shared", NativeImplementation(name), risk=risk)


WROTE = Unit.of(Write("UPDATE x SET y = 1"))


@pytest.mark.parametrize(
    ("name", "arguments", "unit", "risk", "deeds"),
    [
        ("read_file", {"path": "/documents/a.md"}, WROTE, None, ()),
        ("list_directory", {}, Unit(), None, ()),
        ("save_fact", {"key": "a"}, WROTE, None, ()),
        ("manage_todos", {"action": "list"}, Unit(), None, ()),
        ("send", {"text": "Working on it."}, Unit(), None, ()),
        ("send", {"text": "Hi", "to": "#ops"}, Unit(), None, (Noun.MESSAGE, Done.SENT, "#ops")),
        (
            "schedule_task",
            {"action": "create", "name": "digest"},
            WROTE,
            None,
            (Noun.SCHEDULE, Done.ADDED, "digest"),
        ),
        (
            "schedule_task",
            {"action": "pause", "name": "digest"},
            WROTE,
            None,
            (Noun.SCHEDULE, Done.CHANGED, "digest"),
        ),
        ("mcp__shop__order", {}, Unit(), Risk.EXTERNAL_WRITE, (Noun.OUTSIDE, Done.CHANGED, "")),
        ("mcp__shop__look", {}, Unit(), None, ()),
    ],
)  # fmt: skip
def test_deeds(name: str, arguments: dict[str, Any], unit: Unit, risk: Risk | None, deeds: Any):
    result = ToolResult("{}", unit=unit)
    expected = (Deed(*deeds),) if deeds else ()
    assert deeds_of(result, a_tool(name, risk=risk), arguments, SHIPPED.get(name)) == expected


@pytest.mark.parametrize(
    ("said", "arguments", "deed"),
    [
        (
            ToolDeed(Noun.MAIL, "subject", Done.SENT),
            {"to": "a@b.example", "subject": "Offer"},
            Deed(Noun.MAIL, Done.SENT, "Offer"),
        ),
        (
            ToolDeed(Noun.ISSUE, "title"),
            {"action": "create", "title": "Login fails"},
            Deed(Noun.ISSUE, Done.ADDED, "Login fails"),
        ),
        (
            ToolDeed(Noun.ISSUE, "title"),
            {"action": "close", "number": 3},
            Deed(Noun.ISSUE, Done.CHANGED),
        ),
    ],
)
def test_a_tool_of_a_plugin_says_itself_what_it_does(
    said: ToolDeed, arguments: dict[str, Any], deed: Deed
):
    tool = a_tool("post", Risk.EXTERNAL_WRITE)
    assert deeds_of(ToolResult("{}"), tool, arguments, said) == (deed,)
    assert deeds_of(ToolResult("{}"), a_tool("post"), arguments, said) == (), "it wrote nothing"


def test_what_can_be_taken_back_says_itself_what_was_done():
    undo = (Undoable("todo", "done", "buy\nmilk", WROTE),)
    result = ToolResult("{}", unit=WROTE, undo=undo)
    tool = a_tool("manage_todos")
    assert deeds_of(result, tool, {}) == (Deed(Noun.TODO, Done.COMPLETED, "buy milk"),)


def test_a_deleted_thing_is_named_by_the_record_that_the_result_shows():
    result = ToolResult('{"deleted": "t1", "title": "buy milk"}', unit=WROTE)
    given = {"action": "delete", "todoId": "t1"}
    deeds = deeds_of(result, a_tool("manage_todos"), given, SHIPPED["manage_todos"])
    assert deeds == (Deed(Noun.TODO, Done.DELETED, "buy milk"),)


def test_a_failed_call_did_nothing():
    failed = ToolResult("no", is_error=True, unit=WROTE)
    assert deeds_of(failed, a_tool("write_file"), {"path": "/documents/a.md"}) == ()
