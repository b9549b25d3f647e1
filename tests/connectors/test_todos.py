"""manage_todos: its four actions on one list per person."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from bot.connectors.todos import TodosConnector
from bot.domain.database import Unit
from bot.domain.languages import Language, Translations
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import NativeTool
from bot.errors import ToolError, UnitRejected
from bot.testing.contexts import make_context, make_person
from bot.testing.desk import Desk


@pytest.fixture
def todos(desk: Desk) -> NativeTool[Any]:
    return desk.tool(TodosConnector(desk.database), "manage_todos")


def titles(rows: Sequence[dict[str, Any]]) -> list[str]:
    return [row["title"] for row in rows]


async def create(desk: Desk, todos: NativeTool[Any], title: str, **more: Any) -> dict[str, Any]:
    return await desk.call(todos, {"action": "create", "title": title, **more})


async def listed(desk: Desk, todos: NativeTool[Any], **how: Any) -> list[dict[str, Any]]:
    return (await desk.call(todos, {"action": "list"}, **how))["todos"]


async def test_a_new_todo_is_open_medium_and_listed(desk: Desk, todos: NativeTool[Any]):
    made = await create(desk, todos, "  Buy\n milk ")
    assert made == {
        "id": made["id"],
        "title": "Buy milk",
        "status": "open",
        "priority": "medium",
        "created": "2026-11-21",
    }
    assert titles(await listed(desk, todos)) == ["Buy milk"]


async def test_how_often_it_comes_is_told_in_words(desk: Desk, todos: NativeTool[Any]):
    made = await create(desk, todos, "Rent", repeats="am letzten Freitag im Monat")
    assert made["repeats"] == "every month on the last Friday at 09:00 (Europe/Berlin)"
    (row,) = await listed(desk, todos)
    assert row["repeats"] == made["repeats"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"action": "create", "title": "Pay eve_x@evil.example", "repeats": "mondays at 9"},
            "put the todo “Pay eve_x@evil.example” on their list, again and again: “mondays at 9”",
        ),
        (
            {"action": "update", "todoId": "TODO", "title": "Sell", "wakeAt": "tomorrow"},
            "change the todo “Buy” → “Sell”, to come back: “tomorrow”",
        ),
        (
            {"action": "update", "todoId": "TODO", "assign": True},
            "change the todo “Buy”, which I then do by myself",
        ),
        (
            {"action": "update", "todoId": "TODO", "assign": False},
            "change the todo “Buy”, which I then leave to them",
        ),
    ],
)
async def test_a_card_says_all_that_a_todo_gets(
    desk: Desk, todos: NativeTool[Any], given: dict[str, Any], told: str
):
    made = await create(desk, todos, "Buy")
    given = {name: made["id"] if one == "TODO" else one for name, one in given.items()}
    assert todos.tells is not None
    said = await todos.tells(make_context(make_person("ann")), todos.arguments(**given))
    assert isinstance(said, Translations)
    assert said.said(Language.EN) == told


async def test_open_ones_come_first_by_due_date_and_priority_then_done_ones(
    desk: Desk, todos: NativeTool[Any]
):
    await create(desk, todos, "someday")
    await create(desk, todos, "someday, but important", priority="high")
    await create(desk, todos, "december", dueDate="2026-12-01")
    await create(desk, todos, "friday", dueDate="2026-11-27T09:00", priority="low")
    finished = await create(desk, todos, "finished")
    await desk.call(todos, {"action": "complete", "todoId": finished["id"]})
    rows = await listed(desk, todos)
    assert titles(rows) == ["friday", "december", "someday, but important", "someday", "finished"]
    assert rows[-1]["status"] == "done"
    assert rows[-1]["completed"] == "2026-11-21"


async def test_update_changes_only_what_is_given(desk: Desk, todos: NativeTool[Any]):
    made = await create(
        desk,
        todos,
        "call Marie",
        description="about the trip",
        dueDate="2026-11-28",
        priority="high",
    )
    changed = await desk.call(
        todos, {"action": "update", "todoId": made["id"], "title": "call Marie and Jo"}
    )
    assert changed == {**made, "title": "call Marie and Jo"}
    cleared = await desk.call(
        todos, {"action": "update", "todoId": made["id"], "dueDate": "", "description": ""}
    )
    assert "dueDate" not in cleared
    assert "description" not in cleared
    assert await listed(desk, todos) == [cleared]


async def test_parallel_calls_get_their_own_ids_and_do_not_undo_each_other(
    desk: Desk, todos: NativeTool[Any]
):
    made = [
        await desk.result(todos, {"action": "create", "title": "same"}, commit=False)
        for _ in range(3)
    ]
    await desk.database.write(Unit.joined(result.unit for result in made))
    ids = [json.loads(result.content)["id"] for result in made]
    assert len(set(ids)) == 3
    changes = [
        await desk.result(todos, {"action": "update", "todoId": ids[0], **change}, commit=False)
        for change in ({"title": "other"}, {"priority": "low"}, {"dueDate": "2026-12-24"})
    ]
    await asyncio.gather(*(desk.database.write(change.unit) for change in changes))
    row = await desk.call(todos, {"action": "list", "todoId": ids[0]})
    assert (row["title"], row["priority"], row["dueDate"]) == ("other", "low", "2026-12-24")


async def test_the_same_call_again_would_get_the_same_id_and_cannot_double(
    desk: Desk, todos: NativeTool[Any]
):
    first = await desk.result(todos, {"action": "create", "title": "once"}, commit=False)
    desk.calls -= 1
    again = await desk.result(todos, {"action": "create", "title": "once"}, commit=False)
    assert first.content == again.content
    await desk.database.write(first.unit)
    with pytest.raises(Exception, match="UNIQUE"):
        await desk.database.write(again.unit)


async def test_completing_twice_is_no_error_and_writes_nothing(desk: Desk, todos: NativeTool[Any]):
    made = await create(desk, todos, "once")
    await desk.call(todos, {"action": "complete", "todoId": made["id"].upper()})
    again = await desk.result(todos, {"action": "complete", "todoId": made["id"]})
    assert not again.unit
    assert json.loads(again.content)["status"] == "done"


@pytest.mark.parametrize("action", ["complete", "update", "list"])
async def test_another_persons_todo_is_not_found(action: str, desk: Desk, todos: NativeTool[Any]):
    made = await create(desk, todos, "Ann's secret")
    with pytest.raises(ToolError, match="not found") as caught:
        await desk.result(
            todos, {"action": action, "todoId": made["id"], "title": "x"}, person="ben"
        )
    assert "secret" not in str(caught.value)
    assert await listed(desk, todos, person="ben") == []


async def test_a_write_is_fenced_to_its_owner(desk: Desk, todos: NativeTool[Any]):
    made = await create(desk, todos, "mine")
    done = await desk.result(todos, {"action": "complete", "todoId": made["id"]}, commit=False)
    stolen = done.unit.writes[0]
    with pytest.raises(UnitRejected):
        await desk.database.write(
            Unit.of(type(stolen)(stolen.sql, (*stolen.params[:-1], "ben"), stolen.rows))
        )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"action": "create"}, "needs a title"),
        ({"action": "create", "title": "   "}, "needs a title"),
        ({"action": "create", "title": "x" * 201}, "limit is 200"),
        ({"action": "create", "title": "x", "dueDate": "someday"}, "today is Saturday 2026-11-21"),
        ({"action": "complete"}, "needs a todoId"),
        ({"action": "update", "todoId": "zzzzzz", "title": "x"}, "not found"),
    ],
)
async def test_impossible_calls_say_what_to_do_instead(
    arguments: dict[str, Any], problem: str, desk: Desk, todos: NativeTool[Any]
):
    with pytest.raises(ToolError, match=problem):
        await desk.result(todos, arguments)


async def test_an_update_that_changes_nothing_is_refused(desk: Desk, todos: NativeTool[Any]):
    made = await create(desk, todos, "x")
    with pytest.raises(ToolError, match="something to change"):
        await desk.result(todos, {"action": "update", "todoId": made["id"]})


async def test_due_times_are_stored_in_utc_and_shown_in_the_persons_zone(
    desk: Desk, todos: NativeTool[Any]
):
    made = await create(desk, todos, "meet", dueDate="2026-11-28T15:00")
    assert made["dueDate"] == "2026-11-28T15:00+01:00"
    row = await desk.database.read_one("SELECT due_date FROM todos")
    assert row is not None
    assert row["due_date"] == "2026-11-28T14:00:00.000000+00:00"


async def test_a_list_is_bounded_and_says_how_many_are_left_out(desk: Desk, todos: NativeTool[Any]):
    for number in range(55):
        await create(desk, todos, f"todo {number}", description="y" * 1000)
    answer = await desk.call(todos, {"action": "list"})
    assert len(answer["todos"]) == 50
    assert answer["not_shown"] == 5
    assert len(answer["todos"][0]["description"]) == 201
    full = await desk.call(todos, {"action": "list", "todoId": answer["todos"][0]["id"]})
    assert len(full["description"]) == 1000


async def test_taint_and_privacy_stay_with_the_row(desk: Desk, todos: NativeTool[Any]):
    page = Origin(Trust.EXTERNAL, "tool:web_fetch")
    made = await desk.call(todos, {"action": "create", "title": "from a page"}, origin=page)
    result = await desk.result(todos, {"action": "list"})
    assert result.origin.trust is Trust.EXTERNAL
    assert result.private
    shared = await desk.call(todos, {"action": "list"}, private=False)
    assert shared == {"todos": [], "left_out": "1 more is private; ask me in a DM"}
    for action in ("list", "complete", "dismiss", "delete"):
        with pytest.raises(ToolError, match="the person can ask for it in a DM"):
            await desk.result(todos, {"action": action, "todoId": made["id"]}, private=False)


async def test_a_todo_is_dismissed_or_deleted(desk: Desk, todos: NativeTool[Any]):
    bread, milk = [(await create(desk, todos, title))["id"] for title in ("buy bread", "buy milk")]
    dismissed = await desk.call(todos, {"action": "dismiss", "todoId": bread})
    assert (dismissed["status"], "completed" in dismissed) == ("dismissed", False)
    with pytest.raises(ToolError, match="is dismissed already"):
        await desk.call(todos, {"action": "dismiss", "todoId": bread})
    assert await desk.call(todos, {"action": "delete", "todoId": milk}) == {
        "deleted": milk,
        "title": "buy milk",
    }
    left = (await desk.call(todos, {"action": "list"}))["todos"]
    assert [(todo["title"], todo["status"]) for todo in left] == [("buy bread", "dismissed")]
    with pytest.raises(ToolError, match="not found"):
        await desk.call(todos, {"action": "delete", "todoId": milk})
    with pytest.raises(ToolError, match="not found"):
        await desk.call(todos, {"action": "delete", "todoId": bread}, person="ben")


async def test_an_empty_list_says_what_was_looked_through_and_names_no_missing_tool(
    desk: Desk, todos: NativeTool[Any]
):
    told = await desk.call(todos, {"action": "list"})
    nothing = "nothing of theirs is open, waiting or lately done; others' lists are private"
    assert told["hint"] == nothing
    await create(desk, todos, "milk")
    assert "hint" not in await desk.call(todos, {"action": "list"})
