"""/todos/{slug}.md: a person's todos as files; a write does the same as manage_todos."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.clock import format_utc, parse_utc
from bot.connectors.due_dates import local, show_due
from bot.connectors.records import RecordProvenance
from bot.connectors.slugs import slug_of
from bot.connectors.todos import reminders, runs, store
from bot.connectors.todos.store import Priority, Todo, TodoRows, TodoStatus
from bot.connectors.todos.tool import ManageTodosArguments, TodoActions
from bot.domain.database import Unit
from bot.domain.files import FileEntry, FileText
from bot.domain.lasting import Lasting, Makes
from bot.domain.tool_context import ToolContext
from bot.errors import DefinitionError, ToolError
from bot.skills.front_matter import FENCE, FrontMatter, read_front_matter
from bot.yaml_file import inline_yaml

SUMMARY = "## Summary"
NOTES_CHARS = 16_000
_KEYS = (
    "title",
    "status",
    "priority",
    "due",
    "repeats",
    "waiting_for",
    "wake_at",
    "assigned",
    "id",
)
_HEADING = re.compile(r"^#{1,2} ", re.MULTILINE)


@dataclass(frozen=True)
class TodoText:
    """The content of a file. Times are as written: ISO 8601, or words."""

    title: str
    status: TodoStatus = TodoStatus.OPEN
    priority: Priority = Priority.MEDIUM
    due: str = ""
    repeats: str = ""
    waiting_for: str = ""
    wake_at: str = ""
    assigned: bool = False
    id: str = ""
    """The id of an existing todo; empty: the file creates a new one."""
    summary: str = ""
    notes: str = ""
    """Everything below the summary, from its first heading on."""


def text_of(todo: Todo, timezone: str) -> TodoText:
    """The content of a todo's file, with times in the zone `timezone`."""
    waiting = todo.status is TodoStatus.WAITING
    return TodoText(
        title=todo.title,
        status=todo.status,
        priority=todo.priority,
        due=show_due(todo.due_date, timezone) if todo.due_date else "",
        repeats=todo.repeats or "",
        waiting_for=todo.waiting_for if waiting else "",
        wake_at=_moment(todo.wake_at, timezone) if waiting and todo.wake_at else "",
        assigned=todo.assigned,
        id=todo.id,
        summary=todo.description.strip(),
        notes=todo.notes,
    )


def render(text: TodoText) -> str:
    """The file with this content; `parse` reads it back."""
    front: dict[str, object] = {
        "title": text.title,
        "status": str(text.status),
        "priority": str(text.priority),
    }
    given = (
        ("due", text.due),
        ("repeats", text.repeats),
        ("waiting_for", text.waiting_for),
        ("wake_at", text.wake_at),
    )
    front |= {key: value for key, value in given if value}
    front |= {"assigned": True} if text.assigned else {}
    front |= {"id": text.id} if text.id else {}
    head = "".join(f"{key}: {inline_yaml(value)}\n" for key, value in front.items())
    parts = [SUMMARY, text.summary, text.notes]
    return f"{FENCE}\n{head}{FENCE}\n\n" + "\n\n".join(part for part in parts if part) + "\n"


def parse(text: str, path: str) -> TodoText:
    """Read a file. Raises DefinitionError that names path, line, field and remedy."""
    keys = read_front_matter(text, path)
    for key in keys.values:
        if key not in _KEYS:
            raise keys.bad(key, f"{key}: a todo has no such field; there is {', '.join(_KEYS)}")
    title = " ".join(_text(keys, "title").split())
    if not title:
        raise keys.bad(
            "title" if "title" in keys.values else "", "title: is missing; say what is to be done"
        )
    read = TodoText(
        title=title,
        status=TodoStatus(_choice(keys, "status", tuple(TodoStatus), TodoStatus.OPEN)),
        priority=Priority(_choice(keys, "priority", tuple(Priority), Priority.MEDIUM)),
        due=_text(keys, "due"),
        repeats=_text(keys, "repeats"),
        waiting_for=_text(keys, "waiting_for"),
        wake_at=_text(keys, "wake_at"),
        assigned=keys.flag("assigned", default=False),
        id=_text(keys, "id"),
        **_body(keys, text),
    )
    if read.status is TodoStatus.WAITING and not (read.waiting_for or read.wake_at):
        raise keys.bad(
            "status", "status: waiting needs waiting_for: what it waits for, or wake_at: until when"
        )
    if read.status is not TodoStatus.WAITING and (key := _idle_key(read)):
        raise keys.bad(
            key, f"{key}: only counts with status: waiting; set that, or leave {key} out"
        )
    return read


