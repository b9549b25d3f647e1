"""A todo as the text of its file: front matter, a summary, and notes about the work."""

import re
from dataclasses import dataclass

from bot.clock import parse_utc
from bot.connectors.due_dates import local, show_due
from bot.connectors.todos.store import Priority, Todo, TodoStatus
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
}
"""Names of the tool's arguments as files call them; the others have one name."""


def placed(error: ToolError, text: str, path: str) -> ToolError:
    """An error about a tool argument, with the matching line and field of the file."""
    name = re.match(r"[A-Za-z]+", str(error))
    key = _FIELDS.get(name[0], name[0]) if name else ""
    line = read_front_matter(text, path).lines.get(key)
    return ToolError(
        f"{path}, line {line}: {key}: {error}. Nothing was saved" if line else f"{path}: {error}"
    )


def _moment(stored: str, timezone: str) -> str:
    return local(parse_utc(stored), timezone).isoformat(timespec="minutes")
