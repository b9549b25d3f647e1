"""/todos/{slug}.md: the same todos as those of manage_todos."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.connectors.todos import TodosConnector
from bot.connectors.todos.files import TodoText, parse, render
from bot.connectors.todos.store import Priority, TodoStatus
from bot.domain.places import Reach
from bot.domain.tool_context import NativeTool
from bot.errors import ToolError, UnitRejected
from bot.files.tools import file_tools
from bot.files.virtual import VirtualFiles
from bot.testing.contexts import a_place
from bot.testing.desk import Desk
from tests.thoroughness import examples

PATH = "/todos/call-marie.md"
WHOLE = """\
---
title: Call Marie
status: waiting
priority: high
due: 2026-11-27T15:00+01:00
waiting_for: her number
wake_at: 2026-11-25T09:00+01:00
---

## Summary

Ask about the budget.

## Notes

- 21 November: no number yet.
"""


class House:
    """The tool and the file tools over one database."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        connector = TodosConnector(desk.database)
        self.todos = desk.tool(connector, "manage_todos")
        self.tools: dict[str, NativeTool[Any]] = {
            tool.name: tool for tool in file_tools(VirtualFiles(connector.file_sources()))
        }

    async def read(self, path: str = PATH, **how: Any) -> str:
        return (await self.desk.result(self.tools["read_file"], {"path": path}, **how)).content

    async def write(self, text: str, path: str = PATH, **how: Any) -> str:
        return (
            await self.desk.result(self.tools["write_file"], {"path": path, "content": text}, **how)
        ).content

    async def edit(self, old: str, new: str, path: str = PATH, **how: Any) -> str:
        given = {"path": path, "old": old, "new": new}
        return (await self.desk.result(self.tools["edit_file"], given, **how)).content

    async def delete(self, path: str = PATH, **how: Any) -> str:
        return (await self.desk.result(self.tools["delete_file"], {"path": path}, **how)).content

    async def files(self, **how: Any) -> str:
        return (
            await self.desk.result(self.tools["list_directory"], {"path": "/todos"}, **how)
        ).content

    async def listed(self, **how: Any) -> list[dict[str, Any]]:
        return (await self.desk.call(self.todos, {"action": "list"}, **how))["todos"]

    async def ringing(self) -> list[str]:
        rows = await self.desk.database.read(
            "SELECT next_due FROM schedules WHERE next_due IS NOT NULL ORDER BY 1"
        )
        return [row["next_due"][:16] for row in rows]


@pytest.fixture
def house(desk: Desk) -> House:
    return House(desk)


async def test_a_written_file_is_a_todo_of_the_tool_and_rings(house: House):
    await house.write(WHOLE)
    (todo,) = await house.listed()
    assert (todo["title"], todo["status"], todo["priority"]) == ("Call Marie", "waiting", "high")
    assert (todo["waitingFor"], todo["description"]) == ("her number", "Ask about the budget.")
    assert todo["dueDate"] == "2026-11-27T15:00+01:00"
    assert await house.ringing() == ["2026-11-25T08:00", "2026-11-27T14:00"]
    assert await house.read() == WHOLE.replace("---\n\n##", f"id: {todo['id']}\n---\n\n##")


async def test_todos_of_the_tool_are_files(house: House):
    made = await house.desk.call(
        house.todos, {"action": "create", "title": "Buy milk!", "dueDate": "2026-11-24"}
    )
    path = f"/todos/buy-milk-{made['id']}.md"
    assert f"buy-milk-{made['id']}.md (open)" in await house.files()
    assert "due: '2026-11-24'" in await house.read(path)
    await house.desk.call(
        house.todos, {"action": "update", "todoId": made["id"], "title": "Buy bread"}
    )
    assert "title: Buy bread" in await house.read(path)
    await house.desk.call(house.todos, {"action": "complete", "todoId": made["id"]})
    assert "status: done" in await house.read(path)


async def test_each_status_is_reached_by_writing_and_moves_what_rings(house: House):
    await house.write(WHOLE)
    text = await house.read()
    waits = text[text.index("waiting_for") : text.index("id: ")]
    await house.write(text.replace("status: waiting", "status: open").replace(waits, ""))
    (todo,) = await house.listed()
    assert (todo["status"], "waitingFor" in todo, "wakes" in todo) == ("open", False, False)
    assert await house.ringing() == ["2026-11-27T14:00"]
    await house.edit("status: open", "status: done")
    assert [one["status"] for one in await house.listed()] == ["done"]
    assert await house.ringing() == []
    await house.edit("status: done", "status: dismissed")
    assert [one["status"] for one in await house.listed()] == ["dismissed"]
    await house.edit("status: dismissed", "status: open")
    assert [one["status"] for one in await house.listed()] == ["open"]
    assert await house.ringing() == ["2026-11-27T14:00"]
    await house.delete()
    assert await house.listed() == []
    assert await house.ringing() == []


async def test_a_wait_without_its_time_goes_on_without_it(house: House):
    await house.write(WHOLE)
    text = await house.read()
    line = next(one for one in text.splitlines() if one.startswith("wake_at"))
    await house.edit(f"{line}\n", "")
    (todo,) = await house.listed()
    assert (todo["status"], todo["waitingFor"], "wakes" in todo) == ("waiting", "her number", False)
    assert await house.ringing() == ["2026-11-27T14:00"]


