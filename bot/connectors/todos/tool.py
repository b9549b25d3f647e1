"""manage_todos: list, create, complete, dismiss, delete, update; due todos ring."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from pydantic import Field

from bot.clock import format_utc, parse_utc
from bot.connectors.due_dates import due_in_words, local, parse_due, show_due, zone
from bot.connectors.native import ToolArguments
from bot.connectors.records import RecordProvenance, elsewhere, new_id, one_line, showing, within
from bot.connectors.todos import reminders, runs, store, wording
from bot.connectors.todos.store import Priority, Todo, TodoChange, TodoRows, TodoStatus
from bot.dates.repeats import read_repeat, spoken_repeat
from bot.dates.rules import is_rule
from bot.domain.access import INNER_RANK
from bot.domain.database import Unit
from bot.domain.deeds import Noun, ToolDeed
from bot.domain.json_types import JsonObject
from bot.domain.languages import Translations
from bot.domain.lasting import Kept, Lasting, Makes
from bot.domain.privacy import left_out
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import Rescheduled, ToolResult, Undoable
from bot.errors import ToolError, TurnError, raised_as
from bot.turns.schedules.cron import LEAST_MINUTES, MOST_OF_A_PERSON, first_due

TITLE_CHARS = 200
DESCRIPTION_CHARS = 4_000
SHOWN_ACTIVE = 50
SHOWN_CLOSED = 10
SHOWN_DESCRIPTION_CHARS = 200
"""Characters of each description in a list; a list with a todoId shows all of it."""
_NOT_ANY_MORE = "not any more: its time is over. Give a time to have it ring."


class ManageTodosArguments(ToolArguments):
    """The action decides which fields count."""

    action: Literal["list", "create", "complete", "update", "dismiss", "delete"]
    title: str | None = None
    todoId: str | None = None  # noqa: N815 - the name in its published schema
    description: str | None = None
    priority: Literal["low", "medium", "high"] | None = None
    dueDate: str | None = Field(  # noqa: N815 - the name in its published schema
        default=None,
        description="In their words: 'Friday next week', 'EOD'; empty removes it.",
    )
    repeats: str | None = Field(
        default=None, description="'weekdays 9', 'last day of each month', cron or RRULE"
    )
    waitingFor: str | None = None  # noqa: N815 - spelt as its siblings
    wakeAt: str | None = None  # noqa: N815
    assign: bool | None = Field(default=None, description="You do it, alone")


def manage_todos(tool: "TodoActions") -> NativeTool[ManageTodosArguments]:
    """The tool over one table; every call sees only the todos of `context.person`."""

    async def run(context: ToolContext, arguments: ManageTodosArguments) -> ToolResult:
        match arguments.action:
            case "list":
                return await tool.list(context, arguments.todoId)
            case "create":
                return await tool.create(context, arguments)
            case "complete":
                return await tool.complete(context, arguments.todoId)
            case "update":
                return await tool.update(context, arguments)
            case "dismiss":
                return await tool.dismiss(context, arguments.todoId)
            case "delete":
                return await tool.delete(context, arguments.todoId)

    return NativeTool(
        "manage_todos",
        ManageTodosArguments,
        run,
        pure=True,
        makes=tool.makes,
        tells=tool.tells,
        deed=ToolDeed(Noun.TODO, "title"),
        keeps=True,
    )


class TodoActions:
    """The actions on a person's todos, used by the tool and by writes to their files."""

    def __init__(self, rows: TodoRows) -> None:
        self._rows = rows

    async def makes(self, context: ToolContext, given: ManageTodosArguments) -> Sequence[Makes]:
        """A todo with a time rings or wakes; a deletion or a new text takes away what was.

        To move the reminder of a todo of the person's own is neither.
        """
        makes: list[Makes] = []
        if given.action not in {"create", "update", "delete"}:
            return makes
        changes = given.action != "create"
        todo = await self._find(context, given.todoId, given.action) if changes else None
        texts = (given.title or "", given.description or "", given.waitingFor or "")
        if _acts_later(given, todo, texts):
            makes.append(Makes(Lasting.ACTS_LATER, texts))
        if todo is not None:
            loses = given.action == "delete" or (
                (given.title or todo.title) != todo.title
                or todo.description not in (given.description or todo.description)
                or "" in (given.dueDate, given.repeats, given.waitingFor, given.wakeAt)
            )
            if loses:
                every = await self._rows.active(await self._rows.seen(context.viewer), SHOWN_ACTIVE)
                others = tuple(Kept(one.id, (one.title,)) for one in every if one.id != todo.id)
                kept = Kept(todo.id, (todo.title,))
                makes.append(Makes(Lasting.REPLACES, replaced=kept, others=others))
        return makes

    async def list(self, context: ToolContext, todo_id: str | None) -> ToolResult:
        if todo_id:
            return self._one(await self._find(context, todo_id, "list"), context, Unit(), "")
        seen = await self._rows.seen(context.viewer)
        todos = [
            *await self._rows.active(seen, SHOWN_ACTIVE),
            *await self._rows.closed(seen, SHOWN_CLOSED),
        ]
        counts = await self._rows.counts(seen)
        answer: JsonObject = {
            "todos": [_shown(todo, context, SHOWN_DESCRIPTION_CHARS) for todo in todos]
        }
        if not (todos or seen.left_out):
            nothing = "nothing of theirs is open, waiting or lately done; others' lists are private"
            answer["hint"] = nothing + elsewhere(context, schedule_task="schedules")
        if more := sum(counts.values()) - len(todos):
            answer["not_shown"] = more
        if seen.left_out:
            answer["left_out"] = left_out(seen.left_out)
        open_now = counts.get(TodoStatus.OPEN, 0)
        return _result(answer, todos, Unit(), f"{open_now} open todo{'' if open_now == 1 else 's'}")

    async def create(
        self,
        context: ToolContext,
        arguments: ManageTodosArguments,
        *,
        slug: str = "",
        notes: str = "",
        closed: TodoStatus | None = None,
    ) -> ToolResult:
        """Add a todo. `slug` names its file, `closed` is the status of one already closed."""
        title = one_line(arguments.title or "", "title", TITLE_CHARS)
        if not title:
            raise ToolError("create needs a title: say in a few words what is to be done")
        now = format_utc(context.now)
        repeats, first = self._repeats(arguments.repeats or "", context)
        waiting_for, wake_at = _waiting_for(arguments), await self._wake_at(arguments, context)
        todo = Todo(
            id=await new_id(context, self._rows.taken),
            owner=context.person.id,
            title=title,
            provenance=RecordProvenance.of(context),
            created_at=now,
            updated_at=now,
            description=within(arguments.description or "", "description", DESCRIPTION_CHARS),
            priority=Priority(arguments.priority or Priority.MEDIUM),
            due_date=await parse_due(arguments.dueDate or "", "dueDate", context) or first,
            repeats=repeats,
            zone=zone(context.timezone).key,
            status=closed or (TodoStatus.WAITING if waiting_for or wake_at else TodoStatus.OPEN),
            completed_at=now if closed is TodoStatus.DONE else None,
            slug=slug,
            notes=notes,
            waiting_for=waiting_for or "",
            wake_at=wake_at,
            assigned=bool(arguments.assign),
        )
        result = self._one(todo, context, store.insert(todo), f"added “{title}”")
        result = self._rung(result, todo, context) if todo.due_date and todo.active else result
        gone = store.unchanged(todo) + store.delete(todo) + reminders.silent(todo) + runs.idle(todo)
        result = replace(result, undo=(Undoable("todo", "added", title, gone),))
        return await self._started(result, todo, arguments, context)

    async def complete(self, context: ToolContext, todo_id: str | None) -> ToolResult:
        todo = await self._find(context, todo_id, "complete")
        if todo.status is TodoStatus.DONE:
            return self._one(todo, context, Unit(), f"“{todo.title}” was done already")
        unit, again = reminders.completed(todo, context.now)
        now = format_utc(context.now)
        if again is None:
            done = replace(todo, status=TodoStatus.DONE, completed_at=now, updated_at=now)
            result = self._one(done, context, unit, f"done: “{todo.title}”")
        else:
            next_time = replace(todo, due_date=format_utc(again), updated_at=now)
            result = self._one(next_time, context, unit, f"done for this time: “{todo.title}”")
        result = replace(result, undo=self._back(todo, "done", context))
        return replace(result, effects=(Rescheduled(),)) if todo.due_date else result

    async def tells(self, context: ToolContext, arguments: ManageTodosArguments) -> Translations:
        """For the card: the todo by its title, whatever the call names it by."""
        action, new = arguments.action, arguments.title or ""
        named = (new,)
        if action != "create":
            todo = await self._find(context, arguments.todoId, action)
            named = (todo.title, new) if new and action == "update" else (todo.title,)
        return wording.told(
            action,
            named,
            due=arguments.dueDate,
            repeats=arguments.repeats,
            wakes=arguments.wakeAt,
            assigned=arguments.assign,
        )

    async def dismiss(self, context: ToolContext, todo_id: str | None) -> ToolResult:
        todo = await self._find(context, todo_id, "dismiss")
        if todo.status.closed:
            raise ToolError(f"“{todo.title}” is {todo.status} already; delete removes it")
        now = format_utc(context.now)
        dismissed = replace(todo, status=TodoStatus.DISMISSED, updated_at=now)
        unit = (
            store.close(todo, TodoStatus.DISMISSED, now) + reminders.silent(todo) + runs.idle(todo)
        )
        result = self._one(dismissed, context, unit, f"dismissed: “{todo.title}”")
        undo = self._back(todo, "dismissed", context)
        return replace(result, undo=undo, effects=(Rescheduled(),))

    def _back(self, todo: Todo, done: str, context: ToolContext) -> tuple[Undoable, ...]:
        """How a closed todo gets back its state, its reminder and the run that wakes it."""
        at = reminders.rings_at(todo, reminders.MORNING, context.now)
        rings = reminders.ringing(todo, at, context.later, context.now, keep_place=True)
        wakes = runs.runs_at(todo, context.now, assigned_now=False)
        unit = store.put_back(todo) + rings
        if wakes is not None:
            unit += runs.running_at(todo, wakes, context.later, context.now, keep_place=True)
        return (Undoable("todo", done, todo.title, unit),)

    async def delete(self, context: ToolContext, todo_id: str | None) -> ToolResult:
        todo = await self._find(context, todo_id, "delete")
        answer: JsonObject = {"deleted": todo.id, "title": todo.title}
        unit = store.delete(todo) + reminders.silent(todo) + runs.idle(todo)
        return replace(
            _result(answer, [todo], unit, f"deleted “{todo.title}”"), effects=(Rescheduled(),)
        )

    async def update(self, context: ToolContext, arguments: ManageTodosArguments) -> ToolResult:
        todo = await self._find(context, arguments.todoId, "update")
        return await self.changed(context, todo, arguments)

    def reopened(self, context: ToolContext, todo: Todo) -> tuple[Todo, Unit]:
        """The todo as an open one that waits for nothing, and the update that makes it so."""
        fresh = replace(
            todo, status=TodoStatus.OPEN, waiting_for="", wake_at=None, completed_at=None
        )
        at = reminders.rings_at(fresh, reminders.MORNING, context.now)
        keep_place = not context.learned.private
        rings = reminders.ringing(fresh, at, context.later, context.now, keep_place=keep_place)
        return fresh, store.reopen(todo, format_utc(context.now)) + runs.idle(todo) + rings

    async def changed(
        self, context: ToolContext, todo: Todo, arguments: ManageTodosArguments
    ) -> ToolResult:
        """Change a todo that was already read."""
        change = await self._change(todo, context, arguments)
        if change == TodoChange():
            raise ToolError(
                "update needs something to change: title, description, priority, dueDate, "
                "repeats, …"
            )
        now = format_utc(context.now)
        changed = replace(
            todo,
            title=todo.title if change.title is None else change.title,
            description=todo.description if change.description is None else change.description,
            priority=change.priority or todo.priority,
            due_date=None if change.clear_due else change.due_date or todo.due_date,
            repeats=None if change.clear_repeats else change.repeats or todo.repeats,
            zone=change.zone or todo.zone,
            updated_at=now,
            status=_status(todo, change),
            waiting_for="" if change.reopen else change.waiting_for or todo.waiting_for,
            wake_at=None if change.reopen else change.wake_at or todo.wake_at,
            assigned=todo.assigned if change.assigned is None else change.assigned,
        )
        provenance = todo.provenance.mixed_with(RecordProvenance.of(context))
        changed = replace(changed, provenance=provenance)
        result = self._one(
            changed,
            context,
            store.update(todo, change, provenance, now),
            f"changed “{changed.title}”",
        )
        result = replace(result, undo=self._back(todo, "changed", context))
        moved = change.due_date or change.clear_due or change.repeats or change.clear_repeats
        result = self._rung(result, changed, context) if moved else result
        return await self._started(result, changed, arguments, context)

    async def _change(
        self, todo: Todo, context: ToolContext, arguments: ManageTodosArguments
    ) -> TodoChange:
        title = None if arguments.title is None else one_line(arguments.title, "title", TITLE_CHARS)
        if title == "":
            raise ToolError("the title can't be empty; leave it out to keep it")
        description = arguments.description
        repeats, first = self._repeats(arguments.repeats or "", context)
        due = (
            None
            if arguments.dueDate is None
            else await parse_due(arguments.dueDate, "dueDate", context)
        )
        clear_due = arguments.dueDate is not None and due is None and first is None
        waiting_for, wake_at = _waiting_for(arguments), await self._wake_at(arguments, context)
        return TodoChange(
            title=title,
            description=None
            if description is None
            else within(description, "description", DESCRIPTION_CHARS),
            priority=None if arguments.priority is None else Priority(arguments.priority),
            due_date=due or first,
            clear_due=clear_due,
            repeats=repeats,
            clear_repeats=(arguments.repeats is not None and repeats is None)
            or (clear_due and todo.repeats is not None),
            zone=zone(context.timezone).key if due or first else None,
            waiting_for=waiting_for or None,
            wake_at=wake_at,
            reopen=not (waiting_for or wake_at) and "" in (arguments.waitingFor, arguments.wakeAt),
            assigned=arguments.assign,
        )

    def _repeats(self, text: str, context: ToolContext) -> tuple[str | None, str | None]:
        """The cron expression or rule of a phrase, and its first due time.

        Raises ToolError for an unreadable phrase.
        """
        if not (text := text.strip()):
            return None, None
        written = is_rule(text) or (len(text.split()) == 5 and text[0] in "*0123456789")
        now = local(context.now, context.timezone).replace(tzinfo=None)
        cron = text if written else read_repeat(text, reminders.MORNING, now)
        if cron is None:
            raise ToolError(
                f"repeats: {text[:40]!r} can't be read; say for example 'every weekday at 9 until"
                " 31 May', 'every other Tuesday at 17:00, 5 times' or 'every month on the last"
                " day', or give cron of five fields"
            )
        with raised_as(ToolError, TurnError, about="repeats"):
            least = timedelta(minutes=LEAST_MINUTES)
            return cron, format_utc(first_due(cron, zone(context.timezone).key, context.now, least))

    async def _wake_at(self, arguments: ManageTodosArguments, context: ToolContext) -> str | None:
        """The moment of a wakeAt; a day alone means the morning. Raises ToolError."""
        found = await parse_due(arguments.wakeAt or "", "wakeAt", context)
        if found is None:
            return None
        return format_utc(
            reminders.due_moment(found, zone(context.timezone).key, reminders.MORNING)
        )

    async def _started(
        self, result: ToolResult, todo: Todo, arguments: ManageTodosArguments, context: ToolContext
    ) -> ToolResult:
        """The result with the statements that start, move or end the assistant's work on the todo.

        Raises ToolError.
        """
        if arguments.assign is None and arguments.waitingFor is None and arguments.wakeAt is None:
            return result
        at = runs.runs_at(todo, context.now, assigned_now=arguments.assign is True)
        if at is None:
            return replace(result, unit=result.unit + runs.idle(todo), effects=(Rescheduled(),))
        await self._may_run(todo, at, context)
        keep_place = not context.learned.private
        unit = runs.running_at(todo, at, context.later, context.now, keep_place=keep_place)
        return replace(result, unit=result.unit + unit, effects=(Rescheduled(),))

    async def _may_run(self, todo: Todo, at: datetime, context: ToolContext) -> None:
        """Raises ToolError if a run may not begin by itself, or would begin again too soon."""
        if context.person.role.rank < INNER_RANK:
            raise ToolError(
                "I work alone for Business, Friend and higher roles; leave out assign and wakeAt"
            )
        least = LEAST_MINUTES
        if not context.run.shape.person_present and at < context.now + timedelta(minutes=least):
            raise ToolError(
                f"nobody is present, so give a wakeAt at least {least} minutes ahead, or do it in "
                "this run"
            )
        if todo.wake_at and await self._rows.waking(context.person.id) >= MOST_OF_A_PERSON:
            raise ToolError(
                f"{MOST_OF_A_PERSON} todos wake by themselves, which is the most; close one first"
            )

    async def _find(self, context: ToolContext, todo_id: str | None, action: str) -> Todo:
        if not todo_id:
            raise ToolError(f"{action} needs a todoId; call with action list to see the ids")
        todo = await self._rows.find(context.person.id, todo_id.lower().lstrip("#"))
        if todo is None:
            raise ToolError(
                f"todo {todo_id[:40]!r} not found; call with action list to see the ids"
            )
        if not context.viewer.sees(todo.owner, todo.provenance.learned):
            raise ToolError(
                f"todo {todo.id} is private and not shown here; the person can ask for it in a DM"
            )
        return todo

    def _rung(self, result: ToolResult, todo: Todo, context: ToolContext) -> ToolResult:
        """The result with the reminder, in the place where it was set; private stays private."""
        at = reminders.rings_at(todo, reminders.MORNING, context.now)
        keep_place = not context.learned.private
        unit = reminders.ringing(todo, at, context.later, context.now, keep_place=keep_place)
        return replace(result, unit=result.unit + unit, effects=(Rescheduled(),))

    def _one(self, todo: Todo, context: ToolContext, unit: Unit, summary: str) -> ToolResult:
        shown = _shown(todo, context, DESCRIPTION_CHARS)
        if todo.due_date:
            shown["dueInWords"] = due_in_words(todo.due_date, context.timezone)
        if todo.due_date and todo.active:
            at = reminders.rings_at(todo, reminders.MORNING, context.now)
            shown["rings"] = reminders.spoken(at, context.timezone) if at else _NOT_ANY_MORE
        return _result(shown, [todo], unit, summary)


