"""slack_list and slack_list_write with the real client, against a strict Slack."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from bot.domain.json_types import JsonObject
from bot.errors import ToolError
from bot.plugins.slack.connector import SlackAccountConnector
from bot.testing.account_town import ServiceDesk, service_desk
from bot.testing.services.slack_accounts import SlackAccounts
from bot.testing.services.slack_lists import StoredLists

ANN, BEN = "ann@example.com", "ben@example.com"
COLUMNS: list[JsonObject] = [
    {"key": "name", "name": "Name", "type": "text", "is_primary_column": True},
    {"key": "note", "name": "Note", "type": "text"},
]
SELECT: JsonObject = {"name": "State", "type": "select"}


Desk: TypeAlias = ServiceDesk[SlackAccounts]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with service_desk(tmp_path, "slack", SlackAccounts(), SlackAccountConnector) as desk:
        yield desk


@pytest.fixture
def lists(desk: Desk) -> StoredLists:
    return desk.api.lists


async def read(desk: Desk, **arguments: Any) -> Any:
    found = await desk.result("slack_list", **arguments)
    assert found.private
    return json.loads(found.content)


async def write(desk: Desk, action: str, **arguments: Any) -> Any:
    found = await desk.result("slack_list_write", action=action, **arguments)
    assert not found.private
    return json.loads(found.content)


def cells(**values: Any) -> list[JsonObject]:
    return [{"column": name.replace("_", " "), "value": value} for name, value in values.items()]


async def test_a_list_is_made_filled_changed_and_read(desk: Desk):
    desk.api.add_channel("design", ANN, BEN)
    columns = [
        {"name": "Task"},
        {"name": "Hours", "type": "number"},
        {"name": "State", "type": "select", "choices": ["open", "under way"]},
    ]
    made = await write(desk, "create", title="Launch", columns=columns, todo=True)
    assert made["columns"] == {
        "Task": "text",
        "Hours": "number",
        "State": "select (open, under way)",
        "Completed": "todo_completed",
        "Assignee": "todo_assignee",
        "Due date": "todo_due_date",
    }
    id_ = made["id"]
    added = await write(
        desk,
        "add",
        list=id_,
        cells=cells(task="Order <cake>", Hours=1.5, State="Under way", due_date="2026-12-01"),
        member=BEN,
    )
    (row,) = (await read(desk, list=id_))["rows"]
    assert (row["id"], row["title"]) == (added["row"], "Order <cake>")
    state = {"Hours": "1.5", "State": "under way"}
    assert row["cells"] == {**state, "Assignee": BEN, "Due date": "2026-12-01"}
    await write(desk, "change", list=id_, row=added["row"], cells=cells(Completed=True))
    (row,) = (await read(desk, list=made["id"]))["rows"]
    assert (row["cells"]["Completed"], row["cells"]["Hours"]) == ("yes", "1.5")
    await write(desk, "remove", list=id_, row=added["row"])
    assert (await read(desk, list=id_))["rows"] == []


async def test_only_the_persons_own_lists_are_found_and_read(desk: Desk, lists: StoredLists):
    own = lists.add("Venues", ANN, COLUMNS)
    hidden = lists.add("Secret venues", BEN, COLUMNS)
    lists.add_row(own, "Town hall", "cheap")
    assert [one["id"] for one in (await read(desk, query="venues"))["lists"]] == [own]
    assert "hint" in await read(desk, query="nothing")
    told = await read(desk, list=f"https://team.slack.com/lists/T000001/{own}")
    assert told["rows"][0]["title"] == "Town hall"
    for call in (read(desk, list=hidden), write(desk, "add", list=hidden, cells=cells(Name="x"))):
        with pytest.raises(ToolError, match=r"file_not_found\)\. There is no such"):
            await call
    with pytest.raises(ToolError, match=r"list_not_found\)\. There is no such list"):
        await write(desk, "remove", list=hidden, row="Rec000001")


async def test_what_may_only_be_read_is_not_changed(desk: Desk, lists: StoredLists):
    id_ = lists.add("Venues", BEN, COLUMNS)
    lists.by_id[id_].access[ANN] = "read"
    row = lists.add_row(id_, "Town hall")
    with pytest.raises(ToolError, match="restricted_action"):
        await write(desk, "remove", list=id_, row=row)
    with pytest.raises(ToolError, match="restricted_action"):
        await write(desk, "change", list=id_, row=row, cells=cells(Name="Mine"))
    assert lists.by_id[id_].texts() == [["Town hall", ""]]


async def test_a_long_list_is_read_to_an_end_that_is_told(desk: Desk, lists: StoredLists):
    id_ = lists.add("Venues", ANN, COLUMNS)
    for number in range(120):
        lists.add_row(id_, f"Venue {number}", "x" * 150)
    told = await read(desk, list=id_)
    assert "give a query" in told["more"]
    assert len(told["rows"]) < 80
    found = await read(desk, list=id_, query="119")
    assert [one["title"] for one in found["rows"]] == ["Venue 119"]
    assert "more" not in found
    for number in range(400):
        lists.add_row(id_, f"Further {number}")
    assert "first 500 rows" in (await read(desk, list=id_, query="venue 3"))["more"]


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
    desk: Desk, lists: StoredLists, given: list[JsonObject], words: str
):
    choices = {"choices": [{"value": "o", "label": "open", "color": "red"}]}
    columns: list[JsonObject] = [
        COLUMNS[0],
        {"key": "when", "name": "When", "type": "date"},
        {"key": "state", "name": "State", "type": "select", "options": choices},
        {"key": "done", "name": "Done", "type": "checkbox"},
        {"key": "who", "name": "Who", "type": "user"},
    ]
    id_ = lists.add("Venues", ANN, columns)
    with pytest.raises(ToolError, match=words):
        await desk.checked("slack_list_write", action="add", list=id_, cells=given)
    with pytest.raises(ToolError, match=words):
        await write(desk, "add", list=id_, cells=given)
    assert lists.by_id[id_].rows == {}


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
        await write(desk, **arguments)
    assert desk.api.calls == []


async def test_a_list_is_shared_to_read_unless_asked_otherwise(desk: Desk, lists: StoredLists):
    design, id_ = desk.api.add_channel("design", ANN, BEN), lists.add("V", ANN, COLUMNS)
    await write(desk, "share", list=id_, channel=design)
    await write(desk, "share", list=id_, member=BEN, access="write")
    assert lists.by_id[id_].access == {ANN: "owner", design: "read", BEN: "write"}


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
    assert words in (await desk.card("slack_list_write", **arguments)).replace("`", "'")


async def test_a_row_is_not_added_twice_after_doubt(desk: Desk, lists: StoredLists):
    id_ = lists.add("Venues", ANN, COLUMNS)
    desk.api.dropped_after = 1
    with pytest.raises(ToolError, match="Whether the call took effect is unknown"):
        await write(desk, "add", list=id_, cells=cells(Name="once"))
    assert lists.by_id[id_].texts() == [["once", ""]]
