"""notion_read and notion_write with the real client, against a strict Notion."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.plugins.notion.page_tools import SHOWN_CHARS, NotionConnector
from bot.plugins.notion.pages import MOST_REQUESTS, read_id
from bot.plugins.notion.to_blocks import blocks_of
from bot.testing.account_town import ServiceDesk, service_desk
from bot.testing.services.notion_accounts import NotionAccounts

ANN = "ann@example.com"


Desk: TypeAlias = ServiceDesk[NotionAccounts]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with service_desk(tmp_path, "notion", NotionAccounts(), NotionConnector) as desk:
        yield desk


async def listed(desk: Desk, **arguments: Any) -> Any:
    found = await desk.result("notion_read", action="list", **arguments)
    assert found.private
    return json.loads(found.content)


async def read(desk: Desk, page_id: str, **more: Any) -> str:
    found = await desk.result("notion_read", action="read", pageId=page_id, **more)
    assert found.private
    return found.content


async def write(desk: Desk, action: str, **arguments: Any) -> ToolResult:
    found = await desk.result("notion_write", action=action, **arguments)
    assert not found.private
    return found


async def test_pages_are_listed_for_whom_they_were_shared_with(desk: Desk):
    plan = desk.api.add_page("Launch plan", [], ANN)
    desk.api.add_page("Salaries", [], "ben@example.com")
    notes = desk.api.add_page("Notes", [], ANN)
    address = f"https://www.notion.so/{plan.replace('-', '')}"
    pages = (await listed(desk))["pages"]
    assert [page["id"] for page in pages] == [notes, plan]
    assert pages[1] == {"id": plan, "title": "Launch plan", "url": address}
    named = await listed(desk, query="launch")
    assert [page["title"] for page in named["pages"]] == ["Launch plan"]
    none = await listed(desk, query="salaries")
    assert none["pages"] == []
    assert "chooses at Notion" in none["note"]
    with pytest.raises(ToolError, match=r"there is no such thing.*object_not_found"):
        await read(desk, desk.api.add_page("Hidden", [], "ben@example.com"))


async def test_a_page_comes_as_markdown_with_all_that_is_nested(desk: Desk):
    text = (
        "# Plan\n\n- [ ] book\n  - the room\n    1. big\n\n> Hm.\n\n| a | b |\n| --- | --- |\n| 1 "
        "| 2 |"
    )
    page = desk.api.add_page("Plan", blocks_of(text).blocks, ANN)
    desk.api.most_in_page = 1
    address = f"https://www.notion.so/{page.replace('-', '')}"
    assert await read(desk, page) == f"# Plan\n{address}\n\n{text}"
    assert await read(desk, address) == await read(desk, page.replace("-", "").upper())
    only = await read(desk, page, query="ROOM")
    assert "the room" in only
    assert "| a |" not in only
    assert "No part of the page" in await read(desk, page, query="zebra")


async def test_a_long_page_is_cut_and_says_how_to_go_on(desk: Desk):
    long = desk.api.add_page(
        "Long", blocks_of("\n\n".join(f"line {n} " + "x" * 90 for n in range(300))).blocks, ANN
    )
    shown = await read(desk, long)
    assert len(shown) < SHOWN_CHARS + 300
    assert "more characters. Give a query" in shown
    deep = desk.api.add_page("Wide", blocks_of("- a\n  - b\n" * 200).blocks, ANN)
    before = len(desk.api.calls)
    assert "was not read" in await read(desk, deep)
    assert len(desk.api.calls) - before == MOST_REQUESTS + 1


async def test_a_page_is_created_and_appended_to_within_the_limits(desk: Desk):
    top = desk.api.add_page("Team", [], ANN)
    content = "\n\n".join(f"Line {n}" for n in range(250)) + "\n\n![cat](https://x.example/c.png)"
    made = await write(desk, "create", title="Log", parentPageId=top, content=content)
    told = json.loads(made.content)
    assert told["title"] == "Log"
    assert told["blocks"] == 251
    assert told["changed"] == [
        "pictures became links: a page that loads them would tell their server"
    ]
    assert [call.method for call in desk.api.calls] == ["POST", "PATCH", "PATCH"]
    more = await write(desk, "append", pageId=told["url"], content="- the end\n  - of it")
    assert json.loads(more.content) == {"id": told["id"], "blocks": 2}
    written = desk.api.whole(told["id"])
    assert len(written) == 252
    assert written[-1]["bulleted_list_item"]["children"][0]["type"] == "bulleted_list_item"
    empty = await write(desk, "create", title="Empty", parentPageId=top)
    assert json.loads(empty.content)["blocks"] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"action": "create", "title": "T"}, "create needs title and parentPageId"),
        ({"action": "create", "parentPageId": "p"}, "create needs title and parentPageId"),
        ({"action": "append", "content": "x"}, "append needs pageId and content"),
        (
            {"action": "append", "pageId": "p", "content": "x", "title": "T"},
            "append takes no title",
        ),
        (
            {"action": "create", "title": "T", "parentPageId": "p", "pageId": "q"},
            "create takes no pageId",
        ),
        ({"action": "append", "pageId": "../users", "content": "x"}, "is no id of a Notion page"),
    ],
)
async def test_a_wrong_call_changes_nothing_and_says_what_is_missing(
    desk: Desk, arguments: Any, words: str
):
    with pytest.raises(ToolError, match=words):
        await write(desk, **arguments)
    with pytest.raises(ToolError, match="read needs pageId"):
        await desk.result("notion_read", action="read")
    assert desk.api.calls == []


async def test_a_write_that_broke_off_says_what_is_there_and_is_not_repeated(desk: Desk):
    top = desk.api.add_page("Team", [], ANN)
    content = "\n\n".join(f"Line {n}" for n in range(250))
    desk.api.dropped_after = 1
    made = await write(desk, "create", title="Log", parentPageId=top, content=content)
    assert made.is_error
    told = json.loads(made.content)
    assert told["written"] == "100 of 250 blocks"
    assert "Whether the call took effect is unknown" in told["failed"]
    assert told["missing_from"] == "Line 100"
    assert len(desk.api.calls) == 2
    desk.api.faults = [(503, {})]
    with pytest.raises(ToolError, match="Whether the call took effect is unknown"):
        await write(desk, "append", pageId=top, content="x")
    assert len(desk.api.calls) == 3


async def test_a_search_is_repeated_after_trouble_and_limits_are_waited_for(desk: Desk):
    desk.api.faults = [(503, {}), (429, {"Retry_After": "3"})]
    assert (await listed(desk))["pages"] == []
    desk.api.faults = [(529, {"Retry_After": "500"})]
    with pytest.raises(ToolError, match="Try again in 500 seconds"):
        await listed(desk)


async def test_notion_tools_exist_only_while_the_connection_does(desk: Desk):
    assert desk.tools().keys() == {"notion_read", "notion_write"}
    assert desk.tools(desk.at.ben) == {}
    desk.at.provider.forget()
    with pytest.raises(ToolError, match="/connect notion") as refused:
        await listed(desk)
    assert "Ignore" not in str(refused.value)
    assert desk.tools() == {}


@given(
    st.text(max_size=60)
    | st.from_regex(r"(https://x\.example/)?[\w-]{0,9}[0-9a-f]{32}[?#/]?[./]{0,3}", fullmatch=True)
)
def test_an_id_never_leads_to_another_path(text: str):
    try:
        found = read_id(text)
    except ToolError:
        return
    assert len(found) == 36
    assert set(found) <= set("0123456789abcdef-")


def held(kind: str, value: object) -> dict[str, object]:
    return {"id": kind, "type": kind, kind: value}


def written(kind: str, words: str) -> dict[str, object]:
    return held(kind, [{"type": "text", "plain_text": words, "text": {"content": words}}])


COLUMNS = {"Task": "title", "State": "status", "Due": "date", "Who": "people", "Links": "relation"}


async def test_a_database_is_listed_and_its_rows_are_read_page_by_page(desk: Desk):
    tasks = desk.api.add_database("Tasks", COLUMNS, ANN)
    desk.api.add_database("Salaries", COLUMNS, "ben@example.com")
    desk.api.most_in_page = 2
    for number in range(5):
        desk.api.add_row(
            tasks,
            {
                "Task": written("title", f"Mow lawn {number}"),
                "State": held("status", {"name": "Done" if number else "Open"}),
                "Due": held("date", {"start": "2026-12-01", "end": None}),
                "Who": held("people", [{"id": "u1", "name": "Zoe"}]),
                "Links": held("relation", [{"id": "p1"}]),
                "Sum": held("formula", {"type": "number", "number": 7}),
                "All": held("rollup", {"type": "array", "array": [held("checkbox", 1)]}),
            },
        )
    known = await listed(desk)
    assert [one["title"] for one in known["databases"]] == ["Tasks"]
    told = await read(desk, tasks)
    assert "A database with the columns Task (title), State (status)" in told
    assert told.count("- **Mow lawn") == 5
    first = "State: Open; Due: 2026-12-01; Who: Zoe; Links: 1 linked; Sum: 7; All: yes"
    assert first in told
    assert (await read(desk, tasks, query="open")).count("- **Mow lawn") == 1
    assert "No row of the database holds" in await read(desk, tasks, query="zebra")
    with pytest.raises(ToolError, match="object_not_found"):
        await read(desk, "0" * 32)


async def test_a_page_that_is_created_below_a_database_is_a_row(desk: Desk):
    tasks = desk.api.add_database("Tasks", COLUMNS, ANN)
    made = await write(desk, "create", parentPageId=tasks, title="Buy milk", content="Two litres")
    row = json.loads(made.content)["id"]
    assert desk.api.pages[row].title == "Buy milk"
    assert "Two litres" in await read(desk, row)
    with pytest.raises(ToolError, match="object_not_found"):
        await write(desk, "create", parentPageId="0" * 32, title="Lost")