def _acts_later(given: ManageTodosArguments, todo: Todo | None, texts: Sequence[str]) -> bool:
    if given.action == "delete":
        return False
    rings = todo is not None and todo.due_date and not todo.provenance.origin.untrusted
    moves = rings and not any(texts)
    return bool(given.wakeAt or given.assign or ((given.dueDate or given.repeats) and not moves))


def _waiting_for(arguments: ManageTodosArguments) -> str | None:
    given = arguments.waitingFor
    return None if given is None else one_line(given, "waitingFor", TITLE_CHARS)


def _status(todo: Todo, change: TodoChange) -> TodoStatus:
    if todo.status.closed:
        return todo.status
    if change.reopen:
        return TodoStatus.OPEN
    return TodoStatus.WAITING if change.waits else todo.status


def _result(answer: JsonObject, todos: Sequence[Todo], unit: Unit, summary: str) -> ToolResult:
    return showing(
        [todo.provenance for todo in todos], answer, "manage_todos", unit=unit, summary=summary
    )


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
        "repeats": f"{spoken_repeat(todo.repeats) or todo.repeats} ({todo.zone})"
        if todo.repeats
        else None,
        "description": description,
        "waitingFor": todo.waiting_for,
        "wakes": reminders.spoken(parse_utc(todo.wake_at), context.timezone)
        if todo.wake_at and todo.active
        else None,
        "assigned": "you" if todo.assigned else None,
        "created": _day(todo.created_at, context),
        "completed": _day(todo.completed_at, context),
    }
    return {key: value for key, value in shown.items() if value}


def _day(moment: str | None, context: ToolContext) -> str | None:
    return None if moment is None else local(parse_utc(moment), context.timezone).date().isoformat()
