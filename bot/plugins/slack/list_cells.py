"""What stands in the cells of Slack's lists: read as text, and written from plain values.

https://docs.slack.dev/reference/methods/slackLists.items.create#field-types
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeAlias, cast

from bot.plugin.services import as_object, as_objects
from bot.plugin.tools import JsonObject, ToolError

Value: TypeAlias = str | int | float | bool

_TEXT = frozenset({"text", "rich_text"})
_NUMBERS = {"number": "number", "rating": "rating"}
_CHECKS = {"checkbox": "checkbox", "todo_completed": "checkbox"}
_DATES = {"date": "date", "todo_due_date": "date"}
_LITERAL = {"email": "email", "phone": "phone"}
_HELD = ("user", "date", "link", "channel", "number", "value")
"""Where the value stands that a column's type doesn't name."""
_PEOPLE = frozenset({"user", "people", "todo_assignee"})


@dataclass(frozen=True)
class Column:
    """One column of a list."""

    id: str
    name: str
    kind: str
    primary: bool = False
    choices: Sequence[tuple[str, str]] = ()
    """Of a select: each option's value and its label."""

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> "Column":
        choices = as_objects(as_object(found.get("options")).get("choices"))
        return cls(
            str(found.get("id") or ""),
            str(found.get("name") or found.get("key") or ""),
            str(found.get("type") or ""),
            found.get("is_primary_column") is True,
            tuple((str(one.get("value")), str(one.get("label"))) for one in choices),
        )

    @property
    def takes_people(self) -> bool:
        return self.kind in _PEOPLE

    @property
    def described(self) -> str:
        """Its type for a model, with the options of a select."""
        labels = ", ".join(label for _, label in self.choices)
        return f"{self.kind} ({labels})" if labels else self.kind


def cell_text(field: Mapping[str, Any], column: Column) -> str:
    """A field of a row as a person reads it; empty where nothing stands."""
    if column.kind in _CHECKS:
        return "yes" if field.get("checkbox") or field.get("value") is True else "no"
    labels = dict(column.choices)
    for name in ("text", "select", column.kind, *_HELD):
        texts = [_one(part, labels) for part in _parts(field.get(name))]
        if shown := ", ".join(filter(None, texts)):
            return shown
    return ""


def field_of(column: Column, value: Value) -> JsonObject:
    """A value as the field that Slack takes for this column. Raises ToolError if it is none."""
    return {"column_id": column.id, **_typed(column, value)}


def people_field(column: Column, member: str) -> JsonObject:
    return {"column_id": column.id, "user": [member]}


def rich_text(text: str) -> list[JsonObject]:
    """Text that Slack shows literally: it mentions nobody and holds no link."""
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
    return [{"type": "rich_text", "elements": [section]}]


def _typed(column: Column, value: Value) -> JsonObject:
    kind = column.kind
    if kind in _TEXT:
        return {"rich_text": rich_text(str(value))}
    if key := _NUMBERS.get(kind):
        return {key: [_number(column, value)]}
    if key := _CHECKS.get(kind):
        return {key: _check(column, value)}
    if key := _DATES.get(kind):
        return {key: [_date(column, value)]}
    if key := _LITERAL.get(kind):
        return {key: [str(value)]}
    if kind == "select":
        return {"select": [_choice(column, value)]}
    if column.takes_people:
        raise ToolError(f"{column.name} takes a person: give their Slack id as member")
    raise ToolError(f"{column.name} is of type {kind}, which can't be written here")


def _number(column: Column, value: Value) -> float | int:
    if isinstance(value, bool):
        raise ToolError(f"{column.name} takes a number")
    try:
        return value if isinstance(value, int | float) else float(value)
    except ValueError as error:
        raise ToolError(f"{column.name} takes a number") from error


def _check(column: Column, value: Value) -> bool:
    if not isinstance(value, bool):
        raise ToolError(f"{column.name} takes true or false")
    return value


def _date(column: Column, value: Value) -> str:
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError as error:
        raise ToolError(f"{column.name} takes a date like 2026-11-28") from error


def _choice(column: Column, value: Value) -> str:
    wanted = str(value).casefold()
    for option, label in column.choices:
        if wanted in {option.casefold(), label.casefold()}:
            return option
    raise ToolError(f"{column.name} takes one of its own choices; slack_list shows them")


def _parts(held: object) -> list[Any]:
    return cast("list[Any]", held) if isinstance(held, list) else [held]


def _one(part: object, labels: Mapping[str, str]) -> str:
    given = as_object(part)
    shown = (given.get("original_url") or given.get("value")) if given else part
    return "" if shown is None else labels.get(str(shown), str(shown))