def _idle_key(read: TodoText) -> str:
    return "waiting_for" if read.waiting_for else "wake_at" if read.wake_at else ""


def _body(keys: FrontMatter, text: str) -> dict[str, str]:
    """Summary and notes. Raises DefinitionError for a body without a summary."""
    if not keys.body:
        return {}
    first, _, rest = keys.body.partition("\n")
    if first.strip() != SUMMARY:
        line = next(n for n, one in enumerate(text.splitlines(), 1) if one.strip() == first.strip())
        raise DefinitionError(
            f"{keys.file}, line {line}: the body begins with {SUMMARY}; write the text below it"
        )
    heading = _HEADING.search(rest)
    end = heading.start() if heading else len(rest)
    notes = rest[end:].strip()
    if len(notes) > NOTES_CHARS:
        raise DefinitionError(
            f"{keys.file}: the notes have {len(notes)} characters, the limit is {NOTES_CHARS}; "
            "move them to a document"
        )
    return {"summary": rest[:end].strip(), "notes": notes}


def _text(keys: FrontMatter, key: str) -> str:
    """A text; a number is a text without quotes."""
    value = keys.values.get(key)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else keys.text(key)


def _choice(keys: FrontMatter, key: str, among: tuple[str, ...], default: str) -> str:
    value = keys.text(key) or default
    if value not in among:
        raise keys.bad(key, f"{key}: {value[:40]!r} is none of {', '.join(among)}")
    return value


_FIELDS = {
    "dueDate": "due",
    "wakeAt": "wake_at",
    "waitingFor": "waiting_for",
    "description": "summary",
    "assign": "assigned",
}
"""Names of the tool's arguments as files call them; the others have one name."""


def _moment(stored: str, timezone: str) -> str:
    return local(parse_utc(stored), timezone).isoformat(timespec="minutes")


ROOT = "/todos"
LISTED = 500
LISTED_CLOSED = 100


