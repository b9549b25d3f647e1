"""manage_todos: list, create, complete, dismiss, delete, update (seed 3)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.clock import format_utc, parse_utc
from bot.connectors.due_dates import due_in_words, local, parse_due, show_due
from bot.connectors.records import Provenance, new_id, one_line, showing, within
from bot.connectors.todos import store
from bot.connectors.todos.store import Change, Priority, Todo, TodoRows, TodoStatus
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.privacy import left_out
from bot.domain.tools import NativeTool, ToolContext, ToolResult
from bot.errors import ToolError

TITLE_CHARS = 200
DESCRIPTION_CHARS = 4_000
SHOWN_ACTIVE = 50
SHOWN_CLOSED = 10
SHOWN_DESCRIPTION_CHARS = 200
"""A list shows this much of each description; a list with a todoId shows all of it."""


class ManageTodosArguments(BaseModel):
    """Exactly seed 3's parameters."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    action: Literal["list", "create", "complete", "update", "dismiss", "delete"]
    title: str | None = None
    todoId: str | None = Field(  # noqa: N815 - the name that seed 3 gives it
        default=None, description="With list: that one in full."
    )
    description: str | None = None
    priority: Literal["low", "medium", "high"] | None = None
    dueDate: str | None = Field(  # noqa: N815 - the name that seed 3 gives it
        default=None,
        description="As the person said it; empty text removes it.",
    )


def manage_todos(rows: TodoRows) -> NativeTool[ManageTodosArguments]:
    """The tool over one table; every call sees only the todos of `context.person`."""

    async def run(context: ToolContext, arguments: ManageTodosArguments) -> ToolResult:
        match arguments.action:
            case "list":
                return await _list(rows, context, arguments.todoId)
            case "create":
                return await _create(rows, context, arguments)
            case "complete":
                return await _complete(rows, context, arguments)
            case "update":
                return await _update(rows, context, arguments)
            case "dismiss":
                return await _dismiss(rows, context, arguments)
            case "delete":
                return await _delete(rows, context, arguments)

    return NativeTool("manage_todos", ManageTodosArguments, run)


async def _list(rows: TodoRows, context: ToolContext, todo_id: str | None) -> ToolResult:
    if todo_id:
        return _one(await _find(rows, context, todo_id, "list"), context, Unit(), "")
    seen = await rows.seen(context.viewer)
    todos = [*await rows.active(seen, SHOWN_ACTIVE), *await rows.closed(seen, SHOWN_CLOSED)]
    counts = await rows.counts(seen)
    answer: JsonObject = {"todos": [_shown(todo, context, SHOWN_DESCRIPTION_CHARS) for todo in todos]}
    if more := sum(counts.values()) - len(todos):
        answer["not_shown"] = more
    if seen.left_out:
        answer["left_out"] = left_out(seen.left_out)
    open_now = counts.get(TodoStatus.OPEN, 0)
    return _result(answer, todos, Unit(), f"{open_now} open todo{'' if open_now == 1 else 's'}")


async def _create(rows: TodoRows, context: ToolContext, arguments: ManageTodosArguments) -> ToolResult:
    title = one_line(arguments.title or "", "title", TITLE_CHARS)
    if not title:
        raise ToolError("create needs a title: say in a few words what is to be done")
    now = format_utc(context.now)
    todo = Todo(
        id=await new_id(context, rows.taken),
        owner=context.person.id,
        title=title,
        provenance=Provenance.of(context),
        created_at=now,
        updated_at=now,
        description=within(arguments.description or "", "description", DESCRIPTION_CHARS),
        priority=Priority(arguments.priority or Priority.MEDIUM),
        due_date=await parse_due(arguments.dueDate or "", "dueDate", context),
    )
    return _one(todo, context, store.insert(todo), f"added “{title}”")


async def _complete(rows: TodoRows, context: ToolContext, arguments: ManageTodosArguments) -> ToolResult:
    todo = await _find(rows, context, arguments.todoId, "complete")
    if todo.status is TodoStatus.DONE:
        return _one(todo, context, Unit(), f"“{todo.title}” was done already")
    now = format_utc(context.now)
    done = replace(todo, status=TodoStatus.DONE, completed_at=now, updated_at=now)
    return _one(done, context, store.close(todo, TodoStatus.DONE, now), f"done: “{todo.title}”")


