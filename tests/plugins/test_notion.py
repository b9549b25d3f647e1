"""notion_read and notion_write with the real client, against a strict Notion."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.access import Person
from bot.domain.origins import Trust
from bot.domain.tool_context import NativeTool
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.plugins.notion.connector import NotionConnector
from bot.plugins.notion.page_tools import SHOWN_CHARS
from bot.plugins.notion.pages import MOST_REQUESTS, read_id
from bot.plugins.notion.to_blocks import blocks_of
from bot.testing.account_town import AccountTown, account_town
from bot.testing.services.notion_accounts import NotionAccounts

ANN = "ann@example.com"


@dataclass
class Desk:
    at: AccountTown
    notion: NotionAccounts

    def tools(self, person: Person) -> dict[str, NativeTool[Any]]:
        return self.at.tools(NotionConnector, person)

    async def call(self, name: str, **arguments: Any) -> ToolResult:
        found = await self.at.call(NotionConnector, name, arguments)
        assert found.private is (name == "notion_read")
        return found

    async def read(self, page_id: str, **more: Any) -> str:
        return (await self.call("notion_read", action="read", pageId=page_id, **more)).content


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with account_town(tmp_path, "notion") as at:
        notion = NotionAccounts()
        at.provider.api = notion
        await at.connect(at.ann)
        yield Desk(at, notion)


async def test_pages_are_listed_for_whom_they_were_shared_with(desk: Desk):
    plan = desk.notion.add_page("Launch plan", [], ANN)
    desk.notion.add_page("Salaries", [], "ben@example.com")
    notes = desk.notion.add_page("Notes", [], ANN)
    found = await desk.call("notion_read", action="list")
    address = f"https://www.notion.so/{plan.replace('-', '')}"
    pages = json.loads(found.content)["pages"]
    assert [page["id"] for page in pages] == [notes, plan]
    assert pages[1] == {"id": plan, "title": "Launch plan", "url": address}
    assert (found.origin.trust, found.origin.source) == (Trust.EXTERNAL, "notion")
    named = json.loads((await desk.call("notion_read", action="list", query="launch")).content)
    assert [page["title"] for page in named["pages"]] == ["Launch plan"]
    none = json.loads((await desk.call("notion_read", action="list", query="salaries")).content)
    assert none["pages"] == []
    assert "chooses at Notion" in none["note"]
    with pytest.raises(ToolError, match=r"there is no such thing.*object_not_found"):
        await desk.read(desk.notion.add_page("Hidden", [], "ben@example.com"))


async def test_a_page_comes_as_markdown_with_all_that_is_nested(desk: Desk):
    text = (
        "# Plan\n\n- [ ] book\n  - the room\n    1. big\n\n> Hm.\n\n| a | b |\n| --- | --- |\n| 1 "
        "| 2 |"
    )
    page = desk.notion.add_page("Plan", blocks_of(text).blocks, ANN)
    desk.notion.most_in_page = 1
    address = f"https://www.notion.so/{page.replace('-', '')}"
    assert await desk.read(page) == f"# Plan\n{address}\n\n{text}"
    assert await desk.read(address) == await desk.read(page.replace("-", "").upper())
    only = await desk.read(page, query="ROOM")
    assert "the room" in only
    assert "| a |" not in only
    assert "No part of the page" in await desk.read(page, query="zebra")


async def test_a_long_page_is_cut_and_says_how_to_go_on(desk: Desk):
    long = desk.notion.add_page(
        "Long", blocks_of("\n\n".join(f"line {n} " + "x" * 90 for n in range(300))).blocks, ANN
    )
    shown = await desk.read(long)
    assert len(shown) < SHOWN_CHARS + 300
    assert "more characters. Give a query" in shown
    deep = desk.notion.add_page("Wide", blocks_of("- a\n  - b\n" * 200).blocks, ANN)
    before = len(desk.notion.calls)
    assert "was not read" in await desk.read(deep)
    assert len(desk.notion.calls) - before == MOST_REQUESTS + 1


async def test_a_page_is_created_and_appended_to_within_the_limits(desk: Desk):
    top = desk.notion.add_page("Team", [], ANN)
    content = "\n\n".join(f"Line {n}" for n in range(250)) + "\n\n![cat](https://x.example/c.png)"
    made = await desk.call(
        "notion_write", action="create", title="Log", parentPageId=top, content=content
    )
    told = json.loads(made.content)
    assert told["title"] == "Log"
    assert told["blocks"] == 251
    assert told["changed"] == [
        "pictures became links: a page that loads them would tell their server"
    ]
    assert [call.method for call in desk.notion.calls] == ["POST", "PATCH", "PATCH"]
    more = await desk.call(
        "notion_write", action="append", pageId=told["url"], content="- the end\n  - of it"
    )
    assert json.loads(more.content) == {"id": told["id"], "blocks": 2}
    written = desk.notion.whole(told["id"])
    assert len(written) == 252
    assert written[-1]["bulleted_list_item"]["children"][0]["type"] == "bulleted_list_item"
    empty = await desk.call("notion_write", action="create", title="Empty", parentPageId=top)
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
        await desk.call("notion_write", **arguments)
    with pytest.raises(ToolError, match="read needs pageId"):
        await desk.call("notion_read", action="read")
    assert desk.notion.calls == []


async def test_a_write_that_broke_off_says_what_is_there_and_is_not_repeated(desk: Desk):
    top = desk.notion.add_page("Team", [], ANN)
    content = "\n\n".join(f"Line {n}" for n in range(250))
    desk.notion.dropped_after = 1
    made = await desk.call(
        "notion_write", action="create", title="Log", parentPageId=top, content=content
    )
    assert made.is_error
    told = json.loads(made.content)
    assert told["written"] == "100 of 250 blocks"
    assert "Whether the call took effect is unknown" in told["failed"]
    assert told["missing_from"] == "Line 100"
    assert len(desk.notion.calls) == 2
    desk.notion.faults = [(503, {})]
    with pytest.raises(ToolError, match="Whether the call took effect is unknown"):
        await desk.call("notion_write", action="append", pageId=top, content="x")
    assert len(desk.notion.calls) == 3


async def test_a_search_is_repeated_after_trouble_and_limits_are_waited_for(desk: Desk):
    desk.notion.faults = [(503, {}), (429, {"Retry_After": "3"})]
    assert json.loads((await desk.call("notion_read", action="list")).content)["pages"] == []
    desk.notion.faults = [(529, {"Retry_After": "500"})]
    with pytest.raises(ToolError, match="Try again in 500 seconds"):
        await desk.call("notion_read", action="list")


async def test_notion_tools_exist_only_while_the_connection_does(desk: Desk):
    assert desk.tools(desk.at.ann).keys() == {"notion_read", "notion_write"}
    assert desk.tools(desk.at.ben) == {}
    desk.at.provider.forget()
    with pytest.raises(ToolError, match="/connect notion") as refused:
        await desk.call("notion_read", action="list")
    assert "Ignore" not in str(refused.value)
    assert desk.tools(desk.at.ann) == {}


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
    tasks = desk.notion.add_database("Tasks", COLUMNS, ANN)
    desk.notion.add_database("Salaries", COLUMNS, "ben@example.com")
    desk.notion.most_in_page = 2
    for number in range(5):
        desk.notion.add_row(
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
    listed = json.loads((await desk.call("notion_read", action="list")).content)
    assert [one["title"] for one in listed["databases"]] == ["Tasks"]
    told = await desk.read(tasks)
    assert "A database with the columns Task (title), State (status)" in told
    assert told.count("- **Mow lawn") == 5
    first = "State: Open; Due: 2026-12-01; Who: Zoe; Links: 1 linked; Sum: 7; All: yes"
    assert first in told
    assert (await desk.read(tasks, query="open")).count("- **Mow lawn") == 1
    assert "No row of the database holds" in await desk.read(tasks, query="zebra")
    with pytest.raises(ToolError, match="object_not_found"):
        await desk.read("0" * 32)


async def test_a_page_that_is_created_below_a_database_is_a_row(desk: Desk):
    tasks = desk.notion.add_database("Tasks", COLUMNS, ANN)
    made = await desk.call(
        "notion_write", action="create", parentPageId=tasks, title="Buy milk", content="Two litres"
    )
    row = json.loads(made.content)["id"]
    assert desk.notion.pages[row].title == "Buy milk"
    assert "Two litres" in await desk.read(row)
    with pytest.raises(ToolError, match="object_not_found"):
        await desk.call("notion_write", action="create", parentPageId="0" * 32, title="Lost")