class TodoFiles:
    """Implements `FileSource` over the same rows and actions as the tool."""

    prefix = ROOT
    writable = True
    reschedules = True

    def __init__(self, rows: TodoRows, actions: TodoActions) -> None:
        self._rows = rows
        self._actions = actions

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        todo = await self._find(context, path)
        if todo is None:
            return None
        return FileText(
            path=path,
            text=render(text_of(todo, context.timezone)),
            version=str(todo.revision),
            origin=todo.provenance.origin,
            private=todo.provenance.learned.private,
            updated=parse_utc(todo.updated_at),
        )

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        slug = _slug(path)
        if slug is None:
            wanted = slug_of(path.removeprefix(ROOT).removesuffix(".md")) or "call-marie"
            raise ToolError(
                f"{path}: a todo is a file right in {ROOT} with a name of small letters, digits "
                f"and dashes before .md; write {ROOT}/{wanted}.md"
            )
        try:
            said = parse(text, path)
        except DefinitionError as error:
            raise ToolError(f"{error}. Nothing was saved") from None
        before = await self._find(context, path)
        if (str(before.revision) if before else None) != version:
            raise ToolError(
                f"{path} was changed meanwhile; read it again and repeat the change on its present "
                "text"
            )
        if before is not None and said.id not in {"", before.id}:
            raise ToolError(
                f"{path}: id: is {before.id} and never changes; put it back, or leave it out"
            )
        try:
            if before is None and not said.id:
                return await self._create(context, slug, said)
            return await self._change(
                context, before or await self._renamed(context, said.id), slug, said
            )
        except ToolError as error:
            raise read_front_matter(text, path).placed(error, _FIELDS) from None

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        todo = await self._find(context, path)
        if todo is None or str(todo.revision) != version:
            raise ToolError(f"{path} was changed meanwhile; nothing was deleted")
        done = await self._actions.delete(context, todo.id)
        return store.unchanged(todo) + done.unit

    async def take_back(self, context: ToolContext, path: str, text: str | None) -> Unit | None:
        """Removes a new todo; a change of one is several, which nobody takes back as one."""
        slug = _slug(path)
        if text is None or slug is None or await self._find(context, path) is not None:
            return None
        return store.delete_new(context.person.id, slug)

    def makes(self, path: str, text: str | None) -> Sequence[Makes]:
        """A todo with a time rings or wakes, an assigned one is worked on."""
        try:
            said = parse(text, path) if text is not None else TodoText("")
        except DefinitionError:
            return ()  # nothing is saved then
        if not (said.due or said.repeats or said.wake_at or said.assigned):
            return ()
        return (Makes(Lasting.ACTS_LATER, (said.title, said.summary, said.notes)),)

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        if path != ROOT:
            return None
        seen = await self._rows.seen(context.viewer)
        todos = [
            *await self._rows.active(seen, LISTED),
            *await self._rows.closed(seen, LISTED_CLOSED),
        ]
        entries = [
            FileEntry(
                f"{ROOT}/{todo.slug}.md", note=str(todo.status), origin=todo.provenance.origin
            )
            for todo in todos
        ]
        hidden = [FileEntry(f"{ROOT}/{number}", private=True) for number in range(seen.left_out)]
        return (*sorted(entries, key=lambda entry: entry.path), *hidden)

    async def _find(self, context: ToolContext, path: str) -> Todo | None:
        slug = _slug(path)
        todo = await self._rows.named(context.person.id, slug) if slug else None
        if todo is not None and not context.viewer.sees(todo.owner, todo.provenance.learned):
            raise ToolError(
                f"{path} is private and not shown here; the person can ask for it in a DM"
            )
        return todo

    async def _renamed(self, context: ToolContext, ref: str) -> Todo:
        """The todo that a new file names by its id: this renames its file."""
        todo = await self._rows.find(context.person.id, ref)
        if todo is None or not context.viewer.sees(todo.owner, todo.provenance.learned):
            raise ToolError(
                f"id: there is no todo {ref[:40]!r} here; leave id out to make a new one"
            )
        return todo

    # --- the tool's actions ---

    async def _create(self, context: ToolContext, slug: str, said: TodoText) -> Unit:
        arguments = _arguments("create", said, TodoText(""), "")
        made = await self._actions.create(
            context,
            arguments,
            slug=slug,
            notes=said.notes,
            closed=said.status if said.status.closed else None,
        )
        return made.unit

    async def _change(self, context: ToolContext, todo: Todo, slug: str, said: TodoText) -> Unit:
        before, now = text_of(todo, context.timezone), format_utc(context.now)
        unit = store.unchanged(todo)
        if slug != todo.slug:
            unit += store.rename(todo, slug, now)
        if said.notes != before.notes:
            unit += store.set_notes(
                todo, said.notes, todo.provenance.mixed_with(RecordProvenance.of(context)), now
            )
        if not said.status.closed and _waits(said) != _waits(before):
            todo, reopened = self._actions.reopened(context, todo)
            unit, before = unit + reopened, text_of(todo, context.timezone)
        arguments = _arguments("update", said, before, todo.id)
        if arguments.model_fields_set - {"action", "todoId"}:
            unit += (await self._actions.changed(context, todo, arguments)).unit
        if said.status.closed and said.status is not before.status:
            unit += _closed(context, todo, said.status)
        return unit


def _closed(context: ToolContext, todo: Todo, status: TodoStatus) -> Unit:
    """A repeating todo that is done becomes due again, as with the tool."""
    if status is TodoStatus.DONE and todo.active:
        return reminders.completed(todo, context.now)[0]
    return (
        store.close(todo, status, format_utc(context.now))
        + reminders.silent(todo)
        + runs.idle(todo)
    )


def _waits(text: TodoText) -> tuple[TodoStatus, str, str]:
    return (text.status, text.waiting_for, text.wake_at)


def _slug(path: str) -> str | None:
    """The name in a path; None for a path that can't hold a todo."""
    name = path.removeprefix(f"{ROOT}/")
    slug = name.removesuffix(".md")
    return slug if slug != name and slug and slug == slug_of(slug) else None


def _arguments(action: str, said: TodoText, before: TodoText, todo: str) -> ManageTodosArguments:
    """The tool's arguments for the differences."""
    given: dict[str, object] = {"action": action, **({"todoId": todo} if todo else {})}
    pairs = (
        ("title", said.title, before.title),
        ("description", said.summary, before.summary),
        ("dueDate", said.due, before.due),
        ("repeats", said.repeats, before.repeats),
        ("waitingFor", said.waiting_for, before.waiting_for),
        ("wakeAt", said.wake_at, before.wake_at),
        ("priority", str(said.priority), str(before.priority)),
        ("assign", said.assigned, before.assigned),
    )
    return ManageTodosArguments.model_validate(
        given | {name: new for name, new, old in pairs if new != old}
    )