async def _dismiss(rows: TodoRows, context: ToolContext, arguments: ManageTodosArguments) -> ToolResult:
    todo = await _find(rows, context, arguments.todoId, "dismiss")
    if todo.status.closed:
        raise ToolError(f"“{todo.title}” is {todo.status} already; delete removes it")
    now = format_utc(context.now)
    dismissed = replace(todo, status=TodoStatus.DISMISSED, updated_at=now)
    unit = store.close(todo, TodoStatus.DISMISSED, now)
    return _one(dismissed, context, unit, f"dismissed: “{todo.title}”")


async def _delete(rows: TodoRows, context: ToolContext, arguments: ManageTodosArguments) -> ToolResult:
    todo = await _find(rows, context, arguments.todoId, "delete")
    answer: JsonObject = {"deleted": todo.id, "title": todo.title}
    return _result(answer, [todo], store.delete(todo), f"deleted “{todo.title}”")


async def _update(rows: TodoRows, context: ToolContext, arguments: ManageTodosArguments) -> ToolResult:
    todo = await _find(rows, context, arguments.todoId, "update")
    change = await _change(context, arguments)
    if change == Change():
        raise ToolError("update needs something to change: title, description, priority or dueDate")
    now = format_utc(context.now)
    changed = replace(
        todo,
        title=todo.title if change.title is None else change.title,
        description=todo.description if change.description is None else change.description,
        priority=change.priority or todo.priority,
        due_date=None if change.clear_due else change.due_date or todo.due_date,
        updated_at=now,
    )
    provenance = todo.provenance.mixed_with(Provenance.of(context))
    unit = store.update(todo, change, provenance, now)
    return _one(replace(changed, provenance=provenance), context, unit, f"changed “{changed.title}”")


async def _change(context: ToolContext, arguments: ManageTodosArguments) -> Change:
    title = None if arguments.title is None else one_line(arguments.title, "title", TITLE_CHARS)
    if title == "":
        raise ToolError("the title can't be empty; leave it out to keep it")
    description = arguments.description
    due = None if arguments.dueDate is None else await parse_due(arguments.dueDate, "dueDate", context)
    return Change(
        title=title,
        description=None if description is None else within(description, "description", DESCRIPTION_CHARS),
        priority=None if arguments.priority is None else Priority(arguments.priority),
        due_date=due,
        clear_due=arguments.dueDate is not None and due is None,
    )


async def _find(rows: TodoRows, context: ToolContext, todo_id: str | None, action: str) -> Todo:
    if not todo_id:
        raise ToolError(f"{action} needs a todoId; call with action list to see the ids")
    todo = await rows.find(context.person.id, todo_id.lower().lstrip("#"))
    if todo is None:
        raise ToolError(f"todo {todo_id[:40]!r} not found; call with action list to see the ids")
    if not context.viewer.sees(todo.owner, todo.provenance.learned):
        raise ToolError(f"todo {todo.id} is private and not shown here; the person can ask for it in a DM")
    return todo


def _one(todo: Todo, context: ToolContext, unit: Unit, summary: str) -> ToolResult:
    shown = _shown(todo, context, DESCRIPTION_CHARS)
    if todo.due_date:
        shown["dueInWords"] = due_in_words(todo.due_date, context.timezone)
    return _result(shown, [todo], unit, summary)


def _result(answer: JsonObject, todos: Sequence[Todo], unit: Unit, summary: str) -> ToolResult:
    return showing([todo.provenance for todo in todos], answer, "manage_todos", unit=unit, summary=summary)


def _shown(todo: Todo, context: ToolContext, description_chars: int) -> JsonObject:
    description = todo.description
    if len(description) > description_chars:
        description = f"{description[:description_chars]}…"
    shown: JsonObject = {
        "id": todo.id,
        "title": todo.title,
        "status": str(todo.status),
        "priority": str(todo.priority),
        "dueDate": show_due(todo.due_date, context.timezone) if todo.due_date else None,
        "description": description,
        "waitingFor": todo.waiting_for,
        "created": _day(todo.created_at, context),
        "completed": _day(todo.completed_at, context),
    }
    return {key: value for key, value in shown.items() if value}


def _day(moment: str | None, context: ToolContext) -> str | None:
    return None if moment is None else local(parse_utc(moment), context.timezone).date().isoformat()
