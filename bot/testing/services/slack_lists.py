"""Lists of the loopback Slack: who sees and edits each, typed cells, and Slack's refusals.

https://docs.slack.dev/reference/methods/slackLists.create, …/slackLists.items.list,
…/slackLists.items.create, …/slackLists.items.update, …/slackLists.items.delete,
…/slackLists.access.set, …/files.info
"""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.domain.json_types import JsonObject
from bot.testing.services.account_api import AccountCall, ApiRefusal
from bot.testing.services.slack_canvases import only, shared_with

_MOST_ROWS_AT_ONCE = 1_000
_KEYS = {
    "text": "rich_text",
    "number": "number",
    "date": "date",
    "checkbox": "checkbox",
    "select": "select",
    "user": "user",
    "todo_completed": "checkbox",
    "todo_assignee": "user",
    "todo_due_date": "date",
}
"""How the value of a field is called, by the type of its column."""
_TODO = (
    ("Completed", "todo_completed"),
    ("Assignee", "todo_assignee"),
    ("Due date", "todo_due_date"),
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass
class StoredList:
    """A list: its columns by id, its rows by id with their fields by column, and access levels."""

    title: str
    columns: dict[str, JsonObject]
    access: dict[str, str]
    rows: dict[str, dict[str, JsonObject]] = field(default_factory=dict[str, dict[str, JsonObject]])
    updated: int = 1_795_251_600

    def texts(self) -> list[list[str]]:
        """Return the cells of all rows as text, for tests and the search."""
        return [
            [_text(row[column]) if column in row else "" for column in self.columns]
            for row in self.rows.values()
        ]


@dataclass
class StoredLists:
    """Lists by id."""

    by_id: dict[str, StoredList] = field(default_factory=dict[str, StoredList])
    _ids: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def add(self, title: str, owner: str, columns: list[JsonObject], *, todo: bool = False) -> str:
        id_ = f"F{len(self.by_id) + 900:09}"
        further = [{"key": key, "name": name, "type": key} for name, key in _TODO] if todo else []
        self.by_id[id_] = StoredList(
            title,
            {
                column["id"]: column
                for one in [*columns, *further]
                for column in [{**one, "id": f"Col{next(self._ids):06}"}]
            },
            {owner: "owner"},
        )
        self.by_id[id_].updated += len(self.by_id)
        return id_

    def add_row(self, list_id: str, *texts: str) -> str:
        """Add a row with texts in the first columns."""
        which, id_ = self.by_id[list_id], f"Rec{next(self._ids):06}"
        which.rows[id_] = {
            column: {"column_id": column, "rich_text": rich(text), "text": text}
            for column, text in zip(which.columns, texts, strict=False)
        }
        return id_

    def seen(self, id_: object, who: set[str]) -> StoredList:
        which = self.by_id.get(str(id_))
        if which is None or not who & which.access.keys():
            raise ApiRefusal(200, "list_not_found")
        return which

    def editable(self, id_: object, who: set[str]) -> StoredList:
        which = self.seen(id_, who)
        if not any(which.access.get(one) in {"write", "owner"} for one in who):
            raise ApiRefusal(200, "restricted_action")
        return which

    # --- the methods; `who` is the person with the channels that they are in ---

    def call(self, method: str, call: AccountCall, who: set[str], known: set[str]) -> Any:
        """Answer slackLists.`method`; `known` are the ids that Slack finds for the person."""
        match method:
            case "items.list":
                return self._list(call, who)
            case "items.create":
                return self._create_item(call, who, known)
            case "items.update":
                return self._update(call, who, known)
            case "items.delete":
                only(call.body, {"list_id", "id"})
                which = self.editable(call.body.get("list_id"), who)
                if which.rows.pop(str(call.body.get("id")), None) is None:
                    raise ApiRefusal(200, "record_not_found")
                return {"ok": True}
            case "access.set":
                only(call.body, {"list_id", "access_level", "channel_ids", "user_ids"})
                which = self.editable(call.body.get("list_id"), who)
                which.access |= shared_with(call.body, known)
                return {"ok": True}
            case _:
                return self._create(call)

    def info(self, id_: str, who: set[str]) -> JsonObject:
        """Return the file that files.info gives for a list."""
        which = self.by_id.get(id_)
        if which is None or not who & which.access.keys():
            raise ApiRefusal(200, "file_not_found")
        return {
            "id": id_,
            "title": which.title,
            "filetype": "list",
            "permalink": f"https://team.slack.com/lists/T000001/{id_}",
            "list_metadata": {"schema": list(which.columns.values())},
        }

    def found(self, query: str, who: set[str]) -> list[JsonObject]:
        """Return the files that search.files gives for a query with `type:lists`."""
        words = [one for one in query.casefold().split() if one != "type:lists"]
        return [
            {**self.info(id_, who), "updated": which.updated}
            for id_, which in sorted(
                self.by_id.items(), key=lambda pair: pair[1].updated, reverse=True
            )
            if who & which.access.keys()
            and all(one in f"{which.title} {which.texts()}".casefold() for one in words)
        ]

    def _create(self, call: AccountCall) -> Any:
        only(call.body, {"name", "schema", "todo_mode", "description_blocks"})
        columns: list[JsonObject] = call.body.get("schema") or [
            {"key": "name", "name": "Name", "type": "text", "is_primary_column": True}
        ]
        for one in columns:
            only(one, {"key", "name", "type", "is_primary_column", "options"})
            if one.get("type") not in _KEYS or not one.get("key") or not one.get("name"):
                raise ApiRefusal(200, "invalid_args")
        primary = [one for one in columns if one.get("is_primary_column")]
        if not call.body.get("name") or [one["type"] for one in primary] != ["text"]:
            raise ApiRefusal(200, "invalid_args")
        todo = call.body.get("todo_mode") is True
        id_ = self.add(str(call.body["name"]), call.person, columns, todo=todo)
        schema = list(self.by_id[id_].columns.values())
        return {"ok": True, "list_id": id_, "list_metadata": {"schema": schema}}

    def _list(self, call: AccountCall, who: set[str]) -> Any:
        only(call.body, {"list_id", "limit", "cursor", "archived"})
        which = self.seen(call.body.get("list_id"), who)
        limit, begin = int(call.body.get("limit", 100)), int(call.body.get("cursor") or 0)
        if not 1 <= limit <= _MOST_ROWS_AT_ONCE:
            raise ApiRefusal(200, "invalid_limit")
        rows = list(which.rows.items())
        cursor = str(begin + limit) if begin + limit < len(rows) else ""
        items = [
            {"id": id_, "list_id": call.body["list_id"], "fields": list(fields.values())}
            for id_, fields in rows[begin : begin + limit]
        ]
        return {"ok": True, "items": items, "response_metadata": {"next_cursor": cursor}}

    def _create_item(self, call: AccountCall, who: set[str], known: set[str]) -> Any:
        only(call.body, {"list_id", "initial_fields", "parent_item_id", "duplicated_item_id"})
        which = self.editable(call.body.get("list_id"), who)
        given: list[JsonObject] = call.body.get("initial_fields") or []
        fields = {one["column_id"]: _checked(one, which, known) for one in given}
        id_ = f"Rec{next(self._ids):06}"
        which.rows[id_] = fields
        return {"ok": True, "item": {"id": id_, "fields": list(fields.values())}}

    def _update(self, call: AccountCall, who: set[str], known: set[str]) -> Any:
        only(call.body, {"list_id", "cells"})
        which = self.editable(call.body.get("list_id"), who)
        cells: list[JsonObject] = call.body.get("cells") or []
        if not cells:
            raise ApiRefusal(200, "invalid_args")
        for one in cells:
            if one.get("row_id") not in which.rows:
                raise ApiRefusal(200, "invalid_row_id")
            cell = {name: value for name, value in one.items() if name != "row_id"}
            which.rows[one["row_id"]][one["column_id"]] = _checked(cell, which, known)
        return {"ok": True}


def rich(text: str) -> list[JsonObject]:
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
    return [{"type": "rich_text", "elements": [section]}]


def _checked(cell: Mapping[str, Any], which: StoredList, known: set[str]) -> JsonObject:
    """Return a field as Slack keeps it."""
    column = which.columns.get(str(cell.get("column_id")))
    if column is None:
        raise ApiRefusal(200, "invalid_column_id")
    key = _KEYS[column["type"]]
    if set(cell) != {"column_id", key}:
        raise ApiRefusal(200, "invalid_input_type")
    value: Any = cell[key]
    if isinstance(value, list) is (key == "checkbox"):
        raise ApiRefusal(200, "invalid_input_type")
    match key, value:
        case "date", [day] if not _DATE.fullmatch(str(day)):
            raise ApiRefusal(200, "invalid_date")
        case "user", people if set(people) - known:
            raise ApiRefusal(200, "user_not_found")
        case "select", [option]:
            choices = column.get("options", {}).get("choices", [])
            if option not in [one["value"] for one in choices]:
                raise ApiRefusal(200, "invalid_option_id")
        case "number", [number] if isinstance(number, str):
            raise ApiRefusal(200, "invalid_input_type")
        case _:
            pass
    return {**cell, "text": _text(cell)} if key == "rich_text" else dict(cell)


def _text(cell: Mapping[str, Any]) -> str:
    if "rich_text" in cell:
        sections = [part for block in cell["rich_text"] for part in block["elements"]]
        return "".join(one["text"] for section in sections for one in section["elements"])
    return ", ".join(str(value) for name, value in cell.items() if name in _KEYS.values())