async def test_a_new_file_with_the_id_of_a_todo_renames_it(house: House):
    await house.write(WHOLE)
    text = await house.read()
    await house.write(text.replace("Call Marie", "Ring Marie"), "/todos/ring-marie.md")
    assert "call-marie" not in await house.files()
    assert [one["title"] for one in await house.listed()] == ["Ring Marie"]
    with pytest.raises(ToolError, match="id: there is no todo"):
        await house.write(text, "/todos/theirs.md", person="ben")


async def test_notes_grow_without_touching_the_rest(house: House):
    await house.write(WHOLE)
    await house.edit("no number yet.", "no number yet.\n- 22 November: Tom has it.")
    assert (await house.read()).endswith("- 22 November: Tom has it.\n")
    assert len(await house.ringing()) == 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "status: waiting",
            "status: stuck",
            r"line 3: status: 'stuck' is none of open, waiting, done, dismissed",
        ),
        ("priority: high", "priority: urgent", r"line 4: priority: 'urgent' is none of"),
        ("due: 2026-11-27T15:00+01:00", "due: someday", r"line 5: due: 'someday'"),
        ("wake_at: 2026-11-25T09:00+01:00", "wake_at: soonish", r"line 7: wake_at: 'soonish'"),
        ("priority: high", "prio: high", r"line 4: prio: a todo has no such field"),
        ("title: Call Marie", "title:", r"line 2: title: is missing"),
        (
            "status: waiting",
            "status: open",
            r"line 6: waiting_for: only counts with status: waiting",
        ),
        ("priority: high", "repeats: sometimes", r"line 4: repeats: 'sometimes'"),
        ("## Summary", "Just text", r"line 10: the body begins with ## Summary"),
    ],
)
async def test_a_file_with_a_mistake_is_refused_with_line_and_field(
    house: House, old: str, new: str, said: str
):
    with pytest.raises(ToolError, match=said):
        await house.write(WHOLE.replace(old, new))
    assert await house.listed() == []


@pytest.mark.parametrize(
    "name", ["Call.md", "a/b.md", "call marie.md", "call", "-.md", "call_marie.md", ".md"]
)
async def test_only_one_spelling_names_a_todo(house: House, name: str):
    with pytest.raises(ToolError, match="write /todos/"):
        await house.write(WHOLE, f"/todos/{name}")


async def test_a_change_in_between_is_not_undone(house: House):
    await house.write(WHOLE)
    (todo,) = await house.listed()
    text = await house.read()
    given = {"path": PATH, "content": text.replace("budget", "figures")}
    late = await house.desk.result(house.tools["write_file"], given, commit=False)
    await house.desk.call(
        house.todos, {"action": "update", "todoId": todo["id"], "title": "Write to Marie"}
    )
    with pytest.raises(UnitRejected):
        await house.desk.database.write(late.unit)
    assert "title: Write to Marie" in await house.read()


async def test_a_private_todo_has_no_file_in_a_shared_place(house: House):
    await house.write(WHOLE, at=a_place(Reach.DM))
    shared = a_place(Reach.PUBLIC)
    assert "call-marie" not in await house.files(at=shared)
    assert "1 more is private" in await house.files(at=shared)
    with pytest.raises(ToolError, match="private"):
        await house.read(at=shared)
    with pytest.raises(ToolError, match="private"):
        await house.write(WHOLE, at=shared)
    with pytest.raises(ToolError, match="no file"):
        await house.read(person="ben")


async def test_a_todo_that_is_assigned_in_its_file_is_worked_on(house: House):
    await house.write("---\ntitle: Sort the list\nassigned: true\n---\n")
    rows = await house.desk.database.read("SELECT body FROM schedules")
    assert ['"kind":"todo"' in row["body"].replace(" ", "") for row in rows] == [True]


async def test_one_that_repeats_and_is_done_is_due_again(house: House):
    await house.write("---\ntitle: Water the plants\nrepeats: every monday at 9\n---\n")
    assert await house.ringing() == ["2026-11-23T08:00"]
    await house.edit("status: open", "status: done")
    (todo,) = await house.listed()
    assert (todo["status"], todo["dueDate"]) == ("open", "2026-11-30T09:00+01:00")
    assert await house.ringing() == ["2026-11-30T08:00"]


_words = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=20).map(
    lambda text: " ".join(text.split())
)


@example("0E0", "1e5", "2026-11-27", TodoStatus.WAITING, Priority.LOW, False)
@settings(max_examples=examples(60), deadline=None)
@given(
    _words.filter(bool),
    _words,
    _words,
    st.sampled_from(TodoStatus),
    st.sampled_from(Priority),
    st.booleans(),
)
def test_what_is_written_is_read_back(
    title: str, wait: str, summary: str, status: TodoStatus, priority: Priority, assigned: bool
):
    waits = status is TodoStatus.WAITING
    text = TodoText(
        title=title,
        status=status,
        priority=priority,
        due="2026-11-27",
        waiting_for=(wait or "an answer") if waits else "",
        assigned=assigned,
        id="123456",
        summary=summary.lstrip("# "),
        notes="## Notes\n\n- one",
    )
    assert parse(render(text), PATH) == text
