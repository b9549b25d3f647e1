"""slack_list and slack_list_write with the real client, against a strict Slack."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Translations
from bot.domain.origins import Trust
from bot.domain.tool_context import NativeTool
from bot.errors import ToolError
from bot.plugins.slack.connector import SlackAccountConnector
from bot.testing.account_town import AccountTown, account_town
from bot.testing.contexts import make_context
from bot.testing.services.slack_accounts import SlackAccounts
from bot.testing.services.slack_lists import StoredLists

ANN, BEN = "ann@example.com", "ben@example.com"
COLUMNS: list[JsonObject] = [
    {"key": "name", "name": "Name", "type": "text", "is_primary_column": True},
    {"key": "note", "name": "Note", "type": "text"},
]
SELECT: JsonObject = {"name": "State", "type": "select"}


@dataclass
class Desk:
    at: AccountTown
    slack: SlackAccounts

    @property
    def lists(self) -> StoredLists:
        return self.slack.lists

    async def read(self, **arguments: Any) -> Any:
        return await self._call("slack_list", arguments)

    async def write(self, **arguments: Any) -> Any:
        return await self._call("slack_list_write", arguments)

    async def _call(self, name: str, arguments: JsonObject) -> Any:
        found = await self.at.call(SlackAccountConnector, name, arguments)
        assert (found.origin.trust, found.origin.source) == (Trust.EXTERNAL, "slack")
        assert found.private is (name == "slack_list")
        return json.loads(found.content)

    def tool(self) -> NativeTool[Any]:
        return self.at.tools(SlackAccountConnector, self.at.ann)["slack_list_write"]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with account_town(tmp_path, "slack") as at:
        slack = SlackAccounts()
        at.provider.api = slack
        await at.connect(at.ann)
        yield Desk(at, slack)


def cells(**values: Any) -> list[JsonObject]:
    return [{"column": name.replace("_", " "), "value": value} for name, value in values.items()]


async def test_a_list_is_made_filled_changed_and_read(desk: Desk):
    desk.slack.add_channel("design", ANN, BEN)
    columns = [
        {"name": "Task"},
        {"name": "Hours", "type": "number"},
        {"name": "State", "type": "select", "choices": ["open", "under way"]},
    ]
    made = await desk.write(action="create", title="Launch", columns=columns, todo=True)
    assert made["columns"] == {
        "Task": "text",
        "Hours": "number",
        "State": "select (open, under way)",
        "Completed": "todo_completed",
        "Assignee": "todo_assignee",
        "Due date": "todo_due_date",
    }
    id_ = made["id"]
    added = await desk.write(
        action="add",
        list=id_,
        cells=cells(task="Order <cake>", Hours=1.5, State="Under way", due_date="2026-12-01"),
        member=BEN,
    )
    assert (await desk.read(list=id_))["rows"] == [
        {
            "id": added["row"],
            "title": "Order <cake>",
            "cells": {
                "Hours": "1.5",
                "State": "under way",
                "Assignee": BEN,
                "Due date": "2026-12-01",
            },
        }
    ]
    await desk.write(action="change", list=id_, row=added["row"], cells=cells(Completed=True))
    (row,) = (await desk.read(list=made["id"]))["rows"]
    assert (row["cells"]["Completed"], row["cells"]["Hours"]) == ("yes", "1.5")
    await desk.write(action="remove", list=id_, row=added["row"])
    assert (await desk.read(list=id_))["rows"] == []


async def test_only_the_persons_own_lists_are_found_and_read(desk: Desk):
    own = desk.lists.add("Venues", ANN, COLUMNS)
    hidden = desk.lists.add("Secret venues", BEN, COLUMNS)
    desk.lists.add_row(own, "Town hall", "cheap")
    assert [one["id"] for one in (await desk.read(query="venues"))["lists"]] == [own]
    assert "hint" in await desk.read(query="nothing")
    read = await desk.read(list=f"https://team.slack.com/lists/T000001/{own}")
    assert read["rows"][0]["title"] == "Town hall"
    for call in (
        desk.read(list=hidden),
        desk.write(action="add", list=hidden, cells=cells(Name="x")),
    ):
        with pytest.raises(ToolError, match=r"file_not_found\)\. There is no such"):
            await call
    with pytest.raises(ToolError, match=r"list_not_found\)\. There is no such list"):
        await desk.write(action="remove", list=hidden, row="Rec000001")


async def test_what_may_only_be_read_is_not_changed(desk: Desk):
    id_ = desk.lists.add("Venues", BEN, COLUMNS)
    desk.lists.by_id[id_].access[ANN] = "read"
    row = desk.lists.add_row(id_, "Town hall")
    with pytest.raises(ToolError, match="restricted_action"):
        await desk.write(action="remove", list=id_, row=row)
    with pytest.raises(ToolError, match="restricted_action"):
        await desk.write(action="change", list=id_, row=row, cells=cells(Name="Mine"))
    assert desk.lists.by_id[id_].texts() == [["Town hall", ""]]


async def test_a_long_list_is_read_to_an_end_that_is_told(desk: Desk):
    id_ = desk.lists.add("Venues", ANN, COLUMNS)
    for number in range(120):
        desk.lists.add_row(id_, f"Venue {number}", "x" * 150)
    read = await desk.read(list=id_)
    assert "give a query" in read["more"]
    assert len(read["rows"]) < 80
    found = await desk.read(list=id_, query="119")
    assert [one["title"] for one in found["rows"]] == ["Venue 119"]
    assert "more" not in found
    for number in range(400):
        desk.lists.add_row(id_, f"Further {number}")
    assert "first 500 rows" in (await desk.read(list=id_, query="venue 3"))["more"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (cells(Price="x"), "no column 'Price'; slack_list shows those that it has$"),
        (cells(When="tomorrow"), "When takes a date like"),
        (cells(State="closed"), "State takes one of its own choices; slack_list shows them$"),
        (cells(Done="yes"), "Done takes true or false"),
        (cells(Who="Ben"), "Who takes a person: give their Slack id as member"),
    ],
)
async def test_cells_that_do_not_fit_are_named_before_anybody_is_asked(
    desk: Desk, given: list[JsonObject], words: str
):
    choices = {"choices": [{"value": "o", "label": "open", "color": "red"}]}
    id_ = desk.lists.add(
        "Venues",
        ANN,
        [
            COLUMNS[0],
            {"key": "when", "name": "When", "type": "date"},
            {"key": "state", "name": "State", "type": "select", "options": choices},
            {"key": "done", "name": "Done", "type": "checkbox"},
            {"key": "who", "name": "Who", "type": "user"},
        ],
    )
    tool = desk.tool()
    assert tool.check is not None
    asked = tool.arguments.model_validate({"action": "add", "list": id_, "cells": given})
    with pytest.raises(ToolError, match=words):
        await tool.check(make_context(desk.at.ann), asked)
    with pytest.raises(ToolError, match=words):
        await desk.write(action="add", list=id_, cells=given)
    assert desk.lists.by_id[id_].rows == {}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"action": "create"}, "create needs title"),
        ({"action": "add", "list": "F000001"}, "add needs cells"),
        ({"action": "change", "list": "F000001", "row": "R1"}, "change needs cells or member"),
        ({"action": "remove", "list": "F000001"}, "remove needs row"),
        ({"action": "remove", "list": "venues", "row": "R1"}, "takes an id"),
        ({"action": "share", "list": "F000001"}, "share needs channel or member"),
        (
            {"action": "create", "title": "x", "columns": [{"name": "Done", "type": "checkbox"}]},
            "the first column names the rows",
        ),
        (
            {"action": "create", "title": "x", "columns": [{"name": "A"}, {**SELECT}]},
            "a select needs choices",
        ),
    ],
)
async def test_wrong_fields_are_named(desk: Desk, arguments: JsonObject, words: str):
    with pytest.raises(ToolError, match=words):
        await desk.write(**arguments)
    assert desk.slack.calls == []


async def test_a_list_is_shared_to_read_unless_asked_otherwise(desk: Desk):
    design, id_ = desk.slack.add_channel("design", ANN, BEN), desk.lists.add("V", ANN, COLUMNS)
    await desk.write(action="share", list=id_, channel=design)
    await desk.write(action="share", list=id_, member=BEN, access="write")
    assert desk.lists.by_id[id_].access == {ANN: "owner", design: "read", BEN: "write"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"action": "create", "title": "Plan"}, "make the Slack list"),
        (
            {"action": "add", "list": "F1", "cells": cells(Name="Hall"), "member": "U1"},
            "Name: Hall",
        ),
        ({"action": "change", "list": "F1", "row": "R1", "cells": cells(Name="Hall")}, "row 'R1'"),
        ({"action": "remove", "list": "F1", "row": "R1"}, "remove the row"),
        ({"action": "share", "list": "F1", "channel": "C1", "access": "write"}, "change"),
    ],
)
async def test_the_card_says_what_the_call_would_do(desk: Desk, arguments: JsonObject, words: str):
    tool = desk.tool()
    assert tool.tells is not None
    told = await tool.tells(make_context(desk.at.ann), tool.arguments.model_validate(arguments))
    assert isinstance(told, Translations)
    assert words in told.said(Language.EN).replace("`", "'")


async def test_a_row_is_not_added_twice_after_doubt(desk: Desk):
    id_ = desk.lists.add("Venues", ANN, COLUMNS)
    desk.slack.dropped_after = 1
    with pytest.raises(ToolError, match="Whether the call took effect is unknown"):
        await desk.write(action="add", list=id_, cells=cells(Name="once"))
    assert desk.lists.by_id[id_].texts() == [["once", ""]]
